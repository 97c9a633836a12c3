import {
  type Address,
  type CompiledTransactionMessage,
  getBase58Decoder,
  getBase58Encoder,
  getBase64Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  lamports,
  address as toAddress,
} from '@solana/kit'
import { FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm'
import { nameOf, type TransactionError } from './errors.ts'

/** An error of the node's, as JSON-RPC has it. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message)
  }
}

type Message = Extract<CompiledTransactionMessage, { version: 'legacy' | 0 }> & { lifetimeToken: string }
/** A transaction that has been run, successfully or not. */
export interface Done {
  signature: string
  slot: number
  time: number
  error: TransactionError | null
  logs: readonly string[]
  units: number
  fee: number
  /** The accounts that it may have changed. */
  touched: readonly Address[]
  /** Nothing for an airdrop, which has no transaction of anybody's. */
  sent?: { bytes: Uint8Array; message: Message; keys: readonly Address[]; pre: number[]; post: number[] }
}

export type Encoding = 'base58' | 'base64'
export const toBase58 = (bytes: Uint8Array) => getBase58Decoder().decode(bytes)
export const toBase64 = (bytes: Uint8Array) => getBase64Decoder().decode(bytes)
export function readAddress(text: unknown): Address {
  try {
    return toAddress(String(text))
  } catch {
    throw new RpcError(-32602, 'Invalid param: Invalid')
  }
}
function decode(text: unknown, encoding: Encoding = 'base58'): Uint8Array {
  try {
    const encoder = encoding === 'base64' ? getBase64Encoder() : getBase58Encoder()
    return Uint8Array.from(encoder.encode(String(text)))
  } catch {
    throw new RpcError(-32602, `invalid ${encoding} encoding`)
  }
}

/** What a chain of Solana knows, and how it changes: a machine in this process, and what it did. */
export function createLedger({ now = Date.now }: { now?: () => number } = {}) {
  const machine = new LiteSVM()
  const done = new Map<string, Done>()
  let slot = Number(machine.getClock().slot)
  // Clients take a blockhash for expired when the height has passed its last one, so there must be a height that grows.
  let height = 1_000

  const balance = (address: Address) => Number(machine.getBalance(address) ?? 0n)
  const read = (text: unknown, encoding?: Encoding) => {
    const bytes = decode(text, encoding)
    try {
      const transaction = getTransactionDecoder().decode(bytes)
      const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes) as Message
      return { bytes, transaction, message }
    } catch {
      throw new RpcError(-32602, 'failed to deserialize solana_transaction::versioned::VersionedTransaction')
    }
  }
  function record(
    signature: string,
    meta: TransactionMetadata,
    error: Done['error'],
    fee: number,
    touched: readonly Address[],
    sent?: Done['sent'],
  ): Done {
    slot++
    height++
    const logs = meta.logs()
    const units = Number(meta.computeUnitsConsumed())
    const time = Math.floor(now() / 1_000)
    const one = { signature, slot, time, error, logs, units, fee, touched, ...(sent && { sent }) }
    done.set(signature, one)
    return one
  }

  return {
    done,
    balance,
    slot: () => slot,
    height: () => height,
    account: (address: Address) => machine.getAccount(address),
    rent: (size: number) => Number(machine.minimumBalanceForRentExemption(BigInt(size))),
    blockhash: () => machine.latestBlockhash(),
    /** 5000 for each signature that a message asks for. */
    fee(text: unknown): number {
      const message = getCompiledTransactionMessageDecoder().decode(decode(text, 'base64'))
      return 5_000 * message.header.numSignerAccounts
    },
    airdrop(address: Address, amount: number): Done {
      const result = machine.airdrop(address, lamports(BigInt(amount)))
      if (!result || result instanceof FailedTransactionMetadata) throw new RpcError(-32603, 'Internal error')
      // The same airdrop again would be the same transaction.
      machine.expireBlockhash()
      return record(toBase58(result.signature()), result, null, 5_000, [address])
    },
    simulate(text: unknown, encoding?: Encoding) {
      const result = machine.simulateTransaction(read(text, encoding).transaction)
      const meta = result.meta()
      return {
        error: result instanceof FailedTransactionMetadata ? nameOf(result.err()) : null,
        logs: meta.logs(),
        units: Number(meta.computeUnitsConsumed()),
      }
    },
    send(text: unknown, encoding?: Encoding): Done {
      const { bytes, transaction, message } = read(text, encoding)
      const keys = message.staticAccounts
      const pre = keys.map(balance)
      const result = machine.sendTransaction(transaction)
      const failed = result instanceof FailedTransactionMetadata
      const post = keys.map(balance)
      const first: ArrayLike<number> | null | undefined = Object.values(transaction.signatures)[0]
      const signature = toBase58(first ? Uint8Array.from(first) : new Uint8Array(64))
      const known = done.get(signature)
      if (known) return known
      const fee = 5_000 * message.header.numSignerAccounts
      const error = failed ? nameOf(result.err()) : null
      const sent = { bytes, message, keys, pre, post }
      return record(signature, failed ? result.meta() : result, error, fee, keys, sent)
    },
  }
}
export type Ledger = ReturnType<typeof createLedger>
