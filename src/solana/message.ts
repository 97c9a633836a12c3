/** Solana's transactions and messages, decoded strictly by `@solana/kit`: what is read is written by exactly these bytes. */
import {
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
} from '@solana/kit'
import { InvalidRequest } from '../lib/invalid-request.ts'

/** An account of a message. */
export interface MessageAccount {
  /** In base58. Before its lookup table is resolved, the table's address and a number (`table #3`). */
  readonly address: string
  /** `false` for an account of a lookup table whose content is not known. */
  readonly isResolved: boolean
  readonly signer: boolean
  readonly writable: boolean
}
export interface MessageInstruction {
  readonly program: string
  readonly accounts: readonly MessageAccount[]
  readonly data: Uint8Array
}
/** A lookup table, and the entries that a message takes from it. */
export interface TableLookup {
  readonly table: string
  readonly writable: readonly number[]
  readonly readonly: readonly number[]
}
export interface DecodedMessage {
  readonly bytes: Uint8Array
  readonly version: 'legacy' | 0
  /** A recent blockhash, or the value of a durable nonce, in base58. */
  readonly blockhash: string
  /** Pays the fee, and is the first signer. */
  readonly payer: string
  readonly signers: readonly string[]
  /** All accounts in the order in which instructions and a node's metadata count them. */
  readonly accounts: readonly MessageAccount[]
  readonly instructions: readonly MessageInstruction[]
  readonly lookups: readonly TableLookup[]
}
export interface DecodedTransaction {
  readonly bytes: Uint8Array
  readonly message: DecodedMessage
  /** In the order of the message's signers; `undefined` where one is missing. */
  readonly signatures: readonly (Uint8Array | undefined)[]
}

/** Bytes of the largest transaction: what fits into one packet of the network. */
export const MAX_TRANSACTION_SIZE = 1_232
const SIGNATURE_SIZE = 64
/** Set in the first byte of a message that has a version, and of a transaction from version 1 on. */
const VERSIONED = 0x80

type Compiled = Extract<CompiledTransactionMessage, { version: 'legacy' | 0 }> &
  CompiledTransactionMessageWithLifetime

/**
 * Decodes a transaction of the legacy form or of version 0. Throws an {@link InvalidRequest} for anything else, and for
 * bytes that another encoder would write differently.
 */
export function decodeTransaction(bytes: Uint8Array): DecodedTransaction {
  const count = bytes[0] ?? 0
  if (count === (VERSIONED | 1)) throw unsupported()
  const start = 1 + SIGNATURE_SIZE * count
  if (bytes.length > MAX_TRANSACTION_SIZE || count === 0 || count >= VERSIONED || start >= bytes.length)
    throw unreadable()
  const message = decodeMessage(bytes.subarray(start))
  if (message.signers.length !== count) throw unreadable()
  const signatures = message.signers.map((_, at) => {
    const signature = bytes.slice(1 + SIGNATURE_SIZE * at, 1 + SIGNATURE_SIZE * (at + 1))
    return signature.some(Boolean) ? signature : undefined
  })
  return { bytes: Uint8Array.from(bytes), message, signatures }
}

/** Writes a transaction: a missing signature is all zeros. */
export function encodeTransaction(
  message: Uint8Array,
  signatures: readonly (Uint8Array | undefined)[],
): Uint8Array {
  const bytes = new Uint8Array(1 + SIGNATURE_SIZE * signatures.length + message.length)
  bytes[0] = signatures.length
  signatures.forEach((signature, at) => {
    if (signature) bytes.set(signature, 1 + SIGNATURE_SIZE * at)
  })
  bytes.set(message, 1 + SIGNATURE_SIZE * signatures.length)
  return bytes
}

