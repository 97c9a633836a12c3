import { isPlainObject, type Plain, type PlainObject } from '../../../wire/frame/plain.ts'
import { type Bytes, bytesToHex } from '../../bytes.ts'
import { checksummed } from '../../derive/address.ts'
import { readAddress, readBytes } from '../hex.ts'
import { readInteger } from '../integer.ts'
import { invalid, unsupported } from '../invalid.ts'

/** EIP-2930: what a transaction says in advance that it will touch. */
export interface AccessEntry {
  readonly address: Bytes
  readonly storageKeys: readonly Bytes[]
}
/** 0: legacy; 1: EIP-2930; 2: EIP-1559. */
export type TransactionType = 0 | 1 | 2
/** A transaction as a page asks for it (wire 7.6), as far as it says. */
export interface TransactionRequest {
  readonly type?: TransactionType | undefined
  readonly chainId: bigint
  readonly from?: Bytes | undefined
  /** Without one a contract is made. */
  readonly to?: Bytes | undefined
  readonly value: bigint
  readonly data: Bytes
  readonly accessList?: readonly AccessEntry[] | undefined
  readonly nonce?: bigint | undefined
  readonly gasLimit?: bigint | undefined
  readonly gasPrice?: bigint | undefined
  readonly maxFeePerGas?: bigint | undefined
  readonly maxPriorityFeePerGas?: bigint | undefined
}

const UINT64 = 2n ** 64n - 1n
const UINT256 = 2n ** 256n - 1n
const EXACT = BigInt(Number.MAX_SAFE_INTEGER)
/** Most that a number may be. */
const amounts = {
  // What most programs can't hold exactly, another chain could be taken for.
  chainId: EXACT,
  nonce: EXACT,
  gasLimit: UINT64,
  gasPrice: UINT256,
  maxFeePerGas: UINT256,
  maxPriorityFeePerGas: UINT256,
  value: UINT256,
} as const
type Amount = keyof typeof amounts
const names = Object.keys(amounts) as Amount[]
const others = ['type', 'from', 'to', 'data', 'accessList']
const typeNames = ['legacy', 'eip2930', 'eip1559']

/**
 * Reads a transaction request. `null` is what is missing; `gas` is another name of `gasLimit`, `input` of `data`.
 * Throws a VaultError for a field that nobody here knows, a value that can be read in two ways, and no chain id:
 * a signature without one holds on every chain (EIP-155, security T17).
 */
export function readTransaction(raw: Plain | undefined): TransactionRequest {
  if (!isPlainObject(raw)) throw invalid('The transaction is no object')
  // A map, so that what a hostile script puts on Object.prototype is no field (security T14).
  const fields = new Map(Object.entries(raw).filter(([, value]) => value !== null))
  mergeNames(fields, 'gas', 'gasLimit')
  mergeNames(fields, 'input', 'data')
  for (const name of fields.keys())
    if (!others.includes(name) && !names.includes(name as Amount))
      throw invalid(`The transaction has an unknown field ${name.slice(0, 64)}`)

  const read = <T>(name: string, reader: (value: Plain) => T | undefined) => {
    const value = fields.get(name)
    const result = value === undefined ? undefined : reader(value)
    if (value !== undefined && result === undefined) throw invalid(`The transaction’s ${name} can’t be read`)
    return result
  }
  const readAmount = (name: Amount) =>
    read(name, (value) => {
      const amount = readInteger(value)
      return amount !== undefined && amount >= 0n && amount <= amounts[name] ? amount : undefined
    })
  const chainId = readAmount('chainId')
  if (!chainId) throw invalid('The transaction has no chainId')
  const request: TransactionRequest = {
    type: read('type', readType),
    chainId,
    from: read('from', readAddress),
    to: read('to', readAddress),
    value: readAmount('value') ?? 0n,
    data: read('data', readBytes) ?? new Uint8Array(),
    accessList: read('accessList', readAccessList),
    nonce: readAmount('nonce'),
    gasLimit: readAmount('gasLimit'),
    gasPrice: readAmount('gasPrice'),
    maxFeePerGas: readAmount('maxFeePerGas'),
    maxPriorityFeePerGas: readAmount('maxPriorityFeePerGas'),
  }
  typeOfTransaction(request)
  // Whatever is sent to a contract without code is lost.
  if (!request.to && request.data.length === 0)
    throw invalid('The transaction has neither a receiver nor data')
  return request
}

/** The request as wire 7.6 writes it; amounts as 0x-hex, what is counted as a number. */
export function writeTransaction(request: TransactionRequest): PlainObject {
  const hex = (bytes: Bytes) => `0x${bytesToHex(bytes)}`
  const fields: Record<string, Plain | undefined> = {
    type: request.type,
    from: request.from && checksummed(bytesToHex(request.from)),
    to: request.to && checksummed(bytesToHex(request.to)),
    data: hex(request.data),
  }
  if (request.accessList?.length)
    fields.accessList = request.accessList.map(({ address, storageKeys }) => ({
      address: checksummed(bytesToHex(address)),
      storageKeys: storageKeys.map(hex),
    }))
  for (const name of names) {
    const amount = request[name]
    if (amount !== undefined)
      fields[name] = amounts[name] === EXACT ? Number(amount) : `0x${amount.toString(16)}`
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** The type that a request names, or else the one that its fields belong to. Throws a VaultError when they don't go together. */
export function typeOfTransaction({
  type,
  gasPrice,
  accessList,
  ...request
}: TransactionRequest): TransactionType {
  const modern = request.maxFeePerGas !== undefined || request.maxPriorityFeePerGas !== undefined
  if (modern && gasPrice !== undefined) throw invalid('The transaction has fees of two kinds')
  const fitting = modern ? 2 : accessList ? 1 : 0
  const asked = type ?? fitting
  const fits = modern || asked === 2 ? asked === 2 && gasPrice === undefined : asked >= fitting
  if (!fits) throw invalid('The transaction has fields that its type does not have')
  return asked
}

/** Takes an old name of a field for the one that is used here; both may stand there when they say the same. */
function mergeNames(fields: Map<string, Plain | undefined>, old: string, name: string): void {
  const value = fields.get(old)
  if (value === undefined) return
  const other = fields.get(name) ?? value
  if (typeof value === 'object' || typeof other === 'object' || !sameText(value, other))
    throw invalid(`The transaction has both ${old} and ${name}`)
  fields.delete(old)
  fields.set(name, value)
}

function readType(raw: Plain): TransactionType | undefined {
  const named = typeof raw === 'string' ? typeNames.indexOf(raw) : -1
  const type = named < 0 ? readInteger(raw) : BigInt(named)
  if (type === undefined || type < 0n) return undefined
  if (type > 2n) throw unsupported('This type of transaction')
  return Number(type) as TransactionType
}

function readAccessList(raw: Plain): readonly AccessEntry[] | undefined {
  if (!Array.isArray(raw)) return undefined
  const list = raw.map((entry: Plain) => {
    const { address: text, storageKeys: keys, ...more } = isPlainObject(entry) ? entry : Object.create(null)
    const address = readAddress(text)
    const storageKeys = Array.isArray(keys) ? keys.map(readBytes) : []
    const whole = Array.isArray(keys) && storageKeys.every((key) => key?.length === 32)
    return address && whole && Object.keys(more).length === 0
      ? { address, storageKeys: storageKeys as Bytes[] }
      : undefined
  })
  return list.every((entry) => entry !== undefined) ? list : undefined
}

const sameText = (a: unknown, b: unknown) => String(a).toLowerCase() === String(b).toLowerCase()
