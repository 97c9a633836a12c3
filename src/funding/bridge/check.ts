/** Checks that a quote of the bridge is what was asked for, before any of it is shown or signed. */
import { KitError } from '../../errors/kit-error.ts'
import type { BridgeAsset, BridgeQuote, BridgeRequest, EthereumItem } from '../../protocol/bridge.ts'
import type { BalanceChanges } from '../../solana/balance-changes.ts'
import type { PreparedTransaction } from '../../solana/prepare.ts'
import type { Simulation } from '../../solana/simulate.ts'
import type { Source } from './networks.ts'

const APPROVE = '0x095ea7b3'
const TRANSFER = '0xa9059cbb'
/** Calls that give tokens, or power over them, away: `transferFrom`, allowances in other words, and those of collections and Permit2. */
const otherTokenCalls: ReadonlySet<string> = new Set([
  ...['0x23b872dd', '0x39509351', '0xd73dd623', '0xa22cb465', '0x42842e0e', '0xb88d4fde', '0xf242432a'],
  ...['0x2eb2c2d6', '0xd505accf', '0x8fcbaf0c', '0x87517c45', '0x36c78516', '0x2b67b570'],
])

export interface QuotedRequest {
  readonly request: BridgeRequest
  /** The asset that pays. */
  readonly source: Pick<Source, 'chainType' | 'decimals' | 'token'>
  /** Decimals of what arrives. */
  readonly decimals: number
}

/**
 * Checks parties, networks, amounts, and each transaction on Ethereum's networks.
 * @returns the bridge's name of the quote
 * @throws KitError `provider_refused` for a quote of anything else
 */
export function assertQuoteMatches(
  { sender, recipient, pays, receives, steps }: BridgeQuote,
  { request, source, decimals }: QuotedRequest,
): string {
  const { user, from, to, amount } = request
  if (!isSame(sender, user)) throw mismatch('sender')
  if (!isSame(recipient, request.recipient)) throw mismatch('recipient')
  if (!isAsset(pays, from) || pays.decimals !== source.decimals) throw mismatch('paid currency')
  if (!isAsset(receives, to) || receives.decimals !== decimals) throw mismatch('received currency')
  if (receives.amount !== amount) throw mismatch('received amount')
  if (pays.amount <= 0n) throw mismatch('paid amount')
  const [requestId, ...others] = new Set(steps.flatMap((step) => step.requestId ?? []))
  if (requestId === undefined || others.length > 0) throw mismatch('request id')
  const items = steps.flatMap((step) => step.items)
  if (items.length === 0) throw mismatch('steps')
  if (items.some(({ kind }) => kind !== source.chainType)) throw mismatch('kind of a step')
  if (source.chainType === 'ethereum')
    assertEthereum(
      items.flatMap((item) => (item.kind === 'ethereum' ? item : [])),
      { user, chainId: from.chainId, token: source.token, most: pays.amount },
    )
  return requestId
}

interface Limits {
  readonly user: string
  readonly chainId: number
  readonly token: string | undefined
  /** The most that may leave the wallet, of the coin or the token that pays. */
  readonly most: bigint
}

function assertEthereum(items: readonly EthereumItem[], { user, chainId, token, most }: Limits): void {
  let value = 0n
  let moved = 0n
  for (const item of items) {
    if (!isSame(item.from, user)) throw mismatch('sender of a step')
    if (item.chainId !== chainId) throw mismatch('network of a step')
    if (isSame(item.to, user)) throw mismatch('target of a step')
    value += item.value
    const selector = item.data.slice(0, 10)
    if (token !== undefined && isSame(item.to, token)) moved += readTokenCall(items, item, token)
    else if (selector === APPROVE || selector === TRANSFER || otherTokenCalls.has(selector))
      throw mismatch('token of a step')
  }
  if (value > (token === undefined ? most : 0n)) throw mismatch('value of a step')
  if (moved > most) throw mismatch('allowance of a step')
}