/** Decodes the message of a transaction, which is what is signed. Throws like {@link decodeTransaction}. */
export function decodeMessage(bytes: Uint8Array): DecodedMessage {
  const [first = 0] = bytes
  if (first > VERSIONED) throw unsupported()
  if (bytes.length > MAX_TRANSACTION_SIZE) throw unreadable()
  const compiled = decodeExactly(bytes)
  if (!compiled) throw unreadable()
  const { staticAccounts, header, version } = compiled
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header
  const [payer] = staticAccounts
  const isSane =
    numReadonlySignerAccounts < numSignerAccounts &&
    numSignerAccounts + numReadonlyNonSignerAccounts <= staticAccounts.length &&
    new Set(staticAccounts).size === staticAccounts.length
  if (payer === undefined || !isSane) throw unreadable()

  const lookups = lookupsOf(compiled)
  const accounts: MessageAccount[] = [
    ...staticAccounts.map((address, at) => ({
      address: String(address),
      isResolved: true,
      signer: at < numSignerAccounts,
      writable:
        at < numSignerAccounts
          ? at < numSignerAccounts - numReadonlySignerAccounts
          : at < staticAccounts.length - numReadonlyNonSignerAccounts,
    })),
    ...lookups.flatMap(({ table, writable }) => writable.map((index) => lookedUp(table, index, true))),
    ...lookups.flatMap(({ table, readonly }) => readonly.map((index) => lookedUp(table, index, false))),
  ]
  const instructions = compiled.instructions.map(({ programAddressIndex, accountIndices, data }) => {
    const program = staticAccounts[programAddressIndex]
    // Neither the account that pays nor one of a lookup table can be a program.
    if (program === undefined || programAddressIndex === 0)
      throw new InvalidRequest('The transaction refers to a program that is not among its accounts')
    return {
      program: String(program),
      accounts: (accountIndices ?? []).map((index) => {
        const account = accounts[index]
        if (!account)
          throw new InvalidRequest('The transaction refers to an account that is not among its accounts')
        return account
      }),
      data: Uint8Array.from(data ?? []),
    }
  })
  return {
    bytes: Uint8Array.from(bytes),
    version,
    blockhash: compiled.lifetimeToken,
    payer: String(payer),
    signers: staticAccounts.slice(0, numSignerAccounts).map(String),
    accounts,
    instructions,
    lookups,
  }
}

/** Accounts of a lookup table, by their places in it. */
type TableAccounts = Readonly<Record<number, string>>

/** The same message with the accounts of those tables that are given; of all others they stay unresolved. */
export function resolveLookups(
  message: DecodedMessage,
  tables: ReadonlyMap<string, TableAccounts>,
): DecodedMessage {
  const resolved = new Map<string, MessageAccount>()
  for (const { table, writable, readonly } of message.lookups)
    for (const [indexes, isWritable] of [
      [writable, true],
      [readonly, false],
    ] as const)
      for (const index of indexes) {
        const address = tables.get(table)?.[index]
        const account = lookedUp(table, index, isWritable)
        if (address !== undefined) resolved.set(placeOf(account), { ...account, address, isResolved: true })
      }
  const resolve = (account: MessageAccount) =>
    account.isResolved ? account : (resolved.get(placeOf(account)) ?? account)
  return {
    ...message,
    accounts: message.accounts.map(resolve),
    instructions: message.instructions.map((each) => ({ ...each, accounts: each.accounts.map(resolve) })),
  }
}

/** The accounts that a message takes from lookup tables, as far as they are resolved, by table. */
export function foundLookups({ lookups, accounts }: DecodedMessage): Readonly<Record<string, TableAccounts>> {
  const places = (['writable', 'readonly'] as const).flatMap((kind) =>
    lookups.flatMap((lookup) => lookup[kind].map((at) => ({ table: lookup.table, at }))),
  )
  const found: Record<string, Record<number, string>> = {}
  for (const [order, { table, at }] of places.entries()) {
    const account = accounts[accounts.length - places.length + order]
    const known = found[table] ?? {}
    if (account?.isResolved) known[at] = account.address
    found[table] = known
  }
  return found
}

const placeOf = ({ address, writable }: MessageAccount) => `${address} ${writable}`

const lookedUp = (table: string, index: number, writable: boolean): MessageAccount => ({
  address: `${table} #${index}`,
  isResolved: false,
  signer: false,
  writable,
})

const lookupsOf = (compiled: Compiled): readonly TableLookup[] =>
  compiled.version === 0
    ? (compiled.addressTableLookups ?? []).map(
        ({ lookupTableAddress, writableIndexes, readonlyIndexes }) => ({
          table: String(lookupTableAddress),
          writable: [...writableIndexes],
          readonly: [...readonlyIndexes],
        }),
      )
    : []

/** The decoder ignores whatever follows, so the value is encoded again and compared. */
function decodeExactly(bytes: Uint8Array): Compiled | undefined {
  try {
    const compiled = getCompiledTransactionMessageDecoder().decode(bytes) as Compiled
    return areEqual(getCompiledTransactionMessageEncoder().encode(compiled), bytes) ? compiled : undefined
  } catch {
    return undefined
  }
}

export const areEqual = (one: ArrayLike<number>, other: ArrayLike<number>): boolean =>
  one.length === other.length && Array.prototype.every.call(one, (byte, at) => byte === other[at])

const unreadable = () => new InvalidRequest("The transaction can't be read")
const unsupported = () => new InvalidRequest('Transactions of this version are not supported')
