import { InvalidRequest } from '../lib/invalid-request.ts'
import { isPlainObject, type Plain, type PlainObject, readPlain } from '../lib/plain.ts'
import { parseEthereumAddress } from './address.ts'
import { isHexBytes } from './hex.ts'
import { formatQuantity, parseInteger } from './integer.ts'
import { type Authorization, readNewerType } from './newer-types.ts'
import { assertOwnAuthorization, type Delegate, withNonce } from './wallet-code.ts'

/** An entry of an access list (EIP-2930). */
export interface AccessEntry {
  readonly address: `0x${string}`
  readonly storageKeys: readonly `0x${string}`[]
}
/** 0: legacy; 1: EIP-2930; 2: EIP-1559; 4: EIP-7702. Type 3 (blobs) is read, and refused. */
export type TransactionType = 0 | 1 | 2 | 4
/** A transaction that a page asks for; what it does not say is `undefined`. Addresses have their checksum. */
export interface TransactionRequest {
  readonly type?: TransactionType | undefined
  readonly chainId: number
  readonly from?: `0x${string}` | undefined
  /** `undefined`: the transaction creates a contract. */
  readonly to?: `0x${string}` | undefined
  readonly value: bigint
  readonly data: `0x${string}`
  readonly accessList?: readonly AccessEntry[] | undefined
  /** The wallet's own authorization of code at its address (EIP-7702), which is signed with the transaction. */
  readonly authorizationList?: readonly Authorization[] | undefined
  readonly nonce?: bigint | undefined
  readonly gasLimit?: bigint | undefined
  readonly gasPrice?: bigint | undefined
  readonly maxFeePerGas?: bigint | undefined
  readonly maxPriorityFeePerGas?: bigint | undefined
}
/** A transaction whose sender is known. */
export type WalletTransaction = TransactionRequest & { readonly from: `0x${string}` }
/** A transaction that lacks nothing but its signature. */
export type CompleteTransaction = Omit<TransactionRequest, 'type' | 'nonce' | 'gasLimit'> & {
  readonly type: TransactionType
  readonly nonce: bigint
  readonly gasLimit: bigint
}

/** Characters of one request as JSON: the message to the vault also contains an access token. */
const MAX_SIZE = 120_832
const UINT64 = 2n ** 64n - 1n
const UINT256 = 2n ** 256n - 1n
/** Above this, many programs round a number, and a chain id or nonce would be another one. */
const EXACT = BigInt(Number.MAX_SAFE_INTEGER)
/** The largest value of each amount. */
const amounts = {
  chainId: EXACT,
  nonce: EXACT,
  gasLimit: UINT64,
  gasPrice: UINT256,
  maxFeePerGas: UINT256,
  maxPriorityFeePerGas: UINT256,
  value: UINT256,
} as const
type Amount = keyof typeof amounts
const amountNames = Object.keys(amounts) as Amount[]
const others = ['type', 'from', 'to', 'data', 'accessList']
const typeNames = ['legacy', 'eip2930', 'eip1559', 'eip4844', 'eip7702']

/**
 * Reads a transaction request. `null` means that a field is missing; `gas` is another name for `gasLimit`, `input` for
 * `data`, and `account` for `from`. Throws {@link InvalidRequest} for an unknown field, which might mean something to the
 * chain, for a value that can be read in two ways, and if there is no chain id: a signature without one is valid on every chain (EIP-155).
 * @param defaults.chainId the chain of a request that names none
 * @param defaults.delegates contracts whose code the app allows at its users' addresses; without them transactions of type 4 are refused
 */
