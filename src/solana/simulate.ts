import { base64 } from '@scure/base'
import type { Clock } from '../lib/clock.ts'
import { NodeError, Unreachable } from '../lib/node-errors.ts'
import type { SolanaAction } from './actions.ts'
import { type Accounts, type BalanceChanges, diffAccounts } from './balance-changes.ts'
import { parseBase58Bytes } from './base58.ts'
import { decodeInstruction } from './decode.ts'
import { readFailure, readShortage, type Shortage, type TransactionFailure, withRaiser } from './failures.ts'
import type { DecodedMessage, DecodedTransaction, MessageAccount } from './message.ts'
import { readParsed } from './parsed.ts'
import {
  accountOf,
  getAccounts,
  inContext,
  listOf,
  natural,
  type QueryOptions,
  recordOf,
  slotOption,
  textOf,
  unreadable,
} from './queries.ts'
import { METHOD_NOT_FOUND, type RpcOptions, type SolanaRpc } from './rpc.ts'

/** What a transaction would do, as a node says. */
export type Simulation = SimulationDone | SimulationFailed | SimulationUnavailable
export interface SimulationDone extends Simulated {
  readonly status: 'done'
  /** Lamports and tokens that move, without the fee, and who may take what afterwards. */
  readonly changes: BalanceChanges
  readonly before: Accounts
  readonly after: Accounts
  /** Instructions that programs have made. */
  readonly inner: readonly SolanaAction[]
}
export interface SimulationFailed extends Simulated {
  readonly status: 'failed'
  readonly failure: TransactionFailure
  readonly shortage: Shortage | undefined
}
export interface SimulationUnavailable {
  readonly status: 'unavailable'
  /** `method`: no node offers simulations. */
  readonly reason: 'method' | 'refused' | 'network'
  readonly at: number
}
interface Simulated {
  readonly slot: bigint
  /** Milliseconds since the epoch: a simulation grows old. */
  readonly at: number
  readonly units: bigint
  readonly logs: readonly string[]
}

/** What a simulation has to know of a transaction; a prepared one says all of it. */
export interface SimulationRequest {
  readonly wallet: string
  readonly message: DecodedMessage
  readonly transaction: Pick<DecodedTransaction, 'bytes'>
  readonly actions: readonly SolanaAction[]
  readonly fee: { readonly total: bigint }
  /** The slot that a node has to have reached. */
  readonly slot?: bigint | undefined
  /** A run of the same transaction that has begun already. */
  readonly trial?: Promise<Trial> | undefined
}

/** A node's answer to a run, which is read once everything else of the transaction is known. */
export type Trial = TrialAnswer | SimulationUnavailable
interface TrialAnswer {
  readonly status: 'answered'
  readonly slot: bigint
  readonly at: number
  readonly value: unknown
  /** The accounts whose states after the run it has, in the same order. */
  readonly addresses: readonly string[]
  readonly before: Accounts
}
/** Accounts as a node has them, with the slot of its answer. */
export interface AccountStates {
  readonly slot: bigint
  readonly accounts: Accounts
}

/**
 * Runs a transaction on a node without sending it, and compares the accounts that it may write to before and after. Throws
 * nothing but the signal's reason.
 */
export async function simulate(
  cx: { rpc: SolanaRpc; clock: Clock },
  request: SimulationRequest,
  { signal }: RpcOptions = {},
): Promise<Simulation> {
  const { message, slot: minContextSlot, trial } = request
  const running =
    trial ??
    runTrial(cx, request, getAccounts(cx.rpc, knownIn(message), { signal }), { minContextSlot, signal })
  return readTrial(await running, request, cx.clock)
}

/** The addresses of the accounts that are known of a message. */
export const knownIn = ({ accounts }: Pick<DecodedMessage, 'accounts'>): string[] =>
  accounts.filter(({ isResolved }) => isResolved).map(({ address }) => address)

/**
 * Runs a transaction on a node while others may still be asked about it. The blockhash of these bytes doesn't matter: the node
 * takes one of its own. Throws nothing but the signal's reason.
 * @param states the known accounts of the message, which may be asked for at the same time
 */
export async function runTrial(
  { rpc, clock }: { rpc: SolanaRpc; clock: Clock },
  { message, transaction }: Pick<SimulationRequest, 'message' | 'transaction'>,
  states: AccountStates | Promise<AccountStates>,
  { minContextSlot, signal }: QueryOptions = {},
): Promise<Trial> {
  const addresses = knownIn({ accounts: message.accounts.filter((each) => each.writable) })
  const run = async (from: bigint | undefined) => {
    const config = {
      encoding: 'base64',
      commitment: 'confirmed',
      sigVerify: false,
      replaceRecentBlockhash: true,
      innerInstructions: true,
      accounts: { encoding: 'base64', addresses },
      ...slotOption(from),
    }
    const params = [base64.encode(transaction.bytes), config]
    return inContext(await rpc.ask('simulateTransaction', params, { signal }))
  }
  try {
    const [first, { slot: seen, accounts: before }] = await Promise.all([run(minContextSlot), states])
    // After a run on an older state, everything that has happened since would look as if the transaction undid it.
    const { slot, value } = first.slot < seen ? await run(seen) : first
    return { status: 'answered', slot, at: clock.now(), value, addresses, before }
  } catch (cause) {
    signal?.throwIfAborted()
    return withoutAnswer(cause, clock)
  }
}

