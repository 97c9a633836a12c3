/** What the vault's own server says of a transaction, as parts of its preview. */
import {
  type AllowanceKind,
  type Asset,
  allowanceRoles,
  type BalanceChange,
  type PreviewPrices,
  solanaAsset,
  type TransactionPreview,
  type Warning,
} from '../../../signing/preview.ts'
import { vaultLimits } from '../../limits.ts'
import type { ServerPreview } from '../../server/preview.ts'

/** Balance changes with the tokens' own figures, or why there are none. */
export function balanceChangesOf(
  server: ServerPreview,
  coin: Asset,
): NonNullable<TransactionPreview['balanceChanges']> {
  const { simulation, disputed, nodes = 1 } = server
  if (!simulation) return 'unanswered'
  if (simulation.outcome === 'unavailable') return 'unavailable'
  if (simulation.status === 'failed') return 'failed'
  const assetOf = (token: string | undefined) => (token === undefined ? coin : tokenAsset(server, token))
  const changeOf = ({ kind, token, id, amount }: (typeof simulation.out)[number]): BalanceChange => {
    // Of a contract that numbers its tokens, an amount is a count.
    const asset = kind === 'native' || kind === 'erc20' || kind === 'token' ? assetOf(token) : undefined
    return { amount, ...(token && { token }), ...(id !== undefined && { id }), ...(asset && { asset }) }
  }
  return {
    out: simulation.out.map(changeOf),
    in: simulation.in.map(changeOf),
    allowances: simulation.allowances.flatMap(({ kind: name, token, amount, isUnlimited, ...more }) => {
      const kind = allowanceKindOf(name)
      // An allowance that is taken back lets nobody spend anything.
      if (amount === 0n && !isUnlimited && (kind === 'spender' || kind === 'delegate')) return []
      // A delegate's amount is counted in the token of the debt.
      const counted = token ?? (kind === 'delegate' ? more.account : undefined)
      const asset = counted === undefined ? undefined : tokenAsset(server, counted)
      return [
        {
          ...more,
          kind,
          isUnlimited,
          ...(token && { token }),
          ...(amount !== undefined && { amount }),
          ...(asset && { asset }),
        },
      ]
    }),
    isComplete: simulation.isComplete,
    ...(disputed.includes('simulation') && { isDisputed: true }),
    ...(nodes < 2 && { isSingle: true }),
  }
}

/** Whether a screen waits for a trial run: nothing is approved before its end. */
export const isTrying = (props: object): boolean =>
  (props as { readonly preview?: TransactionPreview }).preview?.balanceChanges === 'waiting'

/** Roles that a version of the server may name. */
const allowanceKinds: Readonly<Record<string, AllowanceKind>> = {
  amount: 'spender',
  token: 'spender',
  all: 'spender',
  ...Object.fromEntries(allowanceRoles.map((role) => [role, role])),
}

/** Whoever has a role that this version doesn't know has it all the same. */
const allowanceKindOf = (name: string): AllowanceKind =>
  (Object.hasOwn(allowanceKinds, name) ? allowanceKinds[name] : undefined) ?? 'control'

/** Prices that are of the preview's own time; `undefined` without any. */
export function pricesOf({ prices, at }: ServerPreview): PreviewPrices | undefined {
  if (!prices || at === undefined) return undefined
  const isNow = (price: { readonly at: number }) => Math.abs(at - price.at) * 1_000 <= vaultLimits.priceAge
  const tokens = Object.entries(prices.tokens).flatMap(([token, price]) =>
    isNow(price) ? [[token, price.usd] as const] : [],
  )
  const coin = prices.coin && isNow(prices.coin) ? prices.coin.usd : undefined
  if (coin === undefined && tokens.length === 0) return undefined
  return { ...(coin !== undefined && { coin }), tokens: Object.fromEntries(tokens) }
}

/** Whether two previews of one transaction say other things about it. Prices and the balance alone change no decision. */
export function isOtherPreview(one: TransactionPreview, other: TransactionPreview): boolean {
  const decisive = ({
    fee,
    total,
    balanceChanges,
    isUnderfunded,
    feeConcern,
    warnings,
  }: TransactionPreview) =>
    JSON.stringify([fee, total, balanceChanges, isUnderfunded, feeConcern, warnings], (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
  return decisive(one) !== decisive(other)
}

/** Symbol and decimals of a token; `undefined` unless its contract or mint has said both, and a mint how its amounts are displayed. */
export function tokenAsset(
  { tokens, chain }: Pick<ServerPreview, 'tokens' | 'chain'>,
  token: string,
): Asset | undefined {
  const { symbol, decimals, rules } = (Object.hasOwn(tokens, token) && tokens[token]) || {}
  if (symbol === undefined || decimals === undefined) return undefined
  // Mints alone can have a scale.
  return chain.startsWith('solana:')
    ? solanaAsset({ symbol, decimals, scale: rules?.scale })
    : { symbol, decimals }
}

/** Warnings of the server's nodes; `undefined` where they have not tried the transaction. */
export function triedWarnings({ simulation, prepared }: ServerPreview): readonly Warning[] | undefined {
  if (simulation?.outcome !== 'simulated') return undefined
  if (simulation.status === 'success') return []
  const { kind, message } = simulation.reason ?? prepared?.reason ?? { kind: 'unknown' }
  // What is missing is said as an amount.
  if (kind === 'insufficient-funds') return []
  return [{ code: 'reverts', severity: 'danger', ...(message && { reason: message }) }]
}

/** A warning where two nodes of the server contradict each other. */
export const disputeWarnings = ({ disputed }: ServerPreview): readonly Warning[] =>
  disputed.length > 0 ? [{ code: 'nodes-differ', severity: 'warning' }] : []
