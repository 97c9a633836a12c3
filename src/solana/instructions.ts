/** What the instructions of Solana's own programs do, read from their bytes; any other is shown as it is. */
import type { FeeLimits } from '../lib/fee-concern.ts'
import { formatBase58 } from './base58.ts'

/** An account that an instruction names. */
export interface InstructionAccount {
  /** In base58; an account of a lookup table has no address of its own in the transaction. */
  readonly address: string
  readonly signer: boolean
  readonly writable: boolean
}
/** One instruction of a transaction, with everything that it consists of. */
export interface SolanaInstruction {
  readonly program: string
  readonly accounts: readonly InstructionAccount[]
  readonly data: Uint8Array
  /** The action, where it can be named with certainty. */
  readonly action?: InstructionAction | undefined
}
/** The names of what is known; `danger` says why somebody should look twice. */
export interface InstructionAction {
  readonly name: InstructionName
  readonly danger?: InstructionDanger | undefined
  readonly facts: readonly InstructionFact[]
}
export type InstructionFact =
  | { readonly label: FactLabel; readonly address: string }
  | { readonly label: FactLabel; readonly lamports: bigint }
  /** In a token's smallest units, with its decimals where the instruction names them. */
  | { readonly label: FactLabel; readonly units: bigint; readonly decimals?: number | undefined }
  | { readonly label: FactLabel; readonly text: string }
export type FactLabel =
  | 'from'
  | 'recipient'
  | 'spender'
  | 'authority'
  | 'owner'
  | 'account'
  | 'mint'
  | 'amount'
  | 'limit'
  | 'price'
  | 'text'
  | 'space'
export type InstructionName =
  | 'createAccount'
  | 'assign'
  | 'transferSol'
  | 'advanceNonce'
  | 'withdrawNonce'
  | 'initializeNonce'
  | 'authorizeNonce'
  | 'allocate'
  | 'transferToken'
  | 'approveToken'
  | 'revokeToken'
  | 'setAuthority'
  | 'mintToken'
  | 'burnToken'
  | 'closeAccount'
  | 'freezeAccount'
  | 'thawAccount'
  | 'syncNative'
  | 'initializeToken'
  | 'createTokenAccount'
  | 'recoverNested'
  | 'computeLimit'
  | 'computePrice'
  | 'heapSize'
  | 'dataSize'
  | 'memo'
export type InstructionDanger = 'nonce' | 'authority' | 'approve' | 'close' | 'assign'

export const SYSTEM = '11111111111111111111111111111111'
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
const TOKENS = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb']
const TOKEN_ACCOUNTS = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const MEMOS = ['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo']
/** Programs that verify a signature for each of the first byte of their data, for which the network takes a fee. */
const VERIFIERS = [
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]

/** What one signature costs, in lamports. */
const LAMPORTS_PER_SIGNATURE = 5_000n
/** Compute units of an instruction where the transaction sets no limit, and of a whole transaction at most. */
const UNITS_PER_INSTRUCTION = 200_000n
const MOST_UNITS = 1_400_000n
/** A price counts millionths of a lamport. */
const PRICE_UNIT = 1_000_000n

/** Fees that need another look, and those that nobody means. */
export const solanaFeeLimits: FeeLimits = { unusual: 10_000_000n, absurd: 5_000_000_000n }

type Bare = Omit<SolanaInstruction, 'action'>

/** The most that the network takes for a transaction: its signatures, and the price of all that it may compute. */
export function solanaFee(signatures: number, instructions: readonly Bare[]): bigint {
  const verified = instructions.reduce(
    (sum, { program, data }) => sum + (VERIFIERS.includes(program) ? (data[0] ?? 0) : 0),
    0,
  )
  const budget = instructions.filter(({ program }) => program === COMPUTE_BUDGET)
  const price = greatest(budget.map(({ data }) => (data[0] === 3 ? u64(data, 1) : undefined)))
  const limit = greatest(budget.map(({ data }) => (data[0] === 2 ? u32(data, 1) : undefined)))
  const usual = UNITS_PER_INSTRUCTION * BigInt(instructions.length - budget.length)
  const units = least(limit ?? usual, MOST_UNITS)
  const base = LAMPORTS_PER_SIGNATURE * BigInt(signatures + verified)
  return base + ((price ?? 0n) * units + PRICE_UNIT - 1n) / PRICE_UNIT
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)
const greatest = (all: readonly (bigint | undefined)[]) =>
  all.reduce(
    (most, each) => (each !== undefined && (most === undefined || each > most) ? each : most),
    undefined,
  )

