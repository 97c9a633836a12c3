import type { Clock } from '../lib/clock.ts'
import { InvalidRequest } from '../lib/invalid-request.ts'
import { NodeError, Unreachable } from '../lib/node-errors.ts'
import type { SolanaAction } from './actions.ts'
import type { Accounts } from './balance-changes.ts'
import {
  budgetOf,
  differsInBudgetOnly,
  isNonceAdvance,
  isOpenToBudget,
  limitWithBudget,
  type PriorityChoice,
  type PrioritySpeed,
  priceFor,
  priceOf,
  prioritiesOf,
  withBlockhash,
  withBudget,
} from './budget.ts'
import { decodeActions } from './decode.ts'
import { type NetworkFee, type NewAccount, networkFee, newAccounts } from './fees.ts'
import { fetchLookups } from './lookup-tables.ts'
import {
  type DecodedMessage,
  type DecodedTransaction,
  decodeMessage,
  decodeTransaction,
  encodeTransaction,
} from './message.ts'
import {
  getAccounts,
  getBalance,
  getFee,
  getLatestBlockhash,
  getMinimumBalance,
  getPriorityFees,
} from './queries.ts'
import type { RpcOptions, SolanaRpc } from './rpc.ts'
import { knownIn, readTrial, runTrial, type Simulation, type Trial } from './simulate.ts'
import { withTokenFigures } from './token-figures.ts'
import { readSolanaTokens, type SplToken } from './token-metadata.ts'
import { readTokenAccount, withTokenFacts } from './token-state.ts'

/** A transaction that asks for the signature of one wallet. */
export interface SolanaRequest {
  readonly wallet: string
  readonly transaction: DecodedTransaction
}
/** A transaction that is ready to be reviewed and signed: what is signed are exactly these bytes. */
export interface PreparedTransaction extends SolanaRequest {
  /** With the accounts of lookup tables resolved. */
  readonly message: DecodedMessage
  readonly actions: readonly SolanaAction[]
  /** The accounts of the message, and the mints of its tokens, as a node has them. */
  readonly accounts: Accounts
  /** The slot at which the accounts of the message were so. */
  readonly slot: bigint
  readonly fee: NetworkFee
  /** The accounts that the wallet pays for, with the lamports that each takes. */
  readonly rents: ReadonlyMap<string, bigint>
  readonly balance: bigint
  /** The lamports that an account without data has to keep. */
  readonly minimum: bigint
  readonly life: TransactionLife
  /** Whether a limit and a price were added, which the app had not asked for. */
  readonly hasOwnBudget: boolean
  /** Priority fee of each level, in lamports; `undefined` where the wallet may add none. */
  readonly priorities?: Readonly<Record<PrioritySpeed, bigint>> | undefined
  /** The limit of computation with which those are reckoned. */
  readonly unitLimit?: bigint | undefined
  /** The tokens that it is about, by their mints, as a node describes them. */
  readonly tokens: Readonly<Record<string, SplToken>>
  /** Its run on a node, which has begun with the preparation if it is reviewed. */
  readonly trial?: Promise<Trial> | undefined
}
/** Until when a transaction can land. */
export type TransactionLife =
  /** The block height after which it can't. */
  | { readonly kind: 'blockhash'; readonly lastValidBlockHeight: bigint }
  /** As long as the account of the nonce holds this value. */
  | { readonly kind: 'nonce'; readonly account: string; readonly value: string }

export interface PrepareOptions extends RpcOptions {
  /** Whether the wallet may fill in a blockhash and add a priority fee; `false` where the app wants its own bytes signed. */
  readonly mayChange: boolean
  /** The priority fee, where the wallet may add one; `usual` by default. */
  readonly priority?: PriorityChoice | undefined
  /** Names priority fees to choose from even where nothing is changed; not by default. */
  readonly offersPriorities?: boolean | undefined
  /** Whether it is run as well, for a review; not by default. */
  readonly isReviewed?: boolean | undefined
}

/** An app leaves the blockhash to the wallet. */
export const NO_BLOCKHASH = '11111111111111111111111111111111'

/**
 * Reads a transaction strictly. Throws an {@link InvalidRequest} if it can't be read, or needs no signature of the wallet.
 */
export function parseRequest(bytes: Uint8Array, wallet: string): SolanaRequest {
  const transaction = decodeTransaction(bytes)
  if (!transaction.message.signers.includes(wallet))
    throw new InvalidRequest(`Transaction does not contain public key ${wallet}`)
  return { wallet, transaction }
}

/**
 * Asks the nodes for all that a review needs: in one round, as far as no question needs the answer to another. Accounts of lookup tables,
 * tokens that only accounts name, and a transaction that the wallet changes take one more each. Throws an {@link InvalidRequest}, a
 * {@link NodeError} or {@link Unreachable} for what nothing can be said without, or the signal's reason.
 */
