import { ed25519 } from '@noble/curves/ed25519.js'
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
  type Transaction,
  address as toAddress,
} from '@solana/kit'
import { getMintDecoder, getMintEncoder, getTokenDecoder, getTokenSize } from '@solana-program/token'
import { FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm'
import { solanaUsdc, usdcMinterSeed } from '../chains/usdc.ts'
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
  sent?: {
    bytes: Uint8Array
    message: Message
    keys: readonly Address[]
    loaded: { writable: readonly Address[]; readonly: readonly Address[] }
    pre: Balances
    post: Balances
    inner: InnerInstructions
  }
}
export interface Balances {
  lamports: readonly number[]
  tokens: readonly TokenBalance[]
}
export interface TokenBalance {
  accountIndex: number
  mint: Address
  owner: Address
  programId: Address
  uiTokenAmount: TokenAmount
}
export interface TokenAmount {
  amount: string
  decimals: number
  uiAmount: number
  uiAmountString: string
}
/** By the instruction that made them; accounts are numbers among the transaction's own. */
export type InnerInstructions = readonly {
  index: number
  instructions: readonly { program: number; accounts: readonly number[]; data: Uint8Array; height: number }[]
}[]
export type AccountView = { lamports: bigint; owner: Address; data: Uint8Array; executable: boolean }
export interface SimulationOptions {
  encoding?: Encoding | undefined
  sigVerify?: boolean | undefined
  replaceRecentBlockhash?: boolean | undefined
}
export interface SimulationResult {
  error: TransactionError | null
  logs: readonly string[]
  units: number
  keys: readonly Address[]
  inner: InnerInstructions
  /** An account after the transaction; nothing where it has failed. */
  after?: (address: Address) => AccountView | undefined
}
/** Blocks after which a blockhash is too old. */
const BLOCKHASH_LIFE = 150
/** The slots of which programs know the hashes. */
const SLOT_HASHES = 512
const TABLE_HEADER = 56
/** Offset of the value in a nonce account, after its version, state and authority. */
const NONCE_AT = 40
const systemProgram = '11111111111111111111111111111111'
const budgetProgram = 'ComputeBudget111111111111111111111111111111'
const tokenPrograms: readonly string[] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
]

const usdcMinter = getBase58Decoder().decode(ed25519.getPublicKey(usdcMinterSeed))

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

/** USDC is where it is on the network, and whoever sells it here may mint it. */
function addUsdc(machine: LiteSVM): void {
  const data = getMintEncoder().encode({
    mintAuthority: toAddress(usdcMinter),
    supply: 0n,
    decimals: 6,
    isInitialized: true,
    freezeAuthority: null,
  })
  machine.setAccount({
    address: toAddress(solanaUsdc),
    programAddress: toAddress(tokenPrograms[0] ?? ''),
    lamports: lamports(1_461_600n),
    data: Uint8Array.from(data),
    space: BigInt(data.length),
    executable: false,
  })
}

