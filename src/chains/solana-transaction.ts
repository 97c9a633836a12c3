/** Solana's binary forms, read strictly: what is shown of them is what is signed. Loaded when there is one to sign. */
import {
  type Address,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type SignatureBytes,
} from '@solana/kit'
import { limits } from '../core/limits.ts'
import { InvalidRequest } from './invalid-request.ts'

/** A transaction that asks for the signature of one account. */
export interface SolanaTransaction {
  /** What is signed. */
  readonly message: Uint8Array
  /** Whether that account pays the fee. */
  readonly isPayer: boolean
  /** What the system program takes from that account in so many words; programs may take more. */
  readonly lamports: bigint
  /** Who gets that, where it is one account and nothing else happens. */
  readonly to: string | undefined
  readonly instructions: readonly { readonly program: string; readonly accounts: number }[]
  /** The whole transaction with the signature in its place, and the signature that names it. */
  withSignature(signature: Uint8Array): { bytes: Uint8Array; name: Uint8Array | undefined }
}

type Message = ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>['decode']>
type Transaction = ReturnType<ReturnType<typeof getTransactionDecoder>['decode']>
/** Those of its parts that every version has. */
type Instructions = readonly {
  readonly programAddressIndex: number
  readonly accountIndices?: readonly number[]
  readonly data?: ArrayLike<number>
}[]

const SYSTEM = '11111111111111111111111111111111'
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
/** Of the system program: a transfer of so many lamports. */
const TRANSFER = 2

/**
 * Reads a transaction of version 0, or of the old form. Throws an {@link InvalidRequest} for anything that could be
 * written in another way, and for one that needs no signature of `address`.
 */
export function readSolanaTransaction(bytes: Uint8Array, address: string): SolanaTransaction {
  const transaction = exactly<Transaction>(getTransactionDecoder(), getTransactionEncoder(), bytes)
  const message = transaction && readMessage(Uint8Array.from(transaction.messageBytes))
  if (!message || bytes.length > limits.solanaTransactionSize)
    throw new InvalidRequest('The transaction can’t be read')
  if (!Object.hasOwn(transaction.signatures, address))
    throw new InvalidRequest('The transaction does not ask for a signature of this account')

  const accounts = message.staticAccounts
  const steps = (message as Message & { instructions: Instructions }).instructions
  const instructions = steps.map(({ programAddressIndex, accountIndices = [] }) => ({
    program: String(accounts[programAddressIndex] ?? ''),
    accounts: accountIndices.length,
  }))
  if (instructions.some(({ program }) => program === ''))
    throw new InvalidRequest('The transaction names a program that it does not have')
  const transfers = steps.flatMap((step) => transferOf(step, accounts, address) ?? [])
  const others = instructions.filter(({ program }) => program !== COMPUTE_BUDGET)
  return {
    message: Uint8Array.from(transaction.messageBytes),
    isPayer: accounts[0] === address,
    lamports: transfers.reduce((sum, { lamports }) => sum + lamports, 0n),
    to: transfers.length === 1 && others.length === 1 ? transfers[0]?.to : undefined,
    instructions,
    withSignature(signature) {
      const ours = { [address]: signature as SignatureBytes }
      const signatures = { ...transaction.signatures, ...ours } as Transaction['signatures']
      const first = Object.values(signatures)[0]
      return {
        bytes: Uint8Array.from(getTransactionEncoder().encode({ ...transaction, signatures })),
        name: first ? Uint8Array.from(first) : undefined,
      }
    },
  }
}

/** Whether bytes that a page calls a message are one of a transaction: signed, they would be that transaction. */
export const isTransactionMessage = (bytes: Uint8Array): boolean =>
  bytes.length <= limits.solanaTransactionSize && readMessage(bytes) !== undefined

/** A transaction's name as people and nodes write it. */
export const signatureText = (signature: Uint8Array): string => getBase58Decoder().decode(signature)

function readMessage(bytes: Uint8Array): Message | undefined {
  const message = exactly<Message>(
    getCompiledTransactionMessageDecoder(),
    getCompiledTransactionMessageEncoder(),
    bytes,
  )
  return message && (message.version === 'legacy' || message.version === 0) ? message : undefined
}

/** What these bytes say, if they are just what it is written as. */
function exactly<T>(
  decoder: { decode(bytes: Uint8Array): T },
  encoder: { encode(value: T): ArrayLike<number> },
  bytes: Uint8Array,
): T | undefined {
  try {
    const value = decoder.decode(bytes)
    const again = encoder.encode(value)
    return again.length === bytes.length && bytes.every((byte, at) => byte === again[at]) ? value : undefined
  } catch {
    return undefined
  }
}

function transferOf(
  { programAddressIndex, accountIndices = [], data = [] }: Instructions[number],
  accounts: readonly Address[],
  from: string,
): { to: string | undefined; lamports: bigint } | undefined {
  const [source, target] = accountIndices
  if (accounts[programAddressIndex] !== SYSTEM || source === undefined || accounts[source] !== from)
    return undefined
  const view = new DataView(Uint8Array.from(data).buffer)
  if (view.byteLength !== 12 || view.getUint32(0, true) !== TRANSFER) return undefined
  return { to: target === undefined ? undefined : accounts[target], lamports: view.getBigUint64(4, true) }
}