export function parseTransaction(
  raw: unknown,
  defaults?: { readonly chainId?: number | undefined; readonly delegates?: readonly Delegate[] | undefined },
): TransactionRequest {
  const delegates = defaults?.delegates
  const { fields, authorizationList } = readFields(raw, delegates !== undefined)
  const parseAmount = (name: Amount) => {
    const amount = parseField(fields, name, parseSigned)
    if (amount !== undefined && (amount < 0n || amount > amounts[name]))
      throw new InvalidRequest(`Invalid transaction request: the ${name} is out of range`)
    return amount
  }
  const chainId = fields.has('chainId') ? Number(parseAmount('chainId')) : defaults?.chainId
  if (!chainId) throw new InvalidRequest('The transaction has no chainId')
  const request: TransactionRequest = {
    type: parseField(fields, 'type', parseType) as TransactionType | undefined,
    chainId,
    from: parseField(fields, 'from', parseAddress),
    to: parseField(fields, 'to', parseAddress),
    value: parseAmount('value') ?? 0n,
    data: parseField(fields, 'data', parseData) ?? '0x',
    accessList: parseField(fields, 'accessList', parseAccessList),
    ...(authorizationList && { authorizationList }),
    nonce: parseAmount('nonce'),
    gasLimit: parseAmount('gasLimit'),
    gasPrice: parseAmount('gasPrice'),
    maxFeePerGas: parseAmount('maxFeePerGas'),
    maxPriorityFeePerGas: parseAmount('maxPriorityFeePerGas'),
  }
  transactionType(request)
  assertOwnAuthorization(request, delegates ?? [])
  // A value sent to a new contract without code is lost.
  if (!request.to && request.data === '0x')
    throw new InvalidRequest('The transaction has neither a recipient nor data')
  return request
}

/** The request of a wallet, whose address is valid. */
export const withSender = (request: TransactionRequest, address: string): WalletTransaction => ({
  ...request,
  from: address as `0x${string}`,
})

