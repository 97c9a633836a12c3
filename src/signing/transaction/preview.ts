import { createBuiltInSource, type Description, describeTransaction } from '../../clear-signing/index.ts'
import { atMost } from '../../ethereum/amounts.ts'
import { decodeCall } from '../../ethereum/call-decoder.ts'
import { type ChainOptions, chainOf } from '../../ethereum/chains.ts'
import { feeLimitsOf } from '../../ethereum/fee-limits.ts'
import type { TokenAction } from '../../ethereum/token-action.ts'
import type { TransactionRequest } from '../../ethereum/transaction.ts'
import { type Delegate, findDelegate, newCodeOf } from '../../ethereum/wallet-code.ts'
import { feeConcern } from '../../lib/fee-concern.ts'
import { type FindTokenFacts, withFacts } from '../allowances.ts'
import { batchSentence, type Knowledge, missingIn, toWarnings } from '../description.ts'
import { readEffects } from '../effects.ts'
import {
  type Action,
  type Asset,
  allowanceWarnings,
  type EditableAllowance,
  type EditableFees,
  type PreviewPrices,
  type TokenShortage,
  type TransactionPreview,
  type WalletCode,
  type Warning,
} from '../preview.ts'

export type { Knowledge }

/** Values that the transaction itself does not contain. */
export interface PreviewContext extends Knowledge {
  readonly origin: string
  readonly app?: string | undefined
  readonly wallet: string
  /** Figures of the tokens that allowances are of. */
  readonly findFacts?: FindTokenFacts | undefined
  /** Allowances that the user may lower. */
  readonly allowances?: readonly EditableAllowance[] | undefined
  /** The most that the network may take, in wei. */
  readonly fee?: bigint | undefined
  /** The fees, if the user may choose others. */
  readonly fees?: EditableFees | undefined
  readonly prices?: PreviewPrices | undefined
  /** A part of the fee is known from the host page alone. */
  readonly isFeeClaimed?: boolean | undefined
  /** The figures of the token that the call is about. */
  readonly asset?: Asset | undefined
  readonly balanceChanges?: TransactionPreview['balanceChanges']
  /** Contracts whose code the app allows at its users' own addresses. */
  readonly delegates?: readonly Delegate[] | undefined
  /** The contract whose code the wallet has before the transaction. */
  readonly walletCode?: string | undefined
  /** The wallet's balance, in wei. */
  readonly balance?: bigint | undefined
  /** The wallet can't pay for it; derived from the balance where that is known. */
  readonly isUnderfunded?: boolean | undefined
  readonly tokenShortage?: TokenShortage | undefined
  /** Warnings that come from a node, such as a failing estimate. */
  readonly warnings?: readonly Warning[] | undefined
}

/**
 * Creates the preview of an Ethereum transaction from its own fields, and of what a node said about it.
 * @throws InvalidRequest if the fee is absurd
 */
