/** Checks that a quote of the bridge is what was asked for, before any of it is shown or signed. */
import { sha256 } from '@noble/hashes/sha2.js'
import { KitError } from '../../errors/kit-error.ts'
import { decodeCall } from '../../ethereum/call-decoder.ts'
import { exactDecoder } from '../../ethereum/exact-abi.ts'
import type { SimulationUnavailable } from '../../ethereum/simulate.ts'
import type { CallsSimulation } from '../../ethereum/simulate-calls.ts'
import type { BridgeDeposit } from '../../lib/bridge-deposits.ts'
import {
  type BridgeAsset,
  type BridgeQuote,
  type BridgeRequest,
  bridgeCoins,
  type EthereumItem,
} from '../../protocol/bridge.ts'
import type { BalanceChanges } from '../../solana/balance-changes.ts'
import type { PreparedTransaction } from '../../solana/prepare.ts'
import type { Simulation } from '../../solana/simulate.ts'
import type { Source } from './networks.ts'

export interface QuotedRequest {
  readonly request: BridgeRequest
  /** The asset that pays. */
  readonly source: Pick<Source, 'chainType' | 'decimals' | 'token'>
  /** Decimals of what arrives. */
  readonly decimals: number
  /** Where the bridge may take deposits. */
  readonly deposits: readonly BridgeDeposit[]
}

/**
 * Checks parties, networks, amounts, and each transaction on Ethereum's networks.
 * @returns the bridge's name of the quote
 * @throws KitError `provider_refused` for a quote of anything else
 */
export function assertQuoteMatches(
  { sender, recipient, pays, receives, steps }: BridgeQuote,
  { request, source, decimals, deposits }: QuotedRequest,
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
      { user, chainId: from.chainId, token: source.token, most: pays.amount, deposits },
    )
  return requestId
}

interface Limits {
  readonly user: string
  readonly chainId: number
  readonly token: string | undefined
  /** The most that may leave the wallet, of the coin or the token that pays. */
  readonly most: bigint
  readonly deposits: readonly BridgeDeposit[]
}

/** The name of a deposit that is sent and not called, in settings. */
const TRANSFER = 'transfer'
const APPROVE_SELECTOR = '0x095ea7b3'
const TRANSFER_SELECTOR = '0xa9059cbb'
/** Characters of a call with two arguments, and of bytes that are a request's id. */
const TWO_ARGUMENTS = 138
const ONE_WORD = 66

/** The details of an error where the network has no trial runs. */
export const NO_TRIAL = 'no trial run'

/** Places on one network, by its CAIP-2 name. */
export const depositsOn = (deposits: readonly BridgeDeposit[], network: string): readonly BridgeDeposit[] =>
  deposits.filter(({ chain }) => chain === network || (chain === undefined && network.startsWith('eip155:')))

/** Each step is a deposit at a listed place, or an allowance for one: what else contracts can do, nobody has to list. */
function assertEthereum(
  items: readonly EthereumItem[],
  { user, chainId, token, most, deposits }: Limits,
): void {
  const here = depositsOn(deposits, `eip155:${chainId}`)
  const functionsOf = (place: string) =>
    here.filter(({ address }) => isSame(address, place)).flatMap(({ functions }) => functions)
  const parties = [user, bridgeCoins.ethereum, ...(token === undefined ? [] : [token])]
  let value = 0n
  let moved = 0n
  for (const item of items) {
    if (!isSame(item.from, user)) throw mismatch('sender of a step')
    if (item.chainId !== chainId) throw mismatch('network of a step')
    value += item.value
    if (token === undefined || !isSame(item.to, token)) {
      assertDeposit(item, functionsOf(item.to), parties)
      continue
    }
    const { action, party, amount } = readTokenCall(item)
    const functions = functionsOf(party)
    if (action === 'approve' && functions.length === 0) throw mismatch('spender of a step')
    if (action === 'transfer' && !functions.includes(TRANSFER)) throw mismatch('recipient of a step')
    moved += amount
  }
  if (value > (token === undefined ? most : 0n)) throw mismatch('value of a step')
  if (moved > most) throw mismatch('allowance of a step')
}

/** @param parties addresses that a call may name */
function assertDeposit(
  { data }: EthereumItem,
  functions: readonly string[],
  parties: readonly string[],
): void {
  if (functions.length === 0) throw mismatch('target of a step')
  // A request's id beside coins.
  if (functions.includes(TRANSFER) && (data === '0x' || data.length === ONE_WORD)) return
  const call = exactDecoder(functions.filter((each) => each !== TRANSFER).map((each) => `function ${each}`))(
    data,
  )
  if (!call) throw mismatch('function of a step')
  const addresses = call.args.flat(8).filter((each) => typeof each === 'string' && each.length === 42)
  if (!addresses.every((each) => parties.some((party) => isSame(party, String(each)))))
    throw mismatch('party of a step')
}