export async function prepare(
  cx: { rpc: SolanaRpc; clock: Clock },
  { wallet, transaction: given }: SolanaRequest,
  { mayChange, priority = 'usual', offersPriorities = false, isReviewed = false, signal }: PrepareOptions,
): Promise<PreparedTransaction> {
  const { rpc } = cx
  const options = { signal }
  const needsBlockhash = given.message.blockhash === NO_BLOCKHASH
  if (needsBlockhash && (!mayChange || given.signatures.some(Boolean)))
    throw new InvalidRequest('Transaction recentBlockhash required')
  const [latest, balance, minimum, ownFee, { resolved, isOpen, trial, known, named, sizes, recent, first }] =
    await Promise.all([
      getLatestBlockhash(rpc, options),
      getBalance(rpc, wallet, options),
      getMinimumBalance(rpc, 0, options),
      needsBlockhash ? undefined : orNothing(getFee(rpc, given.message.bytes, options), signal),
      inspect(cx, wallet, given, { mayChange, offersPriorities, isReviewed, signal }),
    ])
  let transaction = given
  let message = resolved
  const replace = (bytes: Uint8Array) => {
    transaction = decodeTransaction(bytes)
    message = withAccountsOf(transaction.message, message)
  }
  if (needsBlockhash) replace(withBlockhash(transaction, latest.blockhash))
  const limit = recent && limitOf(resolved, first)
  const added =
    isOpen && recent && limit !== undefined ? addBudget(transaction, { limit, recent, priority }) : undefined
  if (added?.bytes) replace(added.bytes)

  const bare = withTokenFacts(decodeActions(message), known.accounts)
  const late = mintsOf(bare, known.accounts).filter((mint) => !named.mints.includes(mint))
  const reviewed = isReviewed
    ? // Another blockhash makes no other run, but a budget does.
      added?.bytes
      ? runTrial(cx, { message, transaction }, known, { minContextSlot: known.slot, signal })
      : trial
    : undefined
  // It is waited for by whoever reviews it, who may be gone by then.
  reviewed?.catch(() => {})
  const figures = named.tokens ?? {}
  const larger = sizesOf(newAccounts(bare, wallet, figures)).filter((size) => !sizes.has(size))
  const [accounts, tokens, answer, more] = await Promise.all([
    withMissing(rpc, known.accounts, late, options),
    orNothing(readSolanaTokens(rpc, late.slice(0, MOST_TOKENS - named.mints.length), options), signal),
    transaction === given ? ownFee : orNothing(getFee(rpc, transaction.message.bytes, options), signal),
    rentPrices(rpc, larger, options),
  ])
  const all = { ...named.tokens, ...tokens }
  const actions = withTokenFigures(withTokenFacts(bare, accounts), all)
  return {
    wallet,
    transaction,
    message,
    actions,
    accounts,
    slot: known.slot,
    fee: networkFee(message, actions, answer),
    rents: rentsOf(newAccounts(actions, wallet, figures), accounts, new Map([...sizes, ...more])),
    balance,
    minimum,
    life: lifeOf(message, latest.lastValidBlockHeight),
    hasOwnBudget: added?.bytes !== undefined,
    ...(recent && limit !== undefined && { priorities: prioritiesOf(recent, limit), unitLimit: limit }),
    tokens: all,
    ...(reviewed && { trial: reviewed }),
  }
}

/** Asks for what depends on nothing but the accounts of a transaction. Those of lookup tables have to be looked up first. */
async function inspect(
  cx: { rpc: SolanaRpc; clock: Clock },
  wallet: string,
  transaction: DecodedTransaction,
  {
    mayChange,
    offersPriorities,
    isReviewed,
    signal,
  }: Pick<PrepareOptions, 'mayChange' | 'offersPriorities' | 'isReviewed' | 'signal'>,
) {
  const { rpc } = cx
  const options = { signal }
  const resolved = await fetchLookups(rpc, transaction.message, options)
  const actions = decodeActions(resolved)
  const isOpen = mayChange && isOpenToBudget({ ...transaction, message: resolved })
  const isOffered = isOpen || (offersPriorities === true && resolved.signers.length === 1)
  const needsRun = isOffered && budgetOf(actions).limit === undefined
  const writable = resolved.accounts.filter((each) => each.writable).map(({ address }) => address)
  const states = getAccounts(rpc, knownIn(resolved), options)
  const trial =
    needsRun || isReviewed ? runTrial(cx, { message: resolved, transaction }, states, options) : undefined
  trial?.catch(() => {})
  const mints = mintsOf(actions, new Map()).slice(0, MOST_TOKENS)
  const [known, tokens, sizes, recent, first] = await Promise.all([
    states,
    orNothing(readSolanaTokens(rpc, mints, options), signal),
    rentPrices(rpc, sizesOf(newAccounts(actions, wallet)), options),
    isOffered ? orNothing(getPriorityFees(rpc, writable, options), signal) : undefined,
    // It says nothing else that the rest depends on.
    needsRun ? trial : undefined,
  ])
  const simulated =
    first && readTrial(first, { wallet, message: resolved, actions: [], fee: { total: 0n } }, cx.clock)
  return { resolved, isOpen, trial, known, named: { mints, tokens }, sizes, recent, first: simulated }
}

