/** Solana's transactions, read strictly: what is shown of them is what is signed. Loaded when there is one to sign. */
import { type PublicKey, VersionedMessage, VersionedTransaction } from '@solana/web3.js'
import { InvalidRequest } from '../lib/invalid-request.ts'
import { formatBase58 } from './base58.ts'
import {
  COMPUTE_BUDGET,
  type InstructionAccount,
  readInstruction,
  type SolanaInstruction,
  solanaFee,
} from './instructions.ts'

/** What a transaction that asks for the signature of one account says. */
export interface SolanaMessage {
  /** The message to sign. */
  readonly message: Uint8Array
  /** Whether that account pays the fee. */
  readonly isPayer: boolean
  /** The lamports that the system program takes from that account for others; other programs may take more. */
  readonly lamports: bigint
  /** The most that the network takes from the account that pays. */
  readonly fee: bigint
  /** Who receives that, if it is one account and nothing else happens. */
  readonly to: string | undefined
  readonly instructions: readonly SolanaInstruction[]
}
/** A transaction with the places of its signatures. */
export interface SolanaTransaction extends SolanaMessage {
  /** The whole transaction with the signature in its place, and its first signature, which names it, if that is there. */
  withSignature(signature: Uint8Array): { bytes: Uint8Array; name: Uint8Array | undefined }
}

/** Bytes of the largest transaction: what fits into one packet of the network. */
const MAX_SIZE = 1_232

/**
 * Reads a transaction of version 0 or of the legacy form. Throws an {@link InvalidRequest} for bytes that another
 * encoder would write differently, and for a transaction that needs no signature of `address`.
 */
export function parseSolanaTransaction(bytes: Uint8Array, address: string): SolanaTransaction {
  const transaction = bytes.length <= MAX_SIZE ? decodeExactly(VersionedTransaction, bytes) : undefined
  if (!transaction) throw new InvalidRequest("The transaction can't be read")
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
  if (message) return readMessage(message, address).read
  // Another program may read a transaction of this account where this one sees bytes alone.
  if (decodeLoosely(bytes)?.staticAccountKeys.some((key) => key.toBase58() === address))
    throw new InvalidRequest("The transaction can't be read")
  return undefined
}

function decodeLoosely(bytes: Uint8Array): VersionedMessage | undefined {
  try {
    return VersionedMessage.deserialize(Uint8Array.from(bytes))
  } catch {
    return undefined
  }
}

function readMessage(message: VersionedMessage, address: string): { read: SolanaMessage; signer: number } {
  const accounts = message.staticAccountKeys.map((key: PublicKey) => key.toBase58())
  const signer = accounts.indexOf(address)
  if (signer < 0 || signer >= message.header.numRequiredSignatures)
    throw new InvalidRequest('The transaction does not require a signature from this account')

  const accountAt = accountsOf(message)
  const instructions = message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => {
    const program = accounts[programIdIndex]
    if (program === undefined)
      throw new InvalidRequest('The transaction refers to a program that is not among its accounts')
    const bare = { program, accounts: accountKeyIndexes.map(accountAt), data: Uint8Array.from(data) }
    const action = readInstruction(bare)
    return { ...bare, ...(action && { action }) }
  })
  const payments = instructions.flatMap((instruction) => paymentOf(instruction, address) ?? [])
  const others = instructions.filter(({ program }) => program !== COMPUTE_BUDGET)
  const [payment] = payments
  return {
    signer,
    read: {
      message: Uint8Array.from(message.serialize()),
      isPayer: signer === 0,
      lamports: payments.reduce((sum, { lamports }) => sum + lamports, 0n),
      fee: solanaFee(message.header.numRequiredSignatures, instructions),
      to: payments.length === 1 && others.length === 1 && payment?.isTransfer ? payment.to : undefined,
      instructions,
    },
  }
}

/** Gives the accounts of a message by the numbers that its instructions use. */
function accountsOf(message: VersionedMessage): (index: number) => InstructionAccount {
  const { staticAccountKeys, addressTableLookups, header } = message
  const known = staticAccountKeys.length
  // Accounts of lookup tables follow: all that are written to, and then those that are read.
  const looked = (['writableIndexes', 'readonlyIndexes'] as const).flatMap((kind) =>
    addressTableLookups.flatMap(({ accountKey, [kind]: indexes }) =>
      indexes.map((index) => ({
        address: `${accountKey.toBase58()} #${index}`,
        signer: false,
        writable: kind === 'writableIndexes',
      })),
    ),
  )
  return (index) => {
    const key = staticAccountKeys[index]
    const other = looked[index - known]
    if (!key && !other)
      throw new InvalidRequest('The transaction refers to an account that is not among its accounts')
    if (!key) return other as InstructionAccount
    const signer = index < header.numRequiredSignatures
    const writable = signer
      ? index < header.numRequiredSignatures - header.numReadonlySignedAccounts
      : index < known - header.numReadonlyUnsignedAccounts
    return { address: key.toBase58(), signer, writable }
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

/** The lamports that an instruction of the system program takes from an account. */
function paymentOf(
  { action, accounts }: SolanaInstruction,
  from: string,
): { to: string | undefined; lamports: bigint; isTransfer: boolean } | undefined {
  if (action?.name !== 'transferSol' && action?.name !== 'createAccount') return undefined
  const amount = action.facts.find((fact) => 'lamports' in fact)
  if (accounts[0]?.address !== from || !amount || !('lamports' in amount)) return undefined
  return { to: accounts[1]?.address, lamports: amount.lamports, isTransfer: action.name === 'transferSol' }
}
