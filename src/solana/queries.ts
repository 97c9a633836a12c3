/** What nodes are asked about accounts, fees, blocks and transactions, with every answer read strictly. */
import { base64 } from '@scure/base'
import { Unreachable } from '../lib/node-errors.ts'
import type { RpcOptions, SolanaRpc } from './rpc.ts'
import type { Commitment } from './send-options.ts'

export interface AccountState {
  readonly lamports: bigint
  /** The program that the account is for. */
  readonly owner: string
  readonly data: Uint8Array
  readonly executable: boolean
}
export interface Blockhash {
  readonly blockhash: string
  /** The last block that may hold a transaction with this blockhash. */
  readonly lastValidBlockHeight: bigint
}
export interface SignatureStatus {
  readonly slot: bigint
  readonly commitment: Commitment
  /** As the node writes it; `null` for a transaction that has succeeded. */
  readonly error: unknown
}
export interface QueryOptions extends RpcOptions {
  readonly minContextSlot?: bigint | undefined
}

/** As many accounts as a node gives at once. */
const ACCOUNTS_AT_ONCE = 100
const COMMITMENT = 'confirmed'
const commitments: readonly unknown[] = ['processed', 'confirmed', 'finalized'] satisfies Commitment[]

/** The accounts at these addresses, and the slot of the first answer. `undefined` for one that does not exist. */
export async function getAccounts(
  rpc: SolanaRpc,
  addresses: readonly string[],
  { minContextSlot, signal }: QueryOptions = {},
): Promise<{ slot: bigint; accounts: ReadonlyMap<string, AccountState | undefined> }> {
  const parts = Array.from({ length: Math.ceil(addresses.length / ACCOUNTS_AT_ONCE) }, (_, at) =>
    addresses.slice(at * ACCOUNTS_AT_ONCE, (at + 1) * ACCOUNTS_AT_ONCE),
  )
  const answers = await Promise.all(
    parts.map(async (part) => {
      const config = { encoding: 'base64', commitment: COMMITMENT, ...slotOption(minContextSlot) }
      const { slot, value } = inContext(await rpc.ask('getMultipleAccounts', [part, config], { signal }))
      const states = listOf(value)
      if (states.length !== part.length) throw unreadable()
      return { slot, states: states.map(accountOf) }
    }),
  )
  const states = answers.flatMap((answer) => answer.states)
  return {
    slot: answers[0]?.slot ?? 0n,
    accounts: new Map(addresses.map((address, at) => [address, states[at]])),
  }
}

export async function getBalance(rpc: SolanaRpc, address: string, options: RpcOptions = {}): Promise<bigint> {
  const answer = await rpc.ask('getBalance', [address, { commitment: COMMITMENT }], options)
  return natural(inContext(answer).value)
}

/** The fee of a message; `undefined` if its blockhash is no longer, or not yet, known. */
export async function getFee(
  rpc: SolanaRpc,
  message: Uint8Array,
  options: RpcOptions = {},
): Promise<bigint | undefined> {
  const params = [base64.encode(message), { commitment: COMMITMENT }]
  const { value } = inContext(await rpc.ask('getFeeForMessage', params, options))
  return value === null ? undefined : natural(value)
}

/** What transactions that wrote to these accounts have paid of late, in micro-lamports for each unit. */
export async function getPriorityFees(
  rpc: SolanaRpc,
  addresses: readonly string[],
  options: RpcOptions = {},
): Promise<readonly bigint[]> {
  const answer = await rpc.ask('getRecentPrioritizationFees', [addresses], options)
  return listOf(answer).map((each) => natural(recordOf(each).prioritizationFee))
}

/** The lamports that an account of this size has to hold. */
export async function getMinimumBalance(
  rpc: SolanaRpc,
  size: number,
  options: RpcOptions = {},
): Promise<bigint> {
  return natural(await rpc.ask('getMinimumBalanceForRentExemption', [size], options))
}

export async function getLatestBlockhash(rpc: SolanaRpc, options: RpcOptions = {}): Promise<Blockhash> {
  const answer = await rpc.ask('getLatestBlockhash', [{ commitment: COMMITMENT }], options)
  const { blockhash, lastValidBlockHeight } = recordOf(inContext(answer).value)
  return { blockhash: textOf(blockhash), lastValidBlockHeight: natural(lastValidBlockHeight) }
}

/** How far the node's chain has come. */
export async function getProgress(
  rpc: SolanaRpc,
  options: RpcOptions = {},
): Promise<{ slot: bigint; blockHeight: bigint }> {
  const answer = await rpc.ask('getEpochInfo', [{ commitment: COMMITMENT }], options)
  const { absoluteSlot, blockHeight } = recordOf(answer)
  return { slot: natural(absoluteSlot), blockHeight: natural(blockHeight) }
}

/** `undefined` if the node does not know the transaction. */
export async function getStatus(
  rpc: SolanaRpc,
  signature: string,
  options: StatusOptions = {},
): Promise<SignatureStatus | undefined> {
  return (await lookUpStatus(rpc, signature, options)).status
}
export interface StatusOptions extends RpcOptions {
  /** Whether old blocks are searched as well, which not every node has. */
  readonly withHistory?: boolean
}

/** The status of a transaction, and the slot up to which the node has looked. */
export async function lookUpStatus(
  rpc: SolanaRpc,
  signature: string,
  { signal, withHistory = false }: StatusOptions = {},
): Promise<{ slot: bigint; status: SignatureStatus | undefined }> {
  const params = [[signature], { searchTransactionHistory: withHistory }]
  const { slot, value } = inContext(await rpc.ask('getSignatureStatuses', params, { signal }))
  const [status] = listOf(value)
  return { slot, status: status === null || status === undefined ? undefined : statusOf(status) }
}

function statusOf(value: unknown): SignatureStatus {
  const { slot, err, confirmationStatus } = recordOf(value)
  const commitment = confirmationStatus ?? 'processed'
  if (!commitments.includes(commitment)) throw unreadable()
  return { slot: natural(slot), commitment: commitment as Commitment, error: err ?? null }
}

export const slotOption = (minContextSlot: bigint | undefined) =>
  minContextSlot === undefined ? {} : { minContextSlot: Number(minContextSlot) }

/** Of an answer that says for which slot it is. */
export function inContext(answer: unknown): { slot: bigint; value: unknown } {
  const { context, value } = recordOf(answer)
  return { slot: natural(recordOf(context).slot), value }
}

export function accountOf(value: unknown): AccountState | undefined {
  if (value === null || value === undefined) return undefined
  const { lamports, owner, data, executable } = recordOf(value)
  const [text, encoding] = listOf(data)
  if (encoding !== 'base64') throw unreadable()
  return {
    lamports: natural(lamports),
    owner: textOf(owner),
    data: bytesOf(text),
    executable: executable === true,
  }
}

export function bytesOf(text: unknown): Uint8Array {
  try {
    return base64.decode(textOf(text))
  } catch {
    throw unreadable()
  }
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable()
  return value as Readonly<Record<string, unknown>>
}

export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw unreadable()
  return value
}

export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw unreadable()
  return value
}

/** A whole number from 0; the larger ones are text. */
export function natural(value: unknown): bigint {
  const isExact = typeof value === 'number' ? Number.isSafeInteger(value) && value >= 0 : false
  if (!isExact && !(typeof value === 'string' && /^\d{1,20}$/.test(value))) throw unreadable()
  return BigInt(value as number | string)
}

export const unreadable = () => new Unreachable("The node's answer can't be read")