/** Decodes an instruction. `undefined` for another program, or for bytes that its program would read differently. */
export function readInstruction(instruction: Bare): InstructionAction | undefined {
  const { program, accounts, data } = instruction
  const at = (index: number) => accounts[index]?.address
  if (program === SYSTEM) return readSystem(at, data)
  if (TOKENS.includes(program)) return readToken(at, data)
  if (program === TOKEN_ACCOUNTS) return readTokenAccounts(at, data)
  if (program === COMPUTE_BUDGET) return readBudget(data)
  if (MEMOS.includes(program)) return readMemo(data)
  return undefined
}

type At = (index: number) => string | undefined

/** An action, if all addresses that it names are there. */
function action(
  name: InstructionName,
  facts: readonly (InstructionFact | readonly [FactLabel, string | undefined])[],
  danger?: InstructionDanger,
): InstructionAction | undefined {
  const read: InstructionFact[] = []
  for (const fact of facts) {
    if ('label' in fact) read.push(fact)
    else if (fact[1] === undefined) return undefined
    else read.push({ label: fact[0], address: fact[1] })
  }
  return { name, facts: read, ...(danger && { danger }) }
}

function readSystem(at: At, data: Uint8Array): InstructionAction | undefined {
  const kind = data.length >= 4 ? Number(u32(data, 0)) : -1
  const has = (length: number) => data.length === length
  const lamports = (offset: number): InstructionFact => ({
    label: 'amount',
    lamports: u64(data, offset) ?? 0n,
  })
  switch (kind) {
    case 0:
      return has(52)
        ? action('createAccount', [
            ['from', at(0)],
            ['account', at(1)],
            lamports(4),
            ['owner', key(data, 20)],
          ])
        : undefined
    case 1:
      return has(36)
        ? action(
            'assign',
            [
              ['account', at(0)],
              ['owner', key(data, 4)],
            ],
            'assign',
          )
        : undefined
    case 2:
      return has(12) ? action('transferSol', [['from', at(0)], ['recipient', at(1)], lamports(4)]) : undefined
    case 3: {
      // The key that the address comes from, and a seed with its length, stand before the rest.
      const seed = Number(u64(data, 36) ?? 0n)
      if (seed > 32 || !has(92 + seed)) return undefined
      return action('createAccount', [
        ['from', at(0)],
        ['account', at(1)],
        lamports(44 + seed),
        ['owner', key(data, 60 + seed)],
      ])
    }
    case 4:
      return has(4)
        ? action(
            'advanceNonce',
            [
              ['account', at(0)],
              ['authority', at(2)],
            ],
            'nonce',
          )
        : undefined
    case 5:
      return has(12)
        ? action('withdrawNonce', [['from', at(0)], ['recipient', at(1)], lamports(4)])
        : undefined
    case 6:
      return has(36)
        ? action('initializeNonce', [
            ['account', at(0)],
            ['authority', key(data, 4)],
          ])
        : undefined
    case 7:
      return has(36)
        ? action(
            'authorizeNonce',
            [
              ['account', at(0)],
              ['authority', key(data, 4)],
            ],
            'authority',
          )
        : undefined
    case 8:
      return has(12)
        ? action('allocate', [['account', at(0)], { label: 'space', text: String(u64(data, 4)) }])
        : undefined
    default:
      return undefined
  }
}