/** The amount that a call of the token's contract gives to the bridge. */
function readTokenCall(items: readonly EthereumItem[], { data }: EthereumItem, token: string): bigint {
  const selector = data.slice(0, 10)
  const party = `0x${data.slice(34, 74)}`
  const isComplete = data.length >= 138 && /^0{24}$/.test(data.slice(10, 34))
  if (!isComplete || (selector !== APPROVE && selector !== TRANSFER)) throw mismatch('call of the token')
  // A spender that no step calls has no use for an allowance.
  const isCalled = items.some((item) => !isSame(item.to, token) && isSame(item.to, party))
  if (selector === APPROVE && (data.length !== 138 || !isCalled)) throw mismatch('spender of a step')
  return BigInt(`0x${data.slice(74, 138)}`)
}

/** An allowance among the steps: the spender, and the amount. */
export function readAllowance(
  { to, data }: EthereumItem,
  token: string | undefined,
): { readonly spender: string; readonly amount: bigint } | undefined {
  if (token === undefined || !isSame(to, token) || !data.startsWith(APPROVE)) return undefined
  return { spender: `0x${data.slice(34, 74)}`, amount: BigInt(`0x${data.slice(74, 138)}`) }
}

/** Kinds of actions that give power over accounts away, or take more than an amount. */
const allowedActions: ReadonlySet<string> = new Set([
  ...['transferSol', 'transferToken', 'createTokenAccount', 'prepareTokenAccount', 'computeBudget'],
  ...['memo', 'unknown'],
])

/**
 * Checks a transaction on Solana: by its actions, and by a trial run for those of programs that can't be read.
 * @param most the most that may leave the wallet, beside fee and rent
 * @throws KitError `provider_refused`
 */
export function assertSolanaMatches(
  { wallet, message, actions, rents }: Pick<PreparedTransaction, 'wallet' | 'message' | 'actions' | 'rents'>,
  simulation: Simulation,
  { token, most }: Pick<Limits, 'token' | 'most'>,
): void {
  if (message.payer !== wallet || message.signers.length !== 1) throw mismatch('signer of a step')
  for (const action of actions) {
    // An exchange wraps SOL in an account of the wallet's, which gets back what is left.
    const isUnwrapping =
      action.kind === 'closeAccount' && action.owner === wallet && action.destination === wallet
    if (!isUnwrapping && !allowedActions.has(action.kind)) throw mismatch('action of a step')
  }
  let lamports = 0n
  let tokens = 0n
  for (const action of actions) {
    if (action.kind === 'transferSol' && action.from === wallet) lamports += action.lamports
    if (action.kind === 'transferToken' && action.authority === wallet) {
      if (token === undefined || (action.mint !== undefined && action.mint !== token))
        throw mismatch('token of a step')
      tokens += action.amount
    }
  }
  if (lamports > (token === undefined ? most : 0n)) throw mismatch('value of a step')
  if (tokens > (token === undefined ? 0n : most)) throw mismatch('amount of a step')
  if (simulation.status === 'done') assertChanges(simulation.changes, { token, most, rents })
  // Without a run nobody knows what a program does that can't be read.
  else if (actions.some(({ kind }) => kind === 'unknown')) throw mismatch('program of a step')
}

function assertChanges(
  { out, allowances }: BalanceChanges,
  { token, most, rents }: { token: string | undefined; most: bigint; rents: ReadonlyMap<string, bigint> },
): void {
  if (allowances.length > 0) throw mismatch('allowance of a step')
  const rent = [...rents.values()].reduce((sum, each) => sum + each, 0n)
  for (const { mint, amount } of out) {
    const limit = mint === undefined ? rent + (token === undefined ? most : 0n) : mint === token ? most : 0n
    if (amount > limit) throw mismatch('amount of a step')
  }
}

const isAsset = (one: BridgeAsset, other: BridgeAsset): boolean =>
  one.chainId === other.chainId && isSame(one.address, other.address)

/** Letters of Ethereum's addresses have two cases, and those of Solana one each. */
const isSame = (one: string, other: string): boolean =>
  one.startsWith('0x') ? one.toLowerCase() === other.toLowerCase() : one === other

const mismatch = (what: string) =>
  new KitError('provider_refused', "The bridge's quote is not what was asked for", { details: what })