export function toPreview(
  chains: ChainOptions,
  { chainId, to, value, data, authorizationList }: TransactionRequest,
  { origin, app, wallet, fee: cost, balance, warnings = [], delegates = [], ...context }: PreviewContext,
): TransactionPreview {
  const chain = chainOf(chains, chainId)
  // An unknown chain's coin has no known symbol; every EVM chain counts it in 18 decimals.
  const { symbol, decimals } = chain?.nativeCurrency ?? { symbol: '', decimals: 18 }
  const call = to ? decodeCall(data, to) : undefined
  const description = descriptionOf({ chainId, to, value, data, from: wallet }, context)
  const { allowances = [] } = context
  const nameOf = (delegate: string) => findDelegate(delegates, chainId, delegate)?.name
  const code = codeAction(newCodeOf({ authorizationList }), nameOf)
  const walletCode = context.walletCode ? withName(context.walletCode, nameOf) : undefined
  // A call of itself without data does nothing else.
  const isCodeAlone = code !== undefined && to === wallet && data === '0x' && value === 0n
  const top = { to, value, data, from: wallet, isDelegateCall: false, isDisplayed: false, description }
  const read = readEffects(top, wallet)
  const done = isCodeAlone ? [] : withAsset(read.actions, call, context.asset)
  const actions = [...(code ? [code] : []), ...done].map((action) =>
    action.kind === 'token'
      ? { ...action, ...withFacts(action.call, context.findFacts, action.by) }
      : action.kind === 'refund'
        ? { ...action, ...refundAsset(action, { symbol, decimals }, context.findFacts) }
        : action,
  )
  const calls = actions.flatMap((action) => (action.kind === 'token' ? [action.call] : []))
  const sentence = batchSentence(description)
  const fee = cost === undefined ? undefined : atMost(cost)
  const total = fee === undefined ? undefined : value + fee
  const concern = fee === undefined ? undefined : feeConcern(fee, value, feeLimitsOf(chain && symbol))
  // The exact cost decides about funds, and the rounded one is displayed.
  const needed = cost === undefined ? undefined : value + cost
  const missing =
    balance !== undefined && needed !== undefined && needed > balance ? needed - balance : undefined
  const isUnderfunded = context.isUnderfunded || missing !== undefined
  return {
    network: { name: chain?.name ?? String(chainId), chain: `eip155:${chainId}` },
    coin: { symbol, decimals },
    origin,
    ...(app !== undefined && { app }),
    wallet,
    value,
    actions,
    ...(read.coins > value && { coinsOut: read.coins }),
    ...(sentence !== undefined && { sentence }),
    ...(allowances.length > 0 && { allowances }),
    ...(fee !== undefined && { fee, total }),
    ...(fee !== undefined && context.isFeeClaimed && { isFeeClaimed: true }),
    ...(context.fees && { fees: context.fees }),
    ...(context.prices && { prices: context.prices }),
    ...(balance !== undefined && { balance }),
    ...(walletCode && { walletCode }),
    isUnderfunded,
    ...(missing !== undefined && { missing }),
    ...(context.tokenShortage && { tokenShortage: context.tokenShortage }),
    ...(context.balanceChanges && { balanceChanges: context.balanceChanges }),
    ...(concern && { feeConcern: concern }),
    warnings: [
      ...calls.flatMap(allowanceWarnings),
      ...toWarnings(description, { judged: calls.map(({ party }) => party), isRead: true }),
      ...warnings,
      ...(walletCode && walletCode.name === undefined
        ? [{ code: 'foreign-code', severity: 'danger', address: walletCode.delegate } as const]
        : []),
      ...(isUnderfunded || context.tokenShortage
        ? [{ code: 'insufficient-funds', severity: 'danger' } as const]
        : []),
    ],
    ...(data !== '0x' && { data }),
  }
}

type NameOf = (delegate: string) => string | undefined

function codeAction(code: string | undefined, nameOf: NameOf): Action | undefined {
  if (code === undefined) return undefined
  return code === 'none' ? { kind: 'code' } : { kind: 'code', ...withName(code, nameOf) }
}

function withName(delegate: string, nameOf: NameOf): WalletCode {
  const name = nameOf(delegate)
  return { delegate, ...(name !== undefined && { name }) }
}

/**
 * Contracts whose descriptors would say more of a transaction, and tokens whose figures the words of its descriptors need. A call of a token
 * says all by itself.
 */
export function missingKnowledge(
  {
    chainId,
    to,
    value,
    data,
    from,
  }: Pick<TransactionRequest, 'chainId' | 'to' | 'value' | 'data'> & { readonly from?: string | undefined },
  knowledge: Knowledge,
): { contracts: readonly string[]; tokens: readonly string[] } {
  const call = to ? decodeCall(data, to) : undefined
  if (!to || call || data === '0x') return { contracts: [], tokens: [] }
  const description = descriptionOf({ chainId, to, value, data, from }, knowledge)
  const top = { to, value, data, from, isDelegateCall: false, isDisplayed: false, description }
  const known = readEffects(top, from ?? '').actions.flatMap((action) =>
    action.kind === 'token' && action.call.contract ? [action.call.contract.toLowerCase()] : [],
  )
  const { contracts, tokens } = missingIn(description)
  return { contracts: contracts.filter((each) => !known.includes(each)), tokens }
}

/** Symbol and decimals of a refund, where somebody has said those of its token. */
function refundAsset(
  { token }: { readonly token?: string | undefined },
  coin: Asset,
  findFacts: FindTokenFacts | undefined,
): { asset?: Asset } {
  if (token === undefined) return { asset: coin }
  const { symbol, decimals } = findFacts?.(token) ?? {}
  return symbol === undefined || decimals === undefined ? {} : { asset: { symbol, decimals } }
}

type Call = Pick<TransactionRequest, 'to' | 'value' | 'data'>

function descriptionOf(
  transaction: Call & { readonly chainId: number; readonly from?: string | undefined },
  { data = {}, descriptors = [] }: Knowledge,
): Description {
  return describeTransaction(transaction, {
    dataProvider: data,
    descriptors: [createBuiltInSource(data), ...descriptors],
  })
}

/** The figures of the one token that the whole request is a call of. */
const withAsset = (
  actions: readonly Action[],
  call: TokenAction | undefined,
  asset: Asset | undefined,
): readonly Action[] =>
  call && asset
    ? actions.map((action, at) => (at === 0 && action.kind === 'token' ? { ...action, asset } : action))
    : actions