function readToken(at: At, data: Uint8Array): InstructionAction | undefined {
  const [kind] = data
  const has = (length: number) => data.length === length
  const units: InstructionFact = { label: 'amount', units: u64(data, 1) ?? 0n }
  const checked: InstructionFact = { label: 'amount', units: u64(data, 1) ?? 0n, decimals: data[9] }
  switch (kind) {
    case 1:
      return has(1)
        ? action('initializeToken', [
            ['account', at(0)],
            ['mint', at(1)],
            ['owner', at(2)],
          ])
        : undefined
    case 16:
    case 18:
      return has(33)
        ? action('initializeToken', [
            ['account', at(0)],
            ['mint', at(1)],
            ['owner', key(data, 1)],
          ])
        : undefined
    case 3:
      return has(9)
        ? action('transferToken', [['from', at(0)], ['recipient', at(1)], ['authority', at(2)], units])
        : undefined
    case 12:
      return has(10)
        ? action('transferToken', [
            ['from', at(0)],
            ['recipient', at(2)],
            ['mint', at(1)],
            ['authority', at(3)],
            checked,
          ])
        : undefined
    case 4:
      return has(9)
        ? action('approveToken', [['account', at(0)], ['spender', at(1)], units], 'approve')
        : undefined
    case 13:
      return has(10)
        ? action(
            'approveToken',
            [['account', at(0)], ['spender', at(2)], ['mint', at(1)], checked],
            'approve',
          )
        : undefined
    case 5:
      return has(1) ? action('revokeToken', [['account', at(0)]]) : undefined
    case 6: {
      const isNone = has(3) && data[2] === 0
      const isSome = has(35) && data[2] === 1
      if (!isNone && !isSome) return undefined
      return action(
        'setAuthority',
        [['account', at(0)], isSome ? ['authority', key(data, 3)] : { label: 'authority', text: '' }],
        'authority',
      )
    }
    case 7:
      return has(9) ? action('mintToken', [['mint', at(0)], ['recipient', at(1)], units]) : undefined
    case 14:
      return has(10) ? action('mintToken', [['mint', at(0)], ['recipient', at(1)], checked]) : undefined
    case 8:
      return has(9) ? action('burnToken', [['account', at(0)], ['mint', at(1)], units]) : undefined
    case 15:
      return has(10) ? action('burnToken', [['account', at(0)], ['mint', at(1)], checked]) : undefined
    case 9:
      return has(1)
        ? action(
            'closeAccount',
            [
              ['account', at(0)],
              ['recipient', at(1)],
            ],
            'close',
          )
        : undefined
    case 10:
      return has(1)
        ? action('freezeAccount', [
            ['account', at(0)],
            ['mint', at(1)],
          ])
        : undefined
    case 11:
      return has(1)
        ? action('thawAccount', [
            ['account', at(0)],
            ['mint', at(1)],
          ])
        : undefined
    case 17:
      return has(1) ? action('syncNative', [['account', at(0)]]) : undefined
    default:
      return undefined
  }
}

function readTokenAccounts(at: At, data: Uint8Array): InstructionAction | undefined {
  if (data.length > 1) return undefined
  const kind = data[0] ?? 0
  if (kind === 0 || kind === 1)
    return action('createTokenAccount', [
      ['from', at(0)],
      ['account', at(1)],
      ['owner', at(2)],
      ['mint', at(3)],
    ])
  return kind === 2
    ? action('recoverNested', [
        ['account', at(0)],
        ['recipient', at(2)],
        ['owner', at(5)],
      ])
    : undefined
}

function readBudget(data: Uint8Array): InstructionAction | undefined {
  const [kind] = data
  const text = (label: FactLabel, value: bigint | undefined): InstructionFact => ({
    label,
    text: String(value),
  })
  if (kind === 2 && data.length === 5) return action('computeLimit', [text('limit', u32(data, 1))])
  if (kind === 3 && data.length === 9) return action('computePrice', [text('price', u64(data, 1))])
  if (kind === 1 && data.length === 5) return action('heapSize', [text('limit', u32(data, 1))])
  if (kind === 4 && data.length === 5) return action('dataSize', [text('limit', u32(data, 1))])
  return undefined
}

function readMemo(data: Uint8Array): InstructionAction | undefined {
  try {
    return action('memo', [{ label: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(data) }])
  } catch {
    return undefined
  }
}

const view = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.byteLength)
const u32 = (data: Uint8Array, at: number) =>
  data.length >= at + 4 ? BigInt(view(data).getUint32(at, true)) : undefined
const u64 = (data: Uint8Array, at: number) =>
  data.length >= at + 8 ? view(data).getBigUint64(at, true) : undefined
const key = (data: Uint8Array, at: number) =>
  data.length >= at + 32 ? formatBase58(data.slice(at, at + 32)) : undefined
