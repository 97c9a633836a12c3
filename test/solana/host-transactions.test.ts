/** Transactions as hosts have them, and the signed ones that they get back. */
import vm from 'node:vm'
import { ed25519 } from '@noble/curves/ed25519.js'
import {
  type Address,
  address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  lamports,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { PublicKey, Transaction, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { getTransferSolInstruction } from '@solana-program/system'
import { describe, expect, test } from 'vitest'
import { readHostTransaction } from '../../src/solana/host-transactions.ts'
import { decodeTransaction } from '../../src/solana/message.ts'
import { NO_BLOCKHASH, parseRequest } from '../../src/solana/prepare.ts'
import { withSignature } from '../../src/solana/submit.ts'
import { legacyTransaction, solanaBlockhash, solanaKeys, transferTo } from '../support/solana-node.ts'

const [payer, friend] = solanaKeys as [(typeof solanaKeys)[0], (typeof solanaKeys)[0]]
const wallet = payer.publicKey.toBase58()
const to = friend.publicKey

/** Reads a host's transaction, signs it, and gives it back. */
function sign(value: unknown) {
  const host = readHostTransaction(value, wallet)
  const { transaction } = parseRequest(host.bytes, wallet)
  const signature = ed25519.sign(transaction.message.bytes, payer.secretKey.slice(0, 32))
  const signed = withSignature(transaction, wallet, signature)
  return { host, transaction, signature, back: host.restore(signed.bytes), bytes: signed.bytes }
}
const kitMessage = (withLife = true) => {
  const source = createNoopSigner(address(wallet))
  const message = appendTransactionMessageInstruction(
    getTransferSolInstruction({ source, destination: address(to.toBase58()), amount: lamports(5n) }),
    setTransactionMessageFeePayer(address(wallet), createTransactionMessage({ version: 0 })),
  )
  return withLife
    ? setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: solanaBlockhash as Blockhash, lastValidBlockHeight: 9n },
        message,
      )
    : message
}
const modern = () =>
  new VersionedTransaction(
    new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: solanaBlockhash,
      instructions: [transferTo(to, 5)],
    }).compileToV0Message(),
  )

describe('a host’s transaction', () => {
  test('bytes: they come back as bytes, signed', () => {
    const { host, back, bytes } = sign(legacyTransaction())
    expect(host.kind).toBe('bytes')
    expect(back).toEqual(bytes)
    expect(Transaction.from(back as Uint8Array).verifySignatures()).toBe(true)
  })

  test('bytes: those of another frame are read as well', () => {
    const foreign = vm.runInNewContext(`Uint8Array.from([${legacyTransaction()}])`)
    expect(foreign).not.toBeInstanceOf(Uint8Array)
    expect(sign(foreign).host.kind).toBe('bytes')
  })

  test('web3.js: a transaction comes back as one, and the host’s own stays unsigned', () => {
    const given = new Transaction({
      feePayer: payer.publicKey,
      blockhash: solanaBlockhash,
      lastValidBlockHeight: 1,
    }).add(transferTo(to, 5))
    const { host, back } = sign(given)
    expect(host.kind).toBe('legacy')
    expect(back).toBeInstanceOf(Transaction)
    expect((back as Transaction).verifySignatures()).toBe(true)
    expect(given.signature).toBeNull()
  })

  test('web3.js: one that names neither payer nor blockhash is paid by the wallet, and waits for a blockhash', () => {
    const given = new Transaction().add(transferTo(to, 5))
    const { message } = decodeTransaction(readHostTransaction(given, wallet).bytes)
    expect(message).toMatchObject({ payer: wallet, blockhash: NO_BLOCKHASH, signers: [wallet] })
    expect(given.recentBlockhash).toBeUndefined()
    expect(given.feePayer).toBeUndefined()
  })

  test('web3.js: a versioned transaction comes back as one', () => {
    const { host, back, transaction } = sign(modern())
    expect(host.kind).toBe('versioned')
    expect(back).toBeInstanceOf(VersionedTransaction)
    const { signatures, message } = back as VersionedTransaction
    expect(
      ed25519.verify(signatures[0] ?? new Uint8Array(), message.serialize(), payer.publicKey.toBytes()),
    ).toBe(true)
    expect(transaction.message.version).toBe(0)
  })

  test('kit: a transaction comes back as one that kit can send', () => {
    const given = compileTransaction(kitMessage() as Parameters<typeof compileTransaction>[0])
    const { host, back, signature, bytes } = sign(given)
    expect(host.kind).toBe('kit')
    expect(back).toMatchObject({ signatures: { [wallet]: signature } })
    const wire = getBase64EncodedWireTransaction(back as typeof given)
    expect(wire).toBe(Buffer.from(bytes).toString('base64'))
    expect(given.signatures[wallet as Address]).toBeNull()
  })

  test('kit: a message becomes a signed transaction, and may wait for a blockhash', () => {
    const { host, back, signature } = sign(kitMessage())
    expect(host.kind).toBe('kitMessage')
    expect(back).toMatchObject({ signatures: { [wallet]: signature } })
    const waiting = readHostTransaction(kitMessage(false), wallet)
    expect(decodeTransaction(waiting.bytes).message.blockhash).toBe(NO_BLOCKHASH)
  })

  test('signer: a transaction without the wallet is refused by the specification’s words', () => {
    const stranger = PublicKey.unique().toBase58()
    const host = readHostTransaction(modern(), stranger)
    expect(() => parseRequest(host.bytes, stranger)).toThrow(
      `Transaction does not contain public key ${stranger}`,
    )
    expect(() => readHostTransaction(new Transaction().add(transferTo(to, 5)), stranger)).toThrow(
      `Transaction does not contain public key ${stranger}`,
    )
  })

  test('signer: an account that the transaction only names does not sign', () => {
    const host = readHostTransaction(modern(), to.toBase58())
    expect(() => parseRequest(host.bytes, to.toBase58())).toThrow('Transaction does not contain public key')
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['text', 'AQAAAA'],
    ['a plain object', {}],
    ['instructions that are none', { instructions: [{}], serialize: () => new Uint8Array() }],
    ['a message that is no bytes', { messageBytes: 'x', signatures: {} }],
    [
      'a short signature',
      { messageBytes: modern().message.serialize(), signatures: { [wallet]: new Uint8Array(3) } },
    ],
    [
      'a getter that throws',
      {
        get messageBytes() {
          throw new Error('no')
        },
      },
    ],
    [
      'a serializer that throws',
      {
        message: {},
        signatures: [],
        serialize: () => {
          throw new TypeError('no')
        },
      },
    ],
  ])('input: %s is refused', (_, value) => {
    expect(() => parseRequest(readHostTransaction(value, wallet).bytes, wallet)).toThrow(
      expect.objectContaining({ name: 'InvalidRequest' }),
    )
  })
})