/** The mints that actions name, and those of accounts of tokens. */
const mintsOf = (actions: readonly SolanaAction[], accounts: Accounts): readonly string[] => [
  ...new Set([
    ...actions.flatMap((action) => ('mint' in action && action.mint !== undefined ? [action.mint] : [])),
    ...[...accounts.values()].flatMap((account) => readTokenAccount(account)?.mint ?? []),
  ]),
]
/** Tokens whose names one preparation asks for. */
const MOST_TOKENS = 20

/** The accounts, with those that are not among them yet. */
async function withMissing(
  rpc: SolanaRpc,
  accounts: Accounts,
  addresses: readonly string[],
  options: RpcOptions,
): Promise<Accounts> {
  const missing = addresses.filter((address) => !accounts.has(address))
  if (missing.length === 0) return accounts
  return new Map([...accounts, ...(await getAccounts(rpc, missing, options)).accounts])
}
/** The transaction with a limit and a price out of recent fees, where there is a reason for one. */
function addBudget(
  transaction: DecodedTransaction,
  { limit, recent, priority }: { limit: bigint; recent: readonly bigint[]; priority: PriorityChoice },
): { readonly bytes: Uint8Array | undefined } {
  const price = typeof priority === 'bigint' ? priceOf(priority, limit) : priceFor(recent, limit, priority)
  return { bytes: price === 0n ? undefined : withBudget(transaction, { limit, price }) }
}

/** The limit that a message sets, or one out of its simulation. */
function limitOf(message: DecodedMessage, simulated: Simulation | undefined): bigint | undefined {
  const { limit } = budgetOf(decodeActions(message))
  if (limit !== undefined) return limit
  return simulated?.status === 'done' && simulated.units > 0n ? limitWithBudget(simulated.units) : undefined
}

/**
 * The prepared transaction, with the message that was signed in place of its own. Throws an {@link InvalidRequest} if more than the
 * priority fee differs.
 */
export function withSignedMessage(prepared: PreparedTransaction, bytes: Uint8Array): PreparedTransaction {
  if (!differsInBudgetOnly(prepared.message, decodeMessage(bytes)))
    throw new InvalidRequest('The signed transaction does something else than the reviewed one')
  const signatures = decodeMessage(bytes).signers.map(() => undefined)
  const transaction = decodeTransaction(encodeTransaction(bytes, signatures))
  const message = withAccountsOf(transaction.message, prepared.message)
  const actions = withTokenFigures(withTokenFacts(decodeActions(message), prepared.accounts), prepared.tokens)
  const fee = networkFee(message, actions, undefined)
  return { ...prepared, transaction, message, actions, fee, hasOwnBudget: true, trial: undefined }
}

/** A message that was built out of another one, with the accounts that were resolved for that one. */
function withAccountsOf(message: DecodedMessage, resolved: DecodedMessage): DecodedMessage {
  if (message.lookups.length === 0) return message
  const known = resolved.accounts.slice(-lookedUpIn(message))
  const first = message.accounts.length - known.length
  const places = new Map(message.accounts.slice(first).map((account, at) => [account, known[at] ?? account]))
  const resolve = (account: DecodedMessage['accounts'][number]) => places.get(account) ?? account
  return {
    ...message,
    accounts: message.accounts.map(resolve),
    instructions: message.instructions.map((each) => ({ ...each, accounts: each.accounts.map(resolve) })),
  }
}
const lookedUpIn = ({ lookups }: DecodedMessage) =>
  lookups.reduce((sum, { writable, readonly }) => sum + writable.length + readonly.length, 0)

/** The lamports that new accounts of each size have to hold. */
async function rentPrices(
  rpc: SolanaRpc,
  sizes: readonly number[],
  options: RpcOptions,
): Promise<ReadonlyMap<number, bigint>> {
  return new Map(
    await Promise.all(
      sizes.map(async (size) => [size, await getMinimumBalance(rpc, size, options)] as const),
    ),
  )
}

const sizesOf = (created: readonly NewAccount[]): readonly number[] => [
  ...new Set(created.flatMap(({ size }) => size ?? [])),
]

function rentsOf(
  opened: readonly NewAccount[],
  accounts: Accounts,
  prices: ReadonlyMap<number, bigint>,
): ReadonlyMap<string, bigint> {
  const created = opened.filter(({ account, isIdempotent }) => !(isIdempotent && accounts.get(account)))
  return new Map(
    created.map(({ account, lamports, size }) => [account, lamports ?? prices.get(size ?? 0) ?? 0n]),
  )
}

/** A blockhash of the app's own is at most as young as the latest one. */
export function lifeOf(message: DecodedMessage, lastValidBlockHeight: bigint): TransactionLife {
  const [first] = message.instructions
  const account = isNonceAdvance(message) ? first?.accounts[0]?.address : undefined
  return account === undefined
    ? { kind: 'blockhash', lastValidBlockHeight }
    : { kind: 'nonce', account, value: message.blockhash }
}

/** The answer to a question that a review can do without. */
async function orNothing<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  try {
    return await answer
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof NodeError || cause instanceof Unreachable) return undefined
    throw cause
  }
}
