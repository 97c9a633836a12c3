/** Solana's transactions, read strictly: what is shown of them is what is signed. Loaded when there is one to sign. */
import {
  ComputeBudgetProgram,
  type MessageCompiledInstruction,
  type PublicKey,
  SystemProgram,
  VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { InvalidRequest } from '../lib/invalid-request.ts'
import { formatBase58 } from './base58.ts'

/** What a transaction that asks for the signature of one account says. */
export interface SolanaMessage {
  /** What is signed. */
  readonly message: Uint8Array
  /** Whether that account pays the fee. */
  readonly isPayer: boolean
  /** What transfers of the system program take from that account; other programs may take more. */
  readonly lamports: bigint
  /** Who receives that, if it is one account and nothing else happens. */
  readonly to: string | undefined
  readonly instructions: readonly { readonly program: string; readonly accounts: number }[]
}
/** A transaction with the places of its signatures. */
export interface SolanaTransaction extends SolanaMessage {
  /** The whole transaction with the signature in its place, and its first signature, which names it, if that is there. */
  withSignature(signature: Uint8Array): { bytes: Uint8Array; name: Uint8Array | undefined }
}

/** Bytes of the largest transaction: what fits into one packet of the network. */
const MAX_SIZE = 1_232
/** The system program's instruction for a transfer. */
const TRANSFER = 2

/**
 * Reads a transaction of version 0 or of the legacy form. Throws an {@link InvalidRequest} for bytes that another
 * encoder would write differently, and for a transaction that needs no signature of `address`.
 */
export function parseSolanaTransaction(bytes: Uint8Array, address: string): SolanaTransaction {
  const transaction = bytes.length <= MAX_SIZE ? decodeExactly(VersionedTransaction, bytes) : undefined
  if (!transaction) throw new InvalidRequest('The transaction can’t be read')
  const { message } = transaction
  const { read, signer } = readMessage(message, address)
  return {
    ...read,
    withSignature(signature) {
      const signatures = transaction.signatures.map((own, at) => (at === signer ? signature : own))
      const [first] = signatures
      return {
        bytes: Uint8Array.from(new VersionedTransaction(message, signatures).serialize()),
        // A missing signature is all zeros.
        name: first?.some(Boolean) ? Uint8Array.from(first) : undefined,
      }
    },
  }
}

/**
 * Reads the message of a transaction, which is what is signed. Gives `undefined` for bytes that are none; throws an
 * {@link InvalidRequest} for one that needs no signature of `address`.
 */
export function parseSolanaMessage(bytes: Uint8Array, address: string): SolanaMessage | undefined {
  const message = bytes.length <= MAX_SIZE ? decodeExactly(VersionedMessage, bytes) : undefined
  return message && readMessage(message, address).read
}

function readMessage(message: VersionedMessage, address: string): { read: SolanaMessage; signer: number } {
  const accounts = message.staticAccountKeys.map((key: PublicKey) => key.toBase58())
  const signer = accounts.indexOf(address)
  if (signer < 0 || signer >= message.header.numRequiredSignatures)
    throw new InvalidRequest('The transaction does not require a signature from this account')

  const instructions = message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes }) => ({
    program: accounts[programIdIndex] ?? '',
    accounts: accountKeyIndexes.length,
  }))
  if (instructions.some(({ program }) => program === ''))
    throw new InvalidRequest('The transaction refers to a program that is not among its accounts')
  const transfers = message.compiledInstructions.flatMap(
    (instruction) => transferOf(instruction, accounts, address) ?? [],
  )
  const computeBudget = ComputeBudgetProgram.programId.toBase58()
  const others = instructions.filter(({ program }) => program !== computeBudget)
  return {
    signer,
    read: {
      message: Uint8Array.from(message.serialize()),
      isPayer: signer === 0,
      lamports: transfers.reduce((sum, { lamports }) => sum + lamports, 0n),
      to: transfers.length === 1 && others.length === 1 ? transfers[0]?.to : undefined,
      instructions,
    },
  }
}

/** Whether bytes that a page calls a message are a transaction's message: signed, they would be that transaction. */
export const isTransactionMessage = (bytes: Uint8Array): boolean =>
  bytes.length <= MAX_SIZE && decodeExactly(VersionedMessage, bytes) !== undefined

/** A transaction's name, its first signature, as people and nodes write it. */
export const signatureText = (signature: Uint8Array): string => formatBase58(signature)

/** What the bytes say, if it is written as exactly these bytes: the decoder itself ignores whatever follows. */
function decodeExactly<T extends { serialize(): Uint8Array }>(
  form: { deserialize(bytes: Uint8Array): T },
  bytes: Uint8Array,
): T | undefined {
  try {
    const value = form.deserialize(Uint8Array.from(bytes))
    const again = value.serialize()
    return again.length === bytes.length && bytes.every((byte, at) => byte === again[at]) ? value : undefined
  } catch {
    return undefined
  }
}

function transferOf(
  { programIdIndex, accountKeyIndexes, data }: MessageCompiledInstruction,
  accounts: readonly string[],
  from: string,
): { to: string | undefined; lamports: bigint } | undefined {
  const [source, target] = accountKeyIndexes
  if (accounts[programIdIndex] !== SystemProgram.programId.toBase58()) return undefined
  if (source === undefined || accounts[source] !== from) return undefined
  const view = new DataView(Uint8Array.from(data).buffer)
  if (view.byteLength !== 12 || view.getUint32(0, true) !== TRANSFER) return undefined
  return { to: target === undefined ? undefined : accounts[target], lamports: view.getBigUint64(4, true) }
}
