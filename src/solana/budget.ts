/** Limits of computation and priority fees, and messages to which they are added. */
import {
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
} from '@solana/kit'
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import type { SolanaAction } from './actions.ts'
import { decodeActions } from './decode.ts'
import {
  type DecodedMessage,
  type DecodedTransaction,
  decodeTransaction,
  encodeTransaction,
  MAX_TRANSACTION_SIZE,
  type MessageAccount,
} from './message.ts'
import { COMPUTE_BUDGET_PROGRAM } from './programs/compute-budget.ts'
import { SYSTEM_PROGRAM } from './programs/system.ts'

/** Compute units of an instruction where the transaction sets no limit, and of a whole transaction at most. */
const UNITS_PER_INSTRUCTION = 200_000n
/** The same of an instruction that only sets a budget, as of all programs of the network's own: SIMD-0170. */
const UNITS_PER_BUDGET = 3_000n
export const MOST_UNITS = 1_400_000n
/** A price counts millionths of a lamport. */
const PRICE_UNIT = 1_000_000n
/** The most that we add to a transaction for priority, in lamports. */
export const MOST_PRIORITY = 200_000n
/** What of all recent prices a transaction offers, in parts of a hundred: usually three of four waited for less. */
const percentiles = { usual: 75, fast: 95 } as const
/** `slow`: nothing for priority. */
export type PrioritySpeed = 'slow' | keyof typeof percentiles
/** A level, or lamports of the user's own. */
export type PriorityChoice = PrioritySpeed | bigint
/** Lets a program read the transaction's other instructions by their numbers. */
const INSTRUCTIONS_SYSVAR = 'Sysvar1nstructions1111111111111111111111111'
/** Programs that verify signatures, and name the data of other instructions by number. */
export const VERIFIERS: readonly string[] = [
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]

export interface Budget {
  /** Of all limits that the transaction sets, the greatest; the network refuses more than one. */
  readonly limit: bigint | undefined
  /** In micro-lamports for each unit. */
  readonly price: bigint | undefined
}

export function budgetOf(actions: readonly SolanaAction[]): Budget {
  const most = (setting: 'unitLimit' | 'unitPrice') =>
    actions.reduce<bigint | undefined>(
      (best, action) =>
        action.kind === 'computeBudget' &&
        action.setting === setting &&
        (best === undefined || action.value > best)
          ? action.value
          : best,
      undefined,
    )
  return { limit: most('unitLimit'), price: most('unitPrice') }
}

/** The most that a transaction pays for priority, in lamports: the price of all that it may compute. */
export function priorityFee({ limit, price }: Budget, actions: readonly SolanaAction[]): bigint {
  const places = (isBudget: boolean) =>
    new Set(
      actions
        .filter(({ program }) => (program === COMPUTE_BUDGET_PROGRAM) === isBudget)
        .map((each) => each.instruction),
    ).size
  const usual = UNITS_PER_INSTRUCTION * BigInt(places(false)) + UNITS_PER_BUDGET * BigInt(places(true))
  const asked = limit ?? usual
  const units = asked < MOST_UNITS ? asked : MOST_UNITS
  return ((price ?? 0n) * units + PRICE_UNIT - 1n) / PRICE_UNIT
}

/** A tenth more than a simulation has used: the state may have changed by the time the transaction runs. */
export function limitFor(used: bigint): bigint {
  const limit = (used * 11n + 9n) / 10n
  return limit < MOST_UNITS ? limit : MOST_UNITS
}

/** A price out of what others have paid of late; never so high that more than {@link MOST_PRIORITY} is added. */
export function priceFor(recent: readonly bigint[], limit: bigint, speed: PrioritySpeed = 'usual'): bigint {
  if (speed === 'slow') return 0n
  const sorted = [...recent].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0))
  const price =
    sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percentiles[speed]) / 100))] ?? 0n
  const most = (MOST_PRIORITY * PRICE_UNIT) / (limit > 0n ? limit : 1n)
  return price < most ? price : most
}

