import { createBuiltInSource, type Description, describeTransaction } from '../../clear-signing/index.ts'
import { atMost } from '../../ethereum/amounts.ts'
import { type CallAction, readActions } from '../../ethereum/call-actions.ts'
import { decodeCall } from '../../ethereum/call-decoder.ts'
import { type ChainOptions, chainOf } from '../../ethereum/chains.ts'
import { feeLimitsOf } from '../../ethereum/fee-limits.ts'
import type { TokenAction } from '../../ethereum/token-action.ts'
import type { TransactionRequest } from '../../ethereum/transaction.ts'
import { type Delegate, findDelegate, newCodeOf } from '../../ethereum/wallet-code.ts'
import { feeConcern } from '../../lib/fee-concern.ts'
import { type FindTokenFacts, withFacts } from '../allowances.ts'
import {
  batchSentence,
  type Knowledge,
  missingIn,
  toAction,
  toDescribed,
  toWarnings,
} from '../description.ts'
import {
  type Action,
  type Asset,
  allowanceWarnings,
  type Described,
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
  const done = isCodeAlone ? [] : actionsOf({ to, value, data }, call, description, context.asset)
  const actions = [...(code ? [code] : []), ...done].map((action) =>
    action.kind === 'token'
      ? { ...action, ...withFacts(action.call, context.findFacts, ownerOf(action.call)) }
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
      ...toWarnings(
        description,
        calls.map(({ party }) => party),
      ),
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
  const known = actionsOf({ to, value, data }, call, description, undefined).flatMap((action) =>
    action.kind === 'token' && action.call.contract ? [action.call.contract.toLowerCase()] : [],
  )
  const { contracts, tokens } = missingIn(description)
  return { contracts: contracts.filter((each) => !known.includes(each)), tokens }
}

/** The contract whose tokens a call inside of a batch is about. */
const ownerOf = (call: TokenAction & { readonly by?: string | undefined }) => call.by

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

/**
 * All that a transaction does: in the words of its descriptor if it has one, else by its bytes, with the calls inside of batches. A
 * known call of a token has no other words than ours, whoever describes it.
 */
function actionsOf(
  { to, value, data }: Call,
  call: TokenAction | undefined,
  description: Description,
  asset: Asset | undefined,
): readonly Action[] {
  if (call) return [{ kind: 'token', call, ...(asset && { asset }) }]
  const described = toDescribed(description, to)
  const inner = describedWithin(description)
  const { actions, isComplete } = readActions({ to, value, data })
  // The coins that go along with a call are the value of the transaction.
  const within = data !== '0x' && value > 0n ? actions.slice(1) : actions
  const read = within.flatMap(byBytes)
  // A batch that is too deep to follow is a contract call like any other.
  const bytes = to && (!isComplete || read.length === 0) ? [{ kind: 'call', to } as const] : read
  const along: readonly Action[] = to ? [{ kind: 'transfer', to, amount: value }] : []
  const seen = new Set([...bytes, ...along].map(keyOf))
  const more = description.actions.map(toAction).filter((action) => !seen.has(keyOf(action)))
  const unnamed = described ? bytes.filter(({ kind }) => kind !== 'call') : withoutDescribed(bytes, inner)
  return [...(described ? [described] : []), ...inner, ...unnamed, ...more]
}

/** Calls inside of a batch in the words of their own descriptors; those that a field displays already are not among them. */
const describedWithin = ({ calls }: Description): readonly Described[] =>
  calls.flatMap(({ to, description }) => [
    ...optional(toDescribed(description, to)),
    ...describedWithin(description),
  ])

const optional = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value])

/** A call that has words of its own is no 'Contract call' beside them. */
function withoutDescribed(actions: readonly Action[], described: readonly Described[]): readonly Action[] {
  const left = described.map(({ contract }) => contract?.toLowerCase())
  return actions.filter((action) => {
    const at = action.kind === 'call' ? left.indexOf(action.to.toLowerCase()) : -1
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** What readers of calls and the clear-signing room both name. */
function keyOf(action: Action): string {
  if (action.kind === 'transfer') return `transfer ${action.to} ${action.amount}`.toLowerCase()
  if (action.kind !== 'token')
    return JSON.stringify(action, (_, each) => (typeof each === 'bigint' ? String(each) : each))
  const { action: name, contract, party, amount, amountOrToken, token, from } = action.call
  return [name, contract, from, party, amount ?? amountOrToken, token].join(' ').toLowerCase()
}

function byBytes(action: CallAction): readonly Action[] {
  switch (action.action) {
    case 'send':
      return [{ kind: 'transfer', to: action.party, amount: action.amount }]
    case 'mint': {
      const { contract, party, amount, token, amountOrToken, items } = action
      const each = items ?? [{ amount, token }]
      return each.map((item) => ({
        kind: 'mint',
        ...(contract && { contract }),
        ...(party && { to: party }),
        ...(item.amount !== undefined && { amount: item.amount }),
        ...(item.token !== undefined && { token: item.token }),
        ...(amountOrToken !== undefined && { amountOrToken }),
      }))
    }
    case 'batchTransfer': {
      const { contract, from, party, items } = action
      return items.map(({ token, amount }) => ({
        kind: 'token',
        call: {
          action: 'transfer',
          ...(contract && { contract }),
          from,
          party,
          token,
          amount,
          unlimited: false,
        },
      }))
    }
    case 'deploy':
      return [{ kind: 'deploy' }]
    case 'unknown':
      return action.contract ? [{ kind: 'call', to: action.contract }] : []
    default:
      return [{ kind: 'token', call: action }]
  }
}