/** The allowance or transfer that a call of the token's contract is. A transfer may have the bridge's own bytes behind it. */
function readTokenCall({ to, data }: EthereumItem): {
  readonly action: 'approve' | 'transfer'
  readonly party: string
  readonly amount: bigint
} {
  const isTransfer = data.startsWith(TRANSFER_SELECTOR)
  const call = decodeCall(isTransfer ? data.slice(0, TWO_ARGUMENTS) : data, to)
  const amount = call?.amount ?? call?.amountOrToken
  if (call?.party === undefined || amount === undefined) throw mismatch('call of the token')
  if (isTransfer) return { action: 'transfer', party: call.party, amount }
  if (data.startsWith(APPROVE_SELECTOR)) return { action: 'approve', party: call.party, amount }
  throw mismatch('call of the token')
}

/** An allowance among the steps: the spender, and the amount. */
export function readAllowance(
  item: EthereumItem,
  token: string | undefined,
): { readonly spender: string; readonly amount: bigint } | undefined {
  if (token === undefined || !isSame(item.to, token)) return undefined
  const { action, party, amount } = readTokenCall(item)
  return action === 'approve' ? { spender: party, amount } : undefined
}

/**
 * Checks what a trial run of steps on Ethereum's networks has left behind: at most the amount that was shown, of the asset that pays, and no
 * power but an allowance of at most so much for a listed place.
 * @throws KitError `provider_refused`, also where the trial run doesn't tell everything
 */
export function assertTrialMatches(
  trial: CallsSimulation | SimulationUnavailable,
  { token, most, deposits }: Pick<Limits, 'token' | 'most' | 'deposits'>,
): void {
  if (trial.outcome !== 'simulated') throw mismatch(NO_TRIAL)
  let left = 0n
  for (const { status, isComplete, leaves, allowances, roles } of trial.calls) {
    if (status !== 'success' || !isComplete) throw mismatch('trial run of a step')
    if (roles.length > 0) throw mismatch('power of a step')
    for (const { kind, spender, amount, isPermit2, token: of } of allowances) {
      if (amount === 0n) continue
      const isPaid = kind === 'amount' && !isPermit2 && token !== undefined && isSame(of, token)
      const isListed = deposits.some(({ address }) => isSame(address, spender))
      if (!isPaid || !isListed || amount > most) throw mismatch('allowance of a step')
    }
    for (const { id, amount, token: of } of leaves) {
      const isPaid =
        id === undefined && (token === undefined || of === undefined ? of === token : isSame(of, token))
      if (!isPaid) throw mismatch('asset of a step')
      left += amount
    }
  }
  if (left > most) throw mismatch('amount of a step')
}

/** Kinds of actions that give power over accounts away, or take more than an amount. */
const allowedActions: ReadonlySet<string> = new Set([
  ...['transferSol', 'transferToken', 'createTokenAccount', 'prepareTokenAccount', 'computeBudget'],
  ...['memo', 'unknown'],
])

/** The bytes by which a program that was made with Anchor knows its instructions. */
const discriminator = (name: string): Uint8Array =>
  sha256(new TextEncoder().encode(`global:${name}`)).subarray(0, 8)

/** A deposit with a listed program: what else programs can do, nobody has to list. */
function assertProgram(
  { program, data }: { readonly program: string; readonly data: Uint8Array },
  deposits: readonly BridgeDeposit[],
): void {
  const listed = deposits.filter(({ address }) => address === program)
  if (listed.length === 0) throw mismatch('program of a step')
  const isListed = listed
    .flatMap(({ functions }) => functions)
    .some((name) => discriminator(name).every((byte, at) => data[at] === byte))
  if (!isListed) throw mismatch('function of a step')
}

/**
 * Checks a transaction on Solana: by its actions, of which those that can't be read have to be deposits with listed programs, and by a trial run.
 * @param most the most that may leave the wallet, beside fee and rent
 * @param deposits programs of Solana's main network
 * @throws KitError `provider_refused`, also where the trial run doesn't tell everything
 */
export function assertSolanaMatches(
  { wallet, message, actions, rents }: Pick<PreparedTransaction, 'wallet' | 'message' | 'actions' | 'rents'>,
  simulation: Simulation,
  { token, most, deposits }: Pick<Limits, 'token' | 'most' | 'deposits'>,
): void {
  if (message.payer !== wallet || message.signers.length !== 1) throw mismatch('signer of a step')
  for (const action of actions) {
    // An exchange wraps SOL in an account of the wallet's, which gets back what is left.
    const isUnwrapping =
      action.kind === 'closeAccount' && action.owner === wallet && action.destination === wallet
    if (!isUnwrapping && !allowedActions.has(action.kind)) throw mismatch('action of a step')
    if (action.kind === 'unknown') assertProgram(action, deposits)
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
  if (simulation.status !== 'done') throw mismatch(NO_TRIAL)
  // A run says nothing of accounts that nobody could name.
  if (message.accounts.some(({ isResolved }) => !isResolved)) throw mismatch('account of a step')
  assertChanges(simulation.changes, { token, most, rents })
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