/** The price that takes no more than these lamports. */
export const priceOf = (lamports: bigint, limit: bigint): bigint =>
  limit === 0n ? 0n : (lamports * PRICE_UNIT) / limit

/** Priority fees of each level, in lamports, out of what others have paid of late. */
export const prioritiesOf = (
  recent: readonly bigint[],
  limit: bigint,
): Readonly<Record<PrioritySpeed, bigint>> => {
  const levelOf = (speed: PrioritySpeed) => lamportsFor(priceFor(recent, limit, speed), limit)
  return { slow: levelOf('slow'), usual: levelOf('usual'), fast: levelOf('fast') }
}

/** The limit of a transaction that has used this much in a simulation, once a limit and a price are added to it. */
export const limitWithBudget = (used: bigint): bigint => limitFor(used + BUDGET_UNITS)
/** Computing units of the two instructions that are added. */
const BUDGET_UNITS = 300n

/** The lamports that a price takes. */
export const lamportsFor = (price: bigint, limit: bigint): bigint =>
  (price * limit + PRICE_UNIT - 1n) / PRICE_UNIT

/**
 * Whether a limit and a price may be added: the app has set none, nobody has signed, nobody else is to sign, and no
 * instruction names another one by its number.
 */
export function isOpenToBudget({ message, signatures }: DecodedTransaction): boolean {
  const { instructions, accounts, signers } = message
  return (
    signers.length === 1 &&
    signatures.every((signature) => signature === undefined) &&
    instructions.every(({ program }) => program !== COMPUTE_BUDGET_PROGRAM && !VERIFIERS.includes(program)) &&
    accounts.every(({ address, isResolved }) => isResolved && address !== INSTRUCTIONS_SYSVAR)
  )
}

type Compiled = Extract<CompiledTransactionMessage, { version: 'legacy' | 0 }> &
  CompiledTransactionMessageWithLifetime

/** The unsigned transaction with another blockhash. */
export function withBlockhash({ message }: DecodedTransaction, blockhash: string): Uint8Array {
  const compiled = getCompiledTransactionMessageDecoder().decode(message.bytes) as Compiled
  return unsigned({ ...compiled, lifetimeToken: blockhash })
}

/**
 * The unsigned transaction with a limit and a price; `undefined` if it would no longer fit into a packet. An instruction
 * that advances a nonce stays the first one.
 */
export function withBudget(
  { message }: DecodedTransaction,
  { limit, price }: { limit: bigint; price: bigint },
): Uint8Array | undefined {
  const compiled = getCompiledTransactionMessageDecoder().decode(message.bytes) as Compiled
  const { staticAccounts, header } = compiled
  const program = staticAccounts.length
  // The program is one more account that is only read. Those of lookup tables are counted after it.
  const shift = (index: number) => (index >= program ? index + 1 : index)
  const moved = compiled.instructions.map((each) => ({
    ...each,
    ...(each.accountIndices && { accountIndices: each.accountIndices.map(shift) }),
  }))
  const added = [
    getSetComputeUnitLimitInstruction({ units: Number(limit) }).data,
    getSetComputeUnitPriceInstruction({ microLamports: price }).data,
  ].map((data) => ({ programAddressIndex: program, data }))
  const isNonce = isNonceAdvance(message)
  const bytes = unsigned({
    ...compiled,
    header: { ...header, numReadonlyNonSignerAccounts: header.numReadonlyNonSignerAccounts + 1 },
    staticAccounts: [...staticAccounts, COMPUTE_BUDGET_PROGRAM as (typeof staticAccounts)[number]],
    instructions: [...moved.slice(0, isNonce ? 1 : 0), ...added, ...moved.slice(isNonce ? 1 : 0)],
  })
  return bytes.length <= MAX_TRANSACTION_SIZE ? bytes : undefined
}

