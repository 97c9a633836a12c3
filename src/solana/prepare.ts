import type { Clock } from '../lib/clock.ts'
import { InvalidRequest } from '../lib/invalid-request.ts'
import { NodeError, Unreachable } from '../lib/node-errors.ts'
import type { SolanaAction } from './actions.ts'
import type { Accounts } from './balance-changes.ts'
import {
  isNonceAdvance,
  isOpenToBudget,
  lamportsFor,
  limitFor,
  type PriorityChoice,
  type PrioritySpeed,
  priceFor,
  priceOf,
  withBlockhash,
  withBudget,
} from './budget.ts'
import { decodeActions } from './decode.ts'
import { type NetworkFee, networkFee, newAccounts } from './fees.ts'
import { fetchLookups } from './lookup-tables.ts'
import { type DecodedMessage, type DecodedTransaction, decodeTransaction } from './message.ts'
import { COMPUTE_BUDGET_PROGRAM } from './programs/compute-budget.ts'
import {
  getAccounts,
  getBalance,
  getFee,
  getLatestBlockhash,
  getMinimumBalance,
  getPriorityFees,
} from './queries.ts'
import type { RpcOptions, SolanaRpc } from './rpc.ts'
import { simulate } from './simulate.ts'
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
  readonly fee: NetworkFee
  /** The accounts that the wallet pays for, with the lamports that each takes. */
  readonly rents: ReadonlyMap<string, bigint>
  readonly balance: bigint
  /** The lamports that an account without data has to keep. */
  readonly minimum: bigint
  readonly life: TransactionLife
  /** Whether a limit and a price were added, which the app had not asked for. */
  readonly hasOwnBudget: boolean
  /** What each level adds for priority, in lamports; `undefined` where the wallet may add nothing. */
  readonly priorities?: Readonly<Record<PrioritySpeed, bigint>> | undefined
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
  /** What is added for priority, where the wallet may add it; `usual` by default. */
  readonly priority?: PriorityChoice | undefined
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
 * Asks the nodes for all that a review needs. Throws an {@link InvalidRequest}, a {@link NodeError} or {@link Unreachable}
 * for what nothing can be said without, or the signal's reason.
 */
export async function prepare(
  cx: { rpc: SolanaRpc; clock: Clock },
  { wallet, transaction: given }: SolanaRequest,
  { mayChange, priority = 'usual', signal }: PrepareOptions,
): Promise<PreparedTransaction> {
  const { rpc } = cx
  const options = { signal }
  const needsBlockhash = given.message.blockhash === NO_BLOCKHASH
  // Whatever does not wait for another answer is asked at once.
  const [latest, balance, minimum, resolved, known, ownFee] = await Promise.all([
    getLatestBlockhash(rpc, options),
    getBalance(rpc, wallet, options),
    getMinimumBalance(rpc, 0, options),
    fetchLookups(rpc, given.message, options),
    getAccounts(rpc, resolvedIn(given.message), options),
    needsBlockhash ? undefined : orNothing(getFee(rpc, given.message.bytes, options), signal),
  ])
  let transaction = given
  let message = resolved
  const replace = (bytes: Uint8Array) => {
    transaction = decodeTransaction(bytes)
    message = withAccountsOf(transaction.message, message)
  }
  if (needsBlockhash) {
    if (!mayChange || given.signatures.some(Boolean))
      throw new InvalidRequest('Transaction recentBlockhash required')
    replace(withBlockhash(transaction, latest.blockhash))
  }

  let hasOwnBudget = false
  let priorities: PreparedTransaction['priorities']
  if (mayChange && isOpenToBudget({ ...transaction, message })) {
    const added = await withPriority(cx, wallet, transaction, { message, priority, signal })
    if (added?.bytes) replace(added.bytes)
    hasOwnBudget = added?.bytes !== undefined
    priorities = added?.priorities
  }

  const fetched = await withMissing(rpc, known.accounts, resolvedIn(message), options)
  const bare = withTokenFacts(decodeActions(message), fetched)
  const mints = [
    ...bare.flatMap((action) => ('mint' in action && action.mint !== undefined ? [action.mint] : [])),
    ...[...fetched.values()].flatMap((account) => readTokenAccount(account)?.mint ?? []),
  ]
  const accounts = await withMissing(rpc, fetched, mints, options)
  const actions = withTokenFacts(bare, accounts)
  const [answer, rents] = await Promise.all([
    transaction === given ? ownFee : orNothing(getFee(rpc, transaction.message.bytes, options), signal),
    rentsOf(rpc, actions, wallet, accounts, signal),
  ])
  return {
    wallet,
    transaction,
    message,
    actions,
    accounts,
    fee: networkFee(message, actions, answer),
    rents,
    balance,
    minimum,
    life: lifeOf(message, latest.lastValidBlockHeight),
    hasOwnBudget,
    priorities,
  }
}

const resolvedIn = ({ accounts }: DecodedMessage) =>
  accounts.filter(({ isResolved }) => isResolved).map(({ address }) => address)

/** The accounts, with those that are not among them yet. Of the one that comes with a limit nothing has to be known. */
async function withMissing(
  rpc: SolanaRpc,
  accounts: Accounts,
  addresses: readonly string[],
  options: RpcOptions,
): Promise<Accounts> {
  const missing = [...new Set(addresses)].filter(
    (address) => !accounts.has(address) && address !== COMPUTE_BUDGET_PROGRAM,
  )
  if (missing.length === 0) return accounts
  return new Map([...accounts, ...(await getAccounts(rpc, missing, options)).accounts])
}
/** The transaction with a limit out of a simulation and a price out of recent fees, where there is a reason for one. */
async function withPriority(
  cx: { rpc: SolanaRpc; clock: Clock },
  wallet: string,
  transaction: DecodedTransaction,
  {
    message,
    priority,
    signal,
  }: { message: DecodedMessage; priority: PriorityChoice; signal: AbortSignal | undefined },
): Promise<
  | { readonly bytes: Uint8Array | undefined; readonly priorities: PreparedTransaction['priorities'] }
  | undefined
> {
  const writable = message.accounts.filter((each) => each.writable).map(({ address }) => address)
  const [simulated, recent] = await Promise.all([
    simulate(cx, { wallet, message, transaction, actions: [], fee: { total: 0n } }, { signal }),
    orNothing(getPriorityFees(cx.rpc, writable, { signal }), signal),
  ])
  if (simulated.status !== 'done' || simulated.units === 0n || !recent) return undefined
  // The two instructions that are added compute as well.
  const limit = limitFor(simulated.units + BUDGET_UNITS)
  const levelOf = (speed: PrioritySpeed) => lamportsFor(priceFor(recent, limit, speed), limit)
  const price = typeof priority === 'bigint' ? priceOf(priority, limit) : priceFor(recent, limit, priority)
  return {
    bytes: price === 0n ? undefined : withBudget(transaction, { limit, price }),
    priorities: { slow: levelOf('slow'), usual: levelOf('usual'), fast: levelOf('fast') },
  }
}
const BUDGET_UNITS = 300n

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

async function rentsOf(
  rpc: SolanaRpc,
  actions: readonly SolanaAction[],
  wallet: string,
  accounts: Accounts,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, bigint>> {
  const created = newAccounts(actions, wallet).filter(
    ({ account, isIdempotent }) => !(isIdempotent && accounts.get(account)),
  )
  const sizes = new Set(created.flatMap(({ size }) => size ?? []))
  const prices = new Map(
    await Promise.all(
      [...sizes].map(async (size) => [size, await getMinimumBalance(rpc, size, { signal })] as const),
    ),
  )
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