/** The transaction with its type. Throws {@link InvalidRequest} if something is missing that its signature covers. */
export function completeTransaction(request: TransactionRequest): CompleteTransaction {
  const { nonce, gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = request
  const type = transactionType(request)
  if (nonce === undefined || gasLimit === undefined)
    throw new InvalidRequest('The transaction has no nonce or no gasLimit')
  const hasFee =
    type === 2 || type === 4
      ? maxFeePerGas !== undefined && maxPriorityFeePerGas !== undefined
      : gasPrice !== undefined
  if (!hasFee) throw new InvalidRequest('The transaction has no fee')
  const authorizationList = withNonce(request.authorizationList, nonce)
  return { ...request, type, nonce, gasLimit, ...(authorizationList && { authorizationList }) }
}

/** Writes a request as {@link parseTransaction} reads it: amounts as hex text, the chain id and the nonce as numbers. */
export function formatTransaction(request: TransactionRequest): PlainObject {
  const { type, from, to, data, accessList, authorizationList } = request
  const fields: Record<string, Plain | undefined> = { type, from, to, data }
  if (accessList?.length) fields.accessList = accessList.map((entry) => ({ ...entry }))
  if (authorizationList)
    fields.authorizationList = authorizationList.map(({ address, chainId, nonce }) => ({
      address,
      chainId: Number(chainId),
      ...(nonce !== undefined && { nonce: formatQuantity(nonce) }),
    }))
  for (const name of amountNames) {
    const amount = request[name]
    if (amount !== undefined) fields[name] = amounts[name] === EXACT ? Number(amount) : formatQuantity(amount)
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** The type that a request names, or the one that its fields belong to. Throws {@link InvalidRequest} if they contradict. */
export function transactionType(
  request: Omit<TransactionRequest, 'chainId' | 'data' | 'value'>,
): TransactionType {
  const { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList, authorizationList } = request
  const hasMaxFee = maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined
  if (hasMaxFee && gasPrice !== undefined)
    throw new InvalidRequest('The transaction has both a gasPrice and a maxFeePerGas')
  if (maxFeePerGas !== undefined && (maxPriorityFeePerGas ?? 0n) > maxFeePerGas)
    throw new InvalidRequest("The transaction's maxPriorityFeePerGas is above its maxFeePerGas")
  if (authorizationList || type === 4) {
    if (!authorizationList || (type ?? 4) !== 4 || gasPrice !== undefined)
      throw new InvalidRequest('The transaction has fields that its type does not have')
    return 4
  }
  const least = hasMaxFee ? 2 : accessList ? 1 : 0
  const asked = type ?? least
  const fits = hasMaxFee || asked === 2 ? asked === 2 && gasPrice === undefined : asked >= least
  if (!fits) throw new InvalidRequest('The transaction has fields that its type does not have')
  return asked
}

/** A map, so that a property which a hostile script puts on `Object.prototype` is not taken for a field. */
type Fields = ReadonlyMap<string, Plain>

function readFields(
  raw: unknown,
  signsCode: boolean,
): { readonly fields: Fields; readonly authorizationList: readonly Authorization[] | undefined } {
  const plain = readPlain(raw, MAX_SIZE)
  if (!isPlainObject(plain)) throw new InvalidRequest('Invalid transaction request')
  const fields = new Map<string, Plain>()
  for (const [name, value] of Object.entries(plain))
    if (value !== null && value !== undefined) fields.set(name, value)
  renameField(fields, 'gas', 'gasLimit', parseSigned)
  renameField(fields, 'input', 'data', parseData)
  unwrapAccount(fields)
  renameField(fields, 'account', 'from', parseAddress)
  const type = parseField(fields, 'type', parseType)
  const authorizationList = readNewerType(fields, type, signsCode)
  fields.delete('authorizationList')
  if (type === 2) dropSameGasPrice(fields)
  for (const name of fields.keys())
    if (!others.includes(name) && !amountNames.includes(name as Amount))
      throw new InvalidRequest(`A transaction has no field ${name.slice(0, 64)}`)
  return { fields, authorizationList }
}

/** viem leaves an account in what it prepares, from which clients take the sender's address as well; wallets need the address alone. */
function unwrapAccount(fields: Map<string, Plain>): void {
  const account = fields.get('account')
  if (account !== undefined && isPlainObject(account)) fields.set('account', account.address ?? '')
}

/** Nodes that fill in a transaction name its highest fee twice, and clients hand on both. */
function dropSameGasPrice(fields: Map<string, Plain>): void {
  const [gasPrice, maxFeePerGas] = [fields.get('gasPrice'), fields.get('maxFeePerGas')]
  if (gasPrice === undefined || maxFeePerGas === undefined) return
  if (parseSigned(gasPrice) === parseSigned(maxFeePerGas)) fields.delete('gasPrice')
}

/** Both names may occur if they say the same. */
function renameField<T>(
  fields: Map<string, Plain>,
  old: string,
  name: string,
  parse: (value: Plain) => T | undefined,
): void {
  const value = fields.get(old)
  if (value === undefined) return
  const other = fields.get(name) ?? value
  if (parse(value) !== parse(other)) throw new InvalidRequest(`The transaction has ${name} twice`)
  fields.delete(old)
  fields.set(name, value)
}

function parseField<T>(fields: Fields, name: string, parse: (value: Plain) => T | undefined): T | undefined {
  const value = fields.get(name)
  if (value === undefined) return undefined
  const parsed = parse(value)
  if (parsed === undefined) throw new InvalidRequest(unreadable(name))
  return parsed
}

/** What a page's developer reads of a field that is not what it should be. */
function unreadable(name: string): string {
  if (name === 'chainId') return `Transaction request property 'chainId' must be a number`
  if (amountNames.includes(name as Amount))
    return `Transaction request property '${name}' must be a valid number, bigint, or hex string representing a quantity`
  return `The transaction's ${name} can't be read`
}

/** A quantity, which may have a minus sign before its hex: then only zero is in range. */
function parseSigned(value: Plain): bigint | undefined {
  if (typeof value !== 'string' || !value.startsWith('-0x')) return parseInteger(value)
  const amount = parseInteger(value.slice(1))
  return amount === undefined ? undefined : -amount
}

const parseAddress = (value: unknown) => parseEthereumAddress(value) as `0x${string}` | undefined

const parseData = (value: unknown) => (isHexBytes(value) ? (value.toLowerCase() as `0x${string}`) : undefined)

function parseType(value: Plain): number | undefined {
  const named = typeof value === 'string' ? typeNames.indexOf(value) : -1
  const type = named < 0 ? parseInteger(value) : BigInt(named)
  if (type === undefined || type < 0n) return undefined
  if (type >= typeNames.length) throw new InvalidRequest('This type of transaction is unsupported')
  return Number(type)
}

function parseAccessList(value: Plain): readonly AccessEntry[] | undefined {
  if (!Array.isArray(value)) return undefined
  const list = value.map(parseAccessEntry)
  return list.every((entry) => entry !== undefined) ? list : undefined
}

function parseAccessEntry(entry: Plain): AccessEntry | undefined {
  const { address: text, storageKeys, ...more } = isPlainObject(entry) ? entry : Object.create(null)
  const address = parseAddress(text)
  if (!address || !Array.isArray(storageKeys) || Object.keys(more).length > 0) return undefined
  const keys = storageKeys.map(parseData)
  return keys.every((key) => key?.length === 66)
    ? { address, storageKeys: keys as `0x${string}`[] }
    : undefined
}