/**
 * The unsigned transaction with another price for each unit, where it sets limit and price once each, or neither and both may be added.
 * `undefined` where its priority fee can't be changed, because others sign as well or instructions name each other by number.
 * @param limit of a transaction that sets none
 */
export function withPriority(
  message: DecodedMessage,
  { limit, priority }: { readonly limit: bigint | undefined; readonly priority: bigint },
): Uint8Array | undefined {
  if (message.signers.length !== 1) return undefined
  const own = message.instructions.filter(({ program }) => program === COMPUTE_BUDGET_PROGRAM)
  const bytes =
    own.length === 0 ? withAddedPriority(message, limit, priority) : withOtherPrice(message, priority)
  return bytes && differsInBudgetOnly(message, decodeTransaction(bytes).message) ? bytes : undefined
}

function withAddedPriority(
  message: DecodedMessage,
  limit: bigint | undefined,
  priority: bigint,
): Uint8Array | undefined {
  const transaction = { bytes: message.bytes, message, signatures: [undefined] }
  return limit !== undefined && isOpenToBudget(transaction)
    ? withBudget(transaction, { limit, price: priceOf(priority, limit) })
    : undefined
}

function withOtherPrice(message: DecodedMessage, priority: bigint): Uint8Array | undefined {
  const own = message.instructions.filter(({ program }) => program === COMPUTE_BUDGET_PROGRAM)
  const set = budgetOf(decodeActions(message))
  if (own.length !== 2 || set.limit === undefined || set.price === undefined) return undefined
  const compiled = getCompiledTransactionMessageDecoder().decode(message.bytes) as Compiled
  const { data } = getSetComputeUnitPriceInstruction({ microLamports: priceOf(priority, set.limit) })
  return unsigned({
    ...compiled,
    instructions: compiled.instructions.map((each, at) => {
      const { program, data: before } = message.instructions[at] ?? {}
      return program === COMPUTE_BUDGET_PROGRAM && before?.[0] === data[0] ? { ...each, data } : each
    }),
  })
}

/**
 * Whether two messages do the same for another priority fee: version, blockhash, signers, accounts with their rights, tables, and all
 * instructions but those of the compute budget, in their order.
 */
export function differsInBudgetOnly(one: DecodedMessage, other: DecodedMessage): boolean {
  const essence = ({
    version,
    blockhash,
    payer,
    signers,
    accounts,
    instructions,
    lookups,
  }: DecodedMessage) => {
    // A place in a table is compared by the tables, whether or not it is resolved.
    const taken = lookups.reduce((sum, each) => sum + each.writable.length + each.readonly.length, 0)
    const named = accounts.slice(0, accounts.length - taken)
    const placeOf = (account: MessageAccount) => {
      const at = accounts.indexOf(account)
      return at < named.length ? account : named.length - at
    }
    return JSON.stringify([
      [version, blockhash, payer, signers, lookups],
      named.filter(({ address }) => address !== COMPUTE_BUDGET_PROGRAM),
      instructions
        .filter(({ program }) => program !== COMPUTE_BUDGET_PROGRAM)
        .map((each) => [each.program, [...each.data], each.accounts.map(placeOf)]),
    ])
  }
  return essence(one) === essence(other)
}

const ADVANCE_NONCE = 4

/** Whether a message lives by a durable nonce: then it can be sent at any later time. */
export function isNonceAdvance({
  instructions,
}: Pick<DecodedTransaction['message'], 'instructions'>): boolean {
  const [first] = instructions
  return first?.program === SYSTEM_PROGRAM && first.data.length >= 4 && first.data[0] === ADVANCE_NONCE
    ? first.data.slice(1, 4).every((byte) => byte === 0)
    : false
}

function unsigned(compiled: Compiled): Uint8Array {
  const message = Uint8Array.from(getCompiledTransactionMessageEncoder().encode(compiled))
  return encodeTransaction(message, new Array(compiled.header.numSignerAccounts).fill(undefined))
}
