/** Solana transactions as the vault displays them: out of the bytes that it signs, without any node. */
import { createTransferCheckedInstruction } from '@solana/spl-token'
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
import type { ServerPreview } from '../../../src/vault/server/preview.ts'

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

const noAnswer: ServerPreview = {
  version: 1,
  chain: 'solana:mainnet',
  tokens: {},
  lookups: {},
  disputed: [],
  at: undefined,
  prices: undefined,
  walletCode: undefined,
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

  test('a transfer to an account of a lookup table is a danger until the vault’s server has resolved it', async () => {
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
    const { props, transfer: plain, confirmed } = await read(built.serialize())
    // Nothing is approved before the server has answered, or time is up.
    expect(props.preview).toMatchObject({ balanceChanges: 'waiting', warnings: [] })
    const unanswered = confirmed?.(undefined) as ApproveTransactionProps | undefined
    expect(unanswered?.preview.balanceChanges).toBe('unanswered')
    expect(unanswered?.preview.warnings).toContainEqual({
      code: 'solana-unknownAccounts',
      severity: 'danger',
    })
    expect(props.preview.actions[0]).not.toMatchObject({ to: friend.toBase58() })
    expect(plain).toBeUndefined()
    const withServer = (lookups: ServerPreview['lookups']) =>
      (confirmed?.({ ...noAnswer, lookups }) as ApproveTransactionProps | undefined)?.preview
    const known = withServer({ [table.toBase58()]: { 0: friend.toBase58() } })
    expect(known?.warnings).toEqual([])
    expect(known?.actions[0]).toEqual({ kind: 'transfer', to: friend.toBase58(), amount: 7n })
    // Another table, or another place in it, resolves nothing.
    for (const other of [
      {},
      { [table.toBase58()]: { 1: friend.toBase58() } },
      { [program.toBase58()]: { 0: friend.toBase58() } },
    ])
      expect(withServer(other)?.warnings).toEqual(unanswered?.preview.warnings)
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

  describe('a transfer of more tokens than the wallet has', () => {
    const mint = program
    const tokens = messageOf(createTransferCheckedInstruction(table, mint, friend, signer, 2_500_000n, 6))
    const shortOf = (token: PublicKey): ServerPreview => ({
      ...noAnswer,
      tokens: { [token.toBase58()]: { symbol: 'USDC', decimals: 6, rules: { scale: 1 } } },
      prepared: {
        fee: 5_000n,
        missing: 0n,
        isUnderfunded: false,
        tokenShortage: { token: token.toBase58(), missing: 1_500_000n },
      } as ServerPreview['prepared'],
      simulation: {
        outcome: 'simulated',
        status: 'failed',
        reason: { kind: 'InstructionError' },
        out: [],
        in: [],
        allowances: [],
        isComplete: true,
      },
    })
    const said = async (fundableToken: string | undefined, server: ServerPreview, bytes = tokens) => {
      const { confirmed } = await read(bytes, {
        state: 'may-fail',
        ...(fundableToken !== undefined && { fundableToken }),
      })
      return confirmed?.(server) as ApproveTransactionProps
    }

    test('is told with what the server finds missing, and the page can be asked to add it', async () => {
      expect(await said(mint.toBase58(), shortOf(mint))).toMatchObject({
        isFundable: true,
        preview: {
          isUnderfunded: false,
          tokenShortage: {
            token: mint.toBase58(),
            asset: { symbol: 'USDC', decimals: 6 },
            missing: 1_500_000n,
          },
          warnings: [{ code: 'solana-insufficientFunds', severity: 'danger' }],
        },
      })
    })

    test('is told, without a way to add it where the page offers none, or another token', async () => {
      for (const offered of [undefined, friend.toBase58()]) {
        const { isFundable, preview } = await said(offered, shortOf(mint))
        expect([isFundable, preview.tokenShortage?.missing]).toEqual([undefined, 1_500_000n])
      }
    })

    test.each([
      ['it transfers another token', shortOf(table), tokens],
      [
        'others sign for the tokens',
        shortOf(mint),
        messageOf(createTransferCheckedInstruction(table, mint, friend, friend, 2_500_000n, 6)),
      ],
      ['the server does not say', noAnswer, tokens],
    ] as const)('is reviewed as any other where %s', async (_, server, bytes) => {
      const { isFundable, preview } = await said(mint.toBase58(), server, bytes)
      expect([isFundable, preview.tokenShortage]).toEqual([undefined, undefined])
      expect(preview.warnings).toContainEqual({ code: 'may-fail', severity: 'danger' })
    })
  })
})
