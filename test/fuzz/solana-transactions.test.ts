/** Solana's transactions, made and bent at random: what is shown is what is signed, and nothing else. */
import {
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  VersionedMessage,
} from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvalidRequest } from '../../src/lib/invalid-request.ts'
import { decodeActions } from '../../src/solana/decode.ts'
import { type DecodedMessage, decodeMessage, decodeTransaction } from '../../src/solana/message.ts'
import { assess } from '../../src/solana/warnings.ts'
import { limit } from '../support/limit.ts'
import { counted } from '../support/soak.ts'
import { fuzz, inputs } from './fuzz.ts'

const keys = Array.from(
  { length: 12 },
  (_, at) => Keypair.fromSeed(new Uint8Array(32).fill(at + 31)).publicKey,
)
const [payer] = keys as [PublicKey]
const wallet = payer.toBase58()
const programs = [
  SystemProgram.programId.toBase58(),
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  'ComputeBudget111111111111111111111111111111',
  'Stake11111111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  keys[11]?.toBase58() ?? '',
]
/** Numbers at the head make instructions that programs know; what follows is anything. */
const data = fc.oneof(
  fc.uint8Array({ maxLength: 80 }),
  fc
    .tuple(fc.nat(46), fc.boolean(), fc.uint8Array({ maxLength: 60 }))
    .map(([kind, isWide, rest]) => Uint8Array.from([kind, ...(isWide ? [0, 0, 0] : []), ...rest])),
)
const instruction = fc
  .record({
    programId: fc.constantFrom(...programs),
    keys: fc.array(
      fc.record({ key: fc.nat(keys.length - 1), isSigner: fc.boolean(), isWritable: fc.boolean() }),
      { maxLength: 7 },
    ),
    data,
  })
  .map(
    (each) =>
      new TransactionInstruction({
        programId: new PublicKey(each.programId),
        keys: each.keys.map(({ key, ...role }) => ({ pubkey: keys[key] ?? payer, ...role })),
        data: Buffer.from(each.data),
      }),
  )
const message = fc.array(instruction, { minLength: 1, maxLength: 5 }).map((instructions) => {
  const blockhash = new PublicKey(new Uint8Array(32).fill(9)).toBase58()
  const built = new Transaction({ feePayer: payer, blockhash, lastValidBlockHeight: 1 }).add(...instructions)
  return Uint8Array.from(built.serializeMessage())
})
const bent = fc
  .tuple(message, fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(2)), { minLength: 1, maxLength: 4 }))
  .map(([bytes, changes]) =>
    changes.reduce((now, [where, byte, how]) => {
      const at = where % (now.length + 1)
      const put = how === 0 ? [] : [byte]
      return Uint8Array.from([...now.slice(0, at), ...put, ...now.slice(at + (how === 2 ? 0 : 1))])
    }, bytes),
  )

const typed = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof InvalidRequest) return undefined
    throw cause
  }
}
/** Everything that is shown of a message. */
const shown = (read: DecodedMessage) =>
  JSON.stringify([{ ...read, bytes: undefined }, decodeActions(read)], (_, value) =>
    typeof value === 'bigint' ? `${value}n` : value instanceof Uint8Array ? [...value] : value,
  )

describe(`Solana’s transactions, of ${counted(inputs)} random inputs`, { timeout: limit(600_000) }, () => {
  it('are decoded as web3.js compiles them, with every account’s role', () => {
    fuzz(
      'Solana message',
      message,
      (bytes) => typed(() => decodeMessage(bytes)),
      (read, bytes) => {
        const reference = VersionedMessage.deserialize(bytes)
        expect(read.accounts.map(({ address }) => address)).toEqual(
          reference.staticAccountKeys.map((key) => key.toBase58()),
        )
        expect(read.accounts.map(({ signer, writable }) => [signer, writable])).toEqual(
          reference.staticAccountKeys.map((_, at) => [
            reference.isAccountSigner(at),
            reference.isAccountWritable(at),
          ]),
        )
        expect(read.instructions.map((each) => [...each.data])).toEqual(
          reference.compiledInstructions.map((each) => [...each.data]),
        )
        const actions = decodeActions(read)
        expect(new Set(actions.map((each) => each.instruction)).size).toBe(read.instructions.length)
        const unknown = actions.some(({ kind }) => kind === 'unknown')
        const codes = assess(read, actions, { wallet }).map(({ code }) => code)
        expect(codes.includes('unknownProgram')).toBe(unknown)
      },
    )
  })

  it('are refused, or shown otherwise, once anything in them is changed', () => {
    const known = new Map<string, string>()
    fuzz(
      'bent Solana message',
      bent,
      (bytes) => typed(() => decodeMessage(bytes)),
      (read, bytes) => {
        const text = shown(read)
        const raw = Buffer.from(bytes).toString('hex')
        expect(known.get(text) ?? raw).toBe(raw)
        known.set(text, raw)
      },
    )
  })

  it('are what they are, or refused, when they are only bytes', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 1_300 }),
      bent.map((rest) => Uint8Array.from([1, ...new Uint8Array(64), ...rest])),
    )
    fuzz('Solana transaction', bytes, (raw) => typed(() => decodeActions(decodeTransaction(raw).message)))
  })
})