/** Reads what a node has answered to the run of this very transaction. */
export function readTrial(
  trial: Trial,
  request: Omit<SimulationRequest, 'transaction'>,
  clock: Clock,
): Simulation {
  if (trial.status === 'unavailable') return trial
  try {
    return readAnswer(trial, request)
  } catch (cause) {
    return withoutAnswer(cause, clock)
  }
}

function readAnswer(
  { slot, at, value, addresses, before }: TrialAnswer,
  { wallet, message, actions, fee }: Omit<SimulationRequest, 'transaction'>,
): Simulation {
  const { err, logs, unitsConsumed, accounts, innerInstructions } = recordOf(value)
  const simulated: Simulated = {
    slot,
    at,
    units: unitsConsumed === undefined || unitsConsumed === null ? 0n : natural(unitsConsumed),
    logs: logs === null || logs === undefined ? [] : listOf(logs).map(textOf),
  }
  if (err !== null && err !== undefined) {
    const failure = readFailure(err, message)
    const shortage = readShortage(failure, simulated.logs, actions, message)
    return { ...simulated, status: 'failed', failure: withRaiser(failure, simulated.logs), shortage }
  }
  const states = listOf(accounts)
  if (states.length !== addresses.length) throw unreadable()
  const after = new Map(before)
  addresses.forEach((address, index) => {
    const state = accountOf(states[index])
    // The network removes an account that holds nothing.
    after.set(address, state && state.lamports > 0n ? state : undefined)
  })
  const inner = readInner(innerInstructions, message)
  const changes = diffAccounts(wallet, before, after, {
    fee: message.payer === wallet ? fee.total : 0n,
    isSpending: [...actions, ...inner].some((action) => isSpendingOf(wallet, action)),
  })
  return { ...simulated, status: 'done', changes, before, after, inner }
}

/** Whether an instruction takes lamports of the wallet. */
const isSpendingOf = (wallet: string, action: SolanaAction): boolean =>
  ('payer' in action && action.payer === wallet) || (action.kind === 'transferSol' && action.from === wallet)

function withoutAnswer(cause: unknown, clock: Clock): SimulationUnavailable {
  if (cause instanceof NodeError)
    return unavailable(cause.code === METHOD_NOT_FOUND ? 'method' : 'refused', clock)
  if (cause instanceof Unreachable) return unavailable('network', clock)
  throw cause
}

const unavailable = (reason: SimulationUnavailable['reason'], clock: Clock): SimulationUnavailable => ({
  status: 'unavailable',
  reason,
  at: clock.now(),
})

/** Instructions that programs have made. Nodes write them in one of three forms, of which the last says what it means. */
export function readInner(groups: unknown, message: DecodedMessage): readonly SolanaAction[] {
  if (groups === null || groups === undefined) return []
  return listOf(groups).flatMap((group) => {
    const { index, instructions } = recordOf(group)
    const at = Number(natural(index))
    return listOf(instructions).flatMap((each) => readOne(recordOf(each), at, message))
  })
}

function readOne(
  { programIdIndex, programId, accounts, data, parsed }: Readonly<Record<string, unknown>>,
  at: number,
  message: DecodedMessage,
): readonly SolanaAction[] {
  if (parsed !== undefined) {
    const program = textOf(programId)
    const detail = readParsed(program, parsed) ?? { kind: 'unknown' as const }
    return [{ ...detail, instruction: at, isInner: true, program, accounts: [], data: new Uint8Array() }]
  }
  const byNumber = (given: unknown) => {
    const found = message.accounts[Number(natural(given))]
    if (!found) throw unreadable()
    return found
  }
  const byAddress = (given: unknown): MessageAccount => {
    const address = textOf(given)
    const found = message.accounts.find((each) => each.address === address)
    return found ?? { address, isResolved: true, signer: false, writable: false }
  }
  const bytes = parseBase58Bytes(data)
  if (!bytes) throw unreadable()
  const instruction =
    programIdIndex === undefined
      ? { program: textOf(programId), accounts: listOf(accounts).map(byAddress), data: bytes }
      : { program: byNumber(programIdIndex).address, accounts: listOf(accounts).map(byNumber), data: bytes }
  return decodeInstruction(instruction, at, true)
}