/** What a chain of Solana knows, and how it changes: a machine in this process, and what it did. */
export function createLedger({ now = Date.now }: { now?: () => number } = {}) {
  // Blockhashes live as long as on the network, which the machine, knowing the latest one alone, can't tell.
  const machine = new LiteSVM().withNativeMints().withBlockhashCheck(false)
  addUsdc(machine)
  const done = new Map<string, Done>()
  let slot = Number(machine.getClock().slot)
  // Clients take a blockhash for expired when the height has passed its last one, so there must be a height that grows.
  let height = 1_000
  /** With the last height at which each is good. */
  const blockhashes = new Map<string, number>()
  const mark = () => {
    const hash = machine.latestBlockhash()
    blockhashes.set(hash, height + BLOCKHASH_LIFE)
    return hash
  }
  mark()
  const advance = (blocks: number) => {
    slot += blocks
    height += blocks
    machine.warpToSlot(BigInt(slot))
    // Programs such as that of lookup tables want to know a slot that has just been.
    const [last, ...more] = machine.getSlotHashes()
    if (last) {
      const [before] = machine.getSlotHashes()
      last.slot = BigInt(slot - 1)
      last.hash = machine.latestBlockhash()
      machine.setSlotHashes([last, ...(before ? [before] : []), ...more].slice(0, SLOT_HASHES))
    }
    machine.expireBlockhash()
    mark()
  }
  const isRecent = (hash: unknown) => (blockhashes.get(String(hash)) ?? -1) >= height

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
  const viewOf = (address: Address): AccountView | undefined => {
    const account = machine.getAccount(address)
    if (!account.exists || account.lamports === 0n) return undefined
    const { lamports: amount, programAddress: owner, data, executable } = account
    return { lamports: amount, owner, data: Uint8Array.from(data), executable }
  }
  /** The accounts that a message takes from lookup tables. */
  const loadedBy = (message: Message) => {
    const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : []
    const pick = (table: Address, indexes: readonly number[]) =>
      indexes.flatMap((index) => {
        const at = TABLE_HEADER + index * 32
        const entry = viewOf(table)?.data.slice(at, at + 32)
        return entry?.length === 32 ? [toAddress(toBase58(entry))] : []
      })
    return {
      writable: lookups.flatMap((each) => pick(each.lookupTableAddress, each.writableIndexes)),
      readonly: lookups.flatMap((each) => pick(each.lookupTableAddress, each.readonlyIndexes)),
    }
  }
  const tokenAccount = (address: Address) => {
    const account = viewOf(address)
    if (!account || !tokenPrograms.includes(account.owner) || account.data.length < getTokenSize())
      return undefined
    // In Token-2022 a byte says whether an account with extensions is one of tokens.
    if (account.data.length > getTokenSize() && account.data[getTokenSize()] !== 2) return undefined
    const token = getTokenDecoder().decode(account.data)
    return token.state === 0 ? undefined : { ...token, programId: account.owner }
  }
  const amountOf = (amount: bigint, mint: Address): TokenAmount => {
    const data = viewOf(mint)?.data
    const decimals = data ? getMintDecoder().decode(data).decimals : 0
    const uiAmount = Number(amount) / 10 ** decimals
    return { amount: String(amount), decimals, uiAmount, uiAmountString: String(uiAmount) }
  }
  const balances = (keys: readonly Address[]): Balances => ({
    lamports: keys.map(balance),
    tokens: keys.flatMap((key, accountIndex) => {
      const token = tokenAccount(key)
      if (!token) return []
      const { mint, owner, programId, amount } = token
      return [{ accountIndex, mint, owner, programId, uiTokenAmount: amountOf(amount, mint) }]
    }),
  })
  const innerOf = (meta: TransactionMetadata): InnerInstructions =>
    meta
      .innerInstructions()
      .map((list, index) => ({
        index,
        instructions: list.map((each) => {
          const instruction = each.instruction()
          return {
            program: instruction.programIdIndex(),
            accounts: [...instruction.accounts()],
            data: Uint8Array.from(instruction.data()),
            height: each.stackHeight(),
          }
        }),
      }))
      .filter(({ instructions }) => instructions.length > 0)
  function record(
    signature: string,
    meta: TransactionMetadata,
    error: Done['error'],
    fee: number,
    touched: readonly Address[],
    sent?: Done['sent'],
  ): Done {
    advance(1)
    const logs = meta.logs()
    const units = Number(meta.computeUnitsConsumed())
    const time = Math.floor(now() / 1_000)
    const one = { signature, slot, time, error, logs, units, fee, touched, ...(sent && { sent }) }
    done.set(signature, one)
    return one
  }
  /** Of a recent block, or the value that a nonce account holds while the first instruction advances it. */
  function isAlive(message: Message): boolean {
    if (isRecent(message.lifetimeToken)) return true
    const [first] = message.instructions
    const program = first && message.staticAccounts[first.programAddressIndex]
    const account = message.staticAccounts[first?.accountIndices?.[0] ?? -1]
    if (program !== systemProgram || first?.data?.[0] !== 4 || !account) return false
    const value = viewOf(account)?.data.slice(NONCE_AT, NONCE_AT + 32)
    return value?.length === 32 && toBase58(value) === message.lifetimeToken
  }
  /** 5000 for each signature that a message asks for, and the price of what it may compute. */
  function feeOf(message: Message): number {
    let limit: number | undefined
    let price = 0n
    let others = 0
    let budgets = 0
    for (const { programAddressIndex, data } of message.instructions) {
      const bytes = Uint8Array.from(data ?? [])
      const view = new DataView(bytes.buffer)
      const isBudget = message.staticAccounts[programAddressIndex] === budgetProgram
      if (isBudget) budgets++
      if (!isBudget) others++
      else if (bytes[0] === 2 && bytes.length === 5) limit = view.getUint32(1, true)
      else if (bytes[0] === 3 && bytes.length === 9) price = view.getBigUint64(1, true)
    }
    const units = BigInt(Math.min(limit ?? others * 200_000 + budgets * 3_000, 1_400_000))
    return 5_000 * message.header.numSignerAccounts + Number((price * units + 999_999n) / 1_000_000n)
  }

  return {
    done,
    balance,
    slot: () => slot,
    height: () => height,
    /** Lets blocks pass in which nothing happens. */
    advance,
    account: viewOf,
    rent: (size: number) => Number(machine.minimumBalanceForRentExemption(BigInt(size))),
    blockhash: () => machine.latestBlockhash(),
    isRecent,
    lastValidHeight: () => blockhashes.get(machine.latestBlockhash()) ?? height,
    /** Nothing for a message whose blockhash is not, or no longer, known. */
    fee(text: unknown): number | null {
      const message = getCompiledTransactionMessageDecoder().decode(decode(text, 'base64')) as Message
      return isAlive(message) ? feeOf(message) : null
    },
    /** What transactions have paid for priority that wrote to one of these accounts, or to any, in micro-lamports for each unit. */
    priorityFees(addresses: readonly Address[]): { slot: number; prioritizationFee: number }[] {
      const fees = [...done.values()].flatMap(({ sent, slot: at }) => {
        if (!sent || !addresses.every((each) => sent.keys.includes(each))) return []
        const prices = sent.message.instructions.map(({ programAddressIndex, data }) =>
          sent.message.staticAccounts[programAddressIndex] === budgetProgram &&
          data?.[0] === 3 &&
          data.length === 9
            ? Number(new DataView(Uint8Array.from(data).buffer).getBigUint64(1, true))
            : 0,
        )
        return [{ slot: at, prioritizationFee: Math.max(0, ...prices) }]
      })
      return fees.slice(-150)
    },
    tokenAccounts: (owner: Address) =>
      tokenPrograms
        .flatMap((program) => machine.getProgramAccounts(toAddress(program)))
        .flatMap(({ address }) => {
          const token = tokenAccount(address)
          return token?.owner === owner ? [{ address, ...token }] : []
        }),
    tokenAccount,
    amountOf,
    airdrop(address: Address, amount: number): Done {
      const result = machine.airdrop(address, lamports(BigInt(amount)))
      if (!result || result instanceof FailedTransactionMetadata) throw new RpcError(-32603, 'Internal error')
      return record(toBase58(result.signature()), result, null, 5_000, [address])
    },
    simulate(
      text: unknown,
      { encoding, sigVerify = false, replaceRecentBlockhash = false }: SimulationOptions = {},
    ): SimulationResult {
      const { transaction, message } = read(text, encoding)
      if (!replaceRecentBlockhash && !isAlive(message))
        return { error: nameOf(BLOCKHASH_NOT_FOUND), logs: [], units: 0, keys: [], inner: [] }
      const loaded = loadedBy(message)
      const keys = [...message.staticAccounts, ...loaded.writable, ...loaded.readonly]
      if (sigVerify) assertSigned(transaction)
      machine.withSigverify(false)
      const result = machine.simulateTransaction(transaction)
      machine.withSigverify(true)
      const meta = result.meta()
      const simulated = { logs: meta.logs(), units: Number(meta.computeUnitsConsumed()), keys }
      if (result instanceof FailedTransactionMetadata)
        return { ...simulated, error: nameOf(result.err()), inner: innerOf(meta) }
      const post = new Map(result.postAccounts().map((each) => [each.address, each]))
      const after = (address: Address): AccountView | undefined => {
        const account = post.get(address)
        if (!account) return viewOf(address)
        const { lamports: amount, programAddress: owner, data, executable } = account
        return amount === 0n
          ? undefined
          : { lamports: amount, owner, data: Uint8Array.from(data), executable }
      }
      return { ...simulated, error: null, inner: innerOf(meta), after }
    },
    send(text: unknown, encoding?: Encoding): Done {
      const { bytes, transaction, message } = read(text, encoding)
      const first: ArrayLike<number> | null | undefined = Object.values(transaction.signatures)[0]
      const signature = toBase58(first ? Uint8Array.from(first) : new Uint8Array(64))
      const known = done.get(signature)
      if (known) return known
      if (!isAlive(message)) throw new RpcError(-32002, 'Transaction simulation failed: Blockhash not found')
      assertSigned(transaction)
      const loaded = loadedBy(message)
      const keys = [...message.staticAccounts, ...loaded.writable, ...loaded.readonly]
      const pre = balances(keys)
      const result = machine.sendTransaction(transaction)
      const failed = result instanceof FailedTransactionMetadata
      const post = balances(keys)
      const meta = failed ? result.meta() : result
      const error = failed ? nameOf(result.err()) : null
      const sent = { bytes, message, keys, loaded, pre, post, inner: innerOf(meta) }
      return record(signature, meta, error, feeOf(message), keys, sent)
    },
  }
}
/** Throws unless everybody whose signature the message asks for has signed it. */
function assertSigned({ messageBytes, signatures }: Transaction): void {
  const message = Uint8Array.from(messageBytes)
  const isSigned = Object.entries(signatures).every(
    ([address, signature]) =>
      signature !== null &&
      ed25519.verify(
        Uint8Array.from(signature as ArrayLike<number>),
        message,
        Uint8Array.from(getBase58Encoder().encode(address)),
      ),
  )
  if (!isSigned) throw new RpcError(-32003, 'Transaction signature verification failure')
}

/** As the machine counts its errors. */
const BLOCKHASH_NOT_FOUND = 7
export type Ledger = ReturnType<typeof createLedger>
