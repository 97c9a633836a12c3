import { limits } from '../core/limits.ts'
import { parseEthereumAddress } from './address.ts'
import { isHexBytes } from './hex.ts'
import { InvalidRequest } from './invalid-request.ts'

/** A transaction that a page asks for, read strictly; what it leaves open is `undefined`. */
export interface TransactionRequest {
  /** Checksummed. */
  readonly from: string
  /** Nobody for the creation of a contract. */
  readonly to: string | undefined
  readonly value: bigint
  readonly data: string
  readonly chainId: number
  readonly nonce: bigint | undefined
  readonly gas: bigint | undefined
  readonly gasPrice: bigint | undefined
  readonly maxFeePerGas: bigint | undefined
  readonly maxPriorityFeePerGas: bigint | undefined
  readonly accessList: readonly AccessEntry[] | undefined
  /** 0 legacy, 1 EIP-2930, 2 EIP-1559; open where the page names no kind and no fee. */
  readonly type: 0 | 1 | 2 | undefined
}
export interface AccessEntry {
  readonly address: string
  readonly storageKeys: readonly string[]
}

const FIELDS = [
  ...['from', 'to', 'value', 'data', 'input', 'chainId', 'nonce', 'gas', 'gasLimit', 'gasPrice'],
  ...['maxFeePerGas', 'maxPriorityFeePerGas', 'accessList', 'type'],
]
const MOST_ENTRIES = 10_000
const LARGEST = 2n ** 256n
/** What its figures take of a request to the vault is little. */
const LARGEST_TEXT = limits.walletRequestSize - 2_048

/**
 * Reads a transaction request of JSON-RPC (EIP-1474). What can be read in two ways is refused, as is every field that
 * nobody here knows: it might mean something to the chain. Throws {@link InvalidRequest}.
 * @param wallet the chain that it is on: a request for another one is refused (security T17); and whose transaction it
 * is where the request does not say
 */
export function readTransaction(
  raw: unknown,
  { chainId, from }: { chainId: number; from?: string | undefined },
): TransactionRequest {
  const fields = present(raw)
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name))
  if (unknown) throw new InvalidRequest(`A transaction has no field ${unknown.slice(0, 40)}`)

  const accessList = fields.accessList === undefined ? undefined : readAccessList(fields.accessList)
  const request = {
    from: address(fields.from ?? from, 'from'),
    to: fields.to === undefined ? undefined : address(fields.to, 'to'),
    value: quantity(fields, 'value') ?? 0n,
    data: readData(fields),
    chainId: sameChain(fields.chainId, chainId),
    nonce: quantity(fields, 'nonce'),
    gas: onlyOne(quantity(fields, 'gas'), quantity(fields, 'gasLimit'), 'gas'),
    gasPrice: quantity(fields, 'gasPrice'),
    maxFeePerGas: quantity(fields, 'maxFeePerGas'),
    maxPriorityFeePerGas: quantity(fields, 'maxPriorityFeePerGas'),
    accessList,
  }
  if (!request.to && request.data === '0x') throw new InvalidRequest('A transaction needs a to, or data')
  if (JSON.stringify([request.data, accessList]).length > LARGEST_TEXT)
    throw new InvalidRequest('The transaction is too large')
  return { ...request, type: typeOf(fields.type, request) }
}

type Fields = Readonly<Record<string, unknown>>

/** The fields that have a value; `null` is what some libraries send for none. */
function present(raw: unknown): Fields {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw new InvalidRequest('Invalid transaction request')
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined && value !== null))
}

function address(value: unknown, name: string): string {
  const read = parseEthereumAddress(value)
  if (!read) throw new InvalidRequest(`${name} is no address`)
  return read
}

function quantity(fields: Fields, name: string): bigint | undefined {
  const value = fields[name]
  if (value === undefined) return undefined
  const read = integerOf(value)
  if (read === undefined || read < 0n || read >= LARGEST) throw new InvalidRequest(`${name} is no quantity`)
  return read
}

/** 0x-hex, or a number that is exact. Decimal text is not taken: others read it as hex. */
function integerOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value) ? BigInt(value) : undefined
}

function readData({ data, input }: Fields): string {
  for (const bytes of [data, input])
    if (bytes !== undefined && !(isHexBytes(bytes) && bytes.startsWith('0x')))
      throw new InvalidRequest('data is no hex of whole bytes')
  const [one, other] = [data, input].map((bytes) => bytes as string | undefined)
  return onlyOne(one?.toLowerCase(), other?.toLowerCase(), 'data') ?? '0x'
}

/** The same thing has two names, and must not mean two things. */
function onlyOne<T>(one: T | undefined, other: T | undefined, name: string): T | undefined {
  if (one !== undefined && other !== undefined && one !== other)
    throw new InvalidRequest(`The transaction says ${name} twice`)
  return one ?? other
}

function sameChain(given: unknown, chainId: number): number {
  if (given === undefined) return chainId
  const asked = integerOf(given)
  if (asked !== BigInt(chainId))
    throw new InvalidRequest(`chainId is not that of the active chain, which is ${chainId}`)
  return chainId
}

function readAccessList(raw: unknown): readonly AccessEntry[] {
  const list = Array.isArray(raw) && raw.length <= MOST_ENTRIES ? raw : undefined
  const read = list?.map((entry: unknown) => {
    const { address, storageKeys, ...more } = (
      typeof entry === 'object' && entry !== null ? entry : {}
    ) as Fields
    const account = parseEthereumAddress(address)
    const keys = Array.isArray(storageKeys) && storageKeys.length <= MOST_ENTRIES ? storageKeys : undefined
    const isRead = account && keys?.every(isWord) && Object.keys(more).length === 0
    return isRead ? { address: account, storageKeys: keys as string[] } : undefined
  })
  if (!read || read.includes(undefined)) throw new InvalidRequest('accessList is none')
  return read as AccessEntry[]
}

const isWord = (value: unknown) => typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)

function typeOf(given: unknown, request: Omit<TransactionRequest, 'type'>): 0 | 1 | 2 | undefined {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList } = request
  const named = given === undefined ? undefined : integerOf(given)
  if (given !== undefined && named !== 0n && named !== 1n && named !== 2n)
    throw new InvalidRequest('Transactions of this type are not supported')
  const isModern = maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined
  if (isModern && gasPrice !== undefined)
    throw new InvalidRequest('A transaction has a gasPrice or a maxFeePerGas')
  if (maxFeePerGas !== undefined && (maxPriorityFeePerGas ?? 0n) > maxFeePerGas)
    throw new InvalidRequest('maxPriorityFeePerGas is above maxFeePerGas')
  const meant = isModern ? 2 : gasPrice === undefined ? undefined : accessList ? 1 : 0
  const type = named === undefined ? meant : (Number(named) as 0 | 1 | 2)
  const fits =
    (type !== 0 || !accessList) && (type === 2 ? gasPrice === undefined : !isModern || type === undefined)
  if (!fits) throw new InvalidRequest('The type does not go with the other fields')
  return type
}
