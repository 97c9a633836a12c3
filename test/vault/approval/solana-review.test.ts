/** Solana transactions as the vault displays them: out of the bytes that it signs, without any node. */
import {
  AddressLookupTableAccount,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
} from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { createTranslate } from '../../../src/copy/copy.ts'
import type { ApprovalRequests } from '../../../src/protocol/frame/approval.ts'
import type { ApproveTransactionProps } from '../../../src/signing/transaction/approve-transaction.tsx'
import { readSignRequest } from '../../../src/vault/approval/sign/kinds.ts'

type Asked = ApprovalRequests['sign']
const [signer, friend, program, table] = Array.from({ length: 4 }, (_, at) =>
  Keypair.fromSeed(new Uint8Array(32).fill(at + 1)),
).map(({ publicKey }) => publicKey) as [PublicKey, PublicKey, PublicKey, PublicKey]
const blockhash = PublicKey.default.toBase58()
const transfer = (lamports: number) =>
  SystemProgram.transfer({ fromPubkey: signer, toPubkey: friend, lamports })
const messageOf = (...instructions: TransactionInstruction[]) =>
  new Transaction({ feePayer: signer, blockhash, lastValidBlockHeight: 1 })
    .add(...instructions)
    .serializeMessage()

async function read(bytes: Uint8Array, more: Partial<Extract<Asked, { kind: 'solanaTransaction' }>> = {}) {
  const address = signer.toBase58()
  const asked: Asked = {
    kind: 'solanaTransaction',
    root: { chainType: 'solana', address },
    walletIndex: 0,
    address,
    action: 'send',
    message: Buffer.from(bytes).toString('base64'),
    ...more,
  }
  const reading = await readSignRequest(asked, { origin: 'https://host.example' }, createTranslate())
  return { ...reading, props: reading.props as ApproveTransactionProps }
}

describe('Solana in the vault', () => {
  test('a plain transfer displays its recipient, amount, fee and total, and counts as one', async () => {
    const { props, transfer: plain } = await read(messageOf(transfer(7)))
    expect(props.preview).toMatchObject({ value: 7n, fee: 5_000n, total: 5_007n, warnings: [] })
    expect(props.preview.actions[0]).toEqual({ kind: 'transfer', to: friend.toBase58(), amount: 7n })
    expect(plain).toMatchObject({ chain: 'solana:mainnet', amount: 7n, fee: 5_000n })
  })

  test.each([
    ['two transfers', [transfer(7), transfer(8)]],
    [
      'a transfer and an unknown program',
      [transfer(7), new TransactionInstruction({ programId: program, keys: [], data: Buffer.from([1]) })],
    ],
    [
      'a transfer that lives by a durable nonce',
      [SystemProgram.nonceAdvance({ noncePubkey: program, authorizedPubkey: signer }), transfer(7)],
    ],
  ])('%s: it does not count as a plain transfer', async (_, instructions) => {
    expect((await read(messageOf(...instructions))).transfer).toBeUndefined()
  })

  test('a transfer to an account of a lookup table is a danger, because the vault can’t resolve it', async () => {
    const lookup = new AddressLookupTableAccount({
      key: table,
      state: {
        deactivationSlot: 0n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
        addresses: [friend],
      },
    })
    const built = new TransactionMessage({
      payerKey: signer,
      recentBlockhash: blockhash,
      instructions: [transfer(7)],
    }).compileToV0Message([lookup])
    const { props, transfer: plain } = await read(built.serialize())
    expect(props.preview.warnings).toContainEqual({ code: 'solana-unknownAccounts', severity: 'danger' })
    expect(plain).toBeUndefined()
  })

  test('while the page asks its nodes nothing can be approved, and short funds are said without its words', async () => {
    const bytes = messageOf(transfer(7))
    const preparing = await read(bytes, { state: 'preparing' })
    expect(preparing.props.preparing).toBe(true)
    expect(preparing.transfer).toBeUndefined()
    const short = await read(bytes, { state: 'underfunded' })
    expect(short.props.preview).toMatchObject({
      isUnderfunded: true,
      warnings: [{ code: 'solana-insufficientFunds', severity: 'danger' }],
    })
    const failing = await read(bytes, { state: 'may-fail' })
    expect(failing.props.preview.warnings).toEqual([{ code: 'may-fail', severity: 'danger' }])
  })
})
