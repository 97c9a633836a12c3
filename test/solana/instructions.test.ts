/** What instructions of Solana say that they do, and what a transaction costs at most. */
import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Ed25519Program,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
} from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { rankWarnings } from '../../src/signing/preview.ts'
import { describeInstruction } from '../../src/signing/solana/describe.ts'
import { toSolanaPreview } from '../../src/signing/solana/preview.ts'
import type { DecodedMessage } from '../../src/solana/message.ts'
import { readSignableMessage, reviewMessage } from '../../src/solana/review.ts'

const payer = Keypair.generate()
const from = payer.publicKey
const [to, mint, account, delegate] = Array.from({ length: 4 }, () => Keypair.generate().publicKey) as [
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
]
const blockhash = PublicKey.default.toBase58()
const token = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const token2022 = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
const tokenAccounts = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
const memo = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

function read(...instructions: TransactionInstruction[]) {
  const built = new Transaction({ feePayer: from, blockhash, lastValidBlockHeight: 1 }).add(...instructions)
  const message = readSignableMessage(built.serializeMessage(), from.toBase58())
  if (!message) throw new Error('It is no transaction')
  return message
}
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return [...bytes]
}
const of = (programId: PublicKey, keys: PublicKey[], data: number[]) =>
  new TransactionInstruction({
    programId,
    keys: keys.map((pubkey) => ({ pubkey, isSigner: pubkey === from, isWritable: true })),
    data: Buffer.from(data),
  })
const transfer = (lamports = 5) => SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports })
const price = (microLamports: bigint) => ComputeBudgetProgram.setComputeUnitPrice({ microLamports })
const limit = (units: number) => ComputeBudgetProgram.setComputeUnitLimit({ units })

const preview = (message: DecodedMessage) =>
  toSolanaPreview(reviewMessage(message, from.toBase58()), {
    origin: 'https://a.example',
    network: { name: 'Solana' },
  })
/** The first instruction as the screen names it, and the gravest warning. */
function described(...instructions: TransactionInstruction[]) {
  const { actions, warnings } = preview(read(...instructions))
  const action = actions.find(({ kind }) => kind === 'instruction')
  const [danger] = rankWarnings(warnings)
  return {
    ...(action?.kind === 'instruction' && describeInstruction(action.instruction)),
    ...(danger && { danger: danger.code, severity: danger.severity }),
  }
}
const sol = { symbol: 'SOL', decimals: 9 }

describe('fee', () => {
  test.each<[string, TransactionInstruction[], bigint]>([
    ['one signature', [transfer()], 5_000n],
    ['a price and a limit', [price(1_000_000n), limit(300_000), transfer()], 305_000n],
    ['a price without a limit', [price(1_000_000n), transfer()], 208_000n],
    [
      'a price for several instructions without a limit',
      [price(1_000_000n), transfer(), transfer()],
      408_000n,
    ],
    ['a limit above the greatest', [price(1_000_000n), limit(4_000_000_000), transfer()], 1_405_000n],
    ['a limit without a price', [limit(1_400_000), transfer()], 5_000n],
    ['a part of a lamport', [price(1n), limit(1), transfer()], 5_001n],
    ['two prices', [price(1n), price(1_000_000n), limit(100_000), transfer()], 105_000n],
    [
      'a signature that a program verifies',
      [
        Ed25519Program.createInstructionWithPrivateKey({
          privateKey: payer.secretKey,
          message: Buffer.from('a'),
        }),
        transfer(),
      ],
      10_000n,
    ],
  ])('fee: %s', (_, instructions, fee) => {
    expect(preview(read(...instructions)).fee).toBe(fee)
  })

  test.each<[string, TransactionInstruction[]]>([
    ['at a price of 14,000 SOL', [price(10n ** 13n), limit(1_400_000), transfer()]],
    ['at the greatest price', [price((1n << 64n) - 1n), transfer()]],
    ['at a price that comes last', [transfer(), limit(1_400_000), price(10n ** 13n)]],
    ['at two prices, the lower one last', [price(10n ** 13n), price(1n), transfer()]],
    ['of 6 SOL', [price(6n * 10n ** 9n), limit(1_000_000), transfer()]],
  ])('fee: one that nobody means is refused, %s', (_, instructions) => {
    expect(() => preview(read(...instructions))).toThrow('out of all proportion')
  })

  test('fee: it is in the total, and an unusual one needs another look', () => {
    expect(preview(read(price(10n ** 9n), limit(1_000_000), transfer(2_000_000_000)))).toMatchObject({
      value: 2_000_000_000n,
      fee: 1_000_005_000n,
      total: 3_000_005_000n,
      feeConcern: 'high',
    })
    expect(preview(read(price(10n ** 6n), limit(1_000_000), transfer(2_000_000)))).toMatchObject({
      fee: 1_005_000n,
      feeConcern: 'share',
    })
    const usual = preview(read(transfer(2_000_000)))
    expect(usual).toMatchObject({ fee: 5_000n, total: 2_005_000n })
    expect(usual.feeConcern).toBeUndefined()
  })
})

test('several transfers: each has its own recipient and amount, and the total counts them all', () => {
  const two = SystemProgram.transfer({ fromPubkey: from, toPubkey: mint, lamports: 9 })
  const { value, total, actions } = preview(read(transfer(7), two))
  expect([value, total]).toEqual([16n, 5_016n])
  const facts = actions.map((each) =>
    each.kind === 'instruction' ? describeInstruction(each.instruction)?.facts : [],
  )
  expect(facts).toEqual([
    expect.arrayContaining([
      { label: 'recipient', address: to.toBase58() },
      { label: 'amount', amount: 7n, asset: sol },
    ]),
    expect.arrayContaining([
      { label: 'recipient', address: mint.toBase58() },
      { label: 'amount', amount: 9n, asset: sol },
    ]),
  ])
})

describe('instructions', () => {
  const nonce = SystemProgram.nonceAdvance({ noncePubkey: account, authorizedPubkey: from })
  const key = [...to.toBytes()]
  test.each<[string, TransactionInstruction, object]>([
    [
      'coins',
      transfer(7),
      { name: 'transferSol', facts: expect.arrayContaining([{ label: 'amount', amount: 7n, asset: sol }]) },
    ],
    [
      'a new account',
      SystemProgram.createAccount({
        fromPubkey: from,
        newAccountPubkey: from,
        lamports: 9,
        space: 1,
        programId: token,
      }),
      { name: 'createAccount' },
    ],
    [
      'a new account with a seed',
      SystemProgram.createAccountWithSeed({
        fromPubkey: from,
        newAccountPubkey: account,
        basePubkey: from,
        seed: 'seed',
        lamports: 9,
        space: 1,
        programId: token,
      }),
      {
        name: 'createAccount',
        facts: expect.arrayContaining([
          { label: 'amount', amount: 9n, asset: sol },
          { label: 'program', address: token.toBase58() },
        ]),
      },
    ],
    [
      'an account for a program',
      SystemProgram.assign({ accountPubkey: from, programId: token }),
      { name: 'assign', danger: 'solana-walletAccount', severity: 'danger' },
    ],
    ['a durable nonce', nonce, { name: 'nonce.advance', danger: 'solana-durableNonce', severity: 'danger' }],
    [
      'the authority of a nonce',
      SystemProgram.nonceAuthorize({ noncePubkey: account, authorizedPubkey: from, newAuthorizedPubkey: to }),
      { name: 'nonce.authorize', danger: 'solana-authority', severity: 'danger' },
    ],
    [
      'tokens',
      of(token, [account, to, from], [3, ...u64(5n)]),
      { name: 'transferToken', facts: expect.arrayContaining([{ label: 'amount', units: 5n }]) },
    ],
    [
      'tokens with decimals',
      of(token, [account, mint, to, from], [12, ...u64(5n), 6]),
      {
        name: 'transferToken',
        facts: expect.arrayContaining([
          { label: 'amount', amount: 5n, asset: { symbol: '', decimals: 6 } },
          { label: 'mint', address: mint.toBase58() },
        ]),
      },
    ],
    [
      'tokens whose units nobody has named',
      of(token2022, [account, mint, to, from], [12, ...u64(5n), 6]),
      { name: 'transferToken', facts: expect.arrayContaining([{ label: 'amount', units: 5n }]) },
    ],
    [
      'an allowance',
      of(token, [account, delegate, from], [4, ...u64(5n)]),
      { name: 'approveToken', danger: 'solana-approval', severity: 'danger' },
    ],
    [
      'an allowance with decimals',
      of(token, [account, mint, delegate, from], [13, ...u64(5n), 6]),
      {
        name: 'approveToken',
        danger: 'solana-approval',
        facts: expect.arrayContaining([{ label: 'spender', address: delegate.toBase58() }]),
      },
    ],
    [
      'another authority',
      of(token, [account, from], [6, 2, 1, ...key]),
      {
        name: 'setAuthority',
        danger: 'solana-ownerChange',
        facts: expect.arrayContaining([{ label: 'newOwner', address: to.toBase58() }]),
      },
    ],
    [
      'no authority',
      of(token2022, [account, from], [6, 2, 0]),
      { name: 'setAuthority', danger: 'solana-ownerChange' },
    ],
    [
      'the end of an account',
      of(token, [account, to, from], [9]),
      {
        name: 'closeAccount',
        danger: 'solana-closeToOther',
        facts: expect.arrayContaining([{ label: 'recipient', address: to.toBase58() }]),
      },
    ],
    [
      'an account for tokens',
      of(tokenAccounts, [from, account, to, mint, SystemProgram.programId, token], []),
      { name: 'createTokenAccount' },
    ],
    [
      'an account for tokens, if there is none',
      of(tokenAccounts, [from, account, to, mint, SystemProgram.programId, token], [1]),
      { name: 'createTokenAccount' },
    ],
    [
      'a memo',
      of(memo, [from], [...Buffer.from('Hi')]),
      { name: 'memo', facts: [{ label: 'text', text: 'Hi' }] },
    ],
  ])('instructions: %s is named', (_, instruction, action) => {
    expect(described(instruction)).toMatchObject(action)
  })

  test.each<[string, TransactionInstruction]>([
    ['another program', of(mint, [from, to], [3, ...u64(5n)])],
    ['a longer transfer', of(token, [account, to, from], [3, ...u64(5n), 0])],
    ['a shorter transfer', of(token, [account, to, from], [3, 1])],
    ['a transfer without its accounts', of(token, [account], [3, ...u64(5n)])],
    ['an unknown instruction', of(token, [account], [200])],
    ['an authority that is cut', of(token, [account, from], [6, 2, 1, 1])],
    ['a memo that is no text', of(memo, [from], [0xff])],
    [
      'a transfer of the system program that is cut',
      of(SystemProgram.programId, [from, to], [2, 0, 0, 0, 1]),
    ],
  ])('instructions: %s is shown as it is, with its accounts and data', (_, instruction) => {
    const [action] = preview(read(instruction)).actions
    const shown = action?.kind === 'instruction' ? action.instruction : undefined
    expect(shown?.kind).toBe('unknown')
    expect(described(instruction)).toEqual({ danger: 'solana-unknownProgram', severity: 'danger' })
    expect([...(shown?.data ?? [])]).toEqual([...instruction.data])
    expect(shown?.accounts.map(({ address }) => address)).toEqual(
      instruction.keys.map(({ pubkey }) => pubkey.toBase58()),
    )
  })

  test('instructions: accounts say whether they sign and can be changed, those of lookup tables as well', () => {
    const table = new AddressLookupTableAccount({
      key: mint,
      state: {
        deactivationSlot: 0n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
        addresses: [account, to],
      },
    })
    const instruction = new TransactionInstruction({
      programId: delegate,
      keys: [
        { pubkey: from, isSigner: true, isWritable: true },
        { pubkey: to, isSigner: false, isWritable: true },
        { pubkey: account, isSigner: false, isWritable: false },
      ],
      data: Buffer.from([1]),
    })
    const built = new TransactionMessage({
      payerKey: from,
      recentBlockhash: blockhash,
      instructions: [instruction],
    }).compileToV0Message([table])
    const message = readSignableMessage(built.serialize(), from.toBase58())
    expect(message?.instructions[0]?.accounts).toEqual([
      { address: from.toBase58(), isResolved: true, signer: true, writable: true },
      { address: `${mint.toBase58()} #1`, isResolved: false, signer: false, writable: true },
      { address: `${mint.toBase58()} #0`, isResolved: false, signer: false, writable: false },
    ])
    expect(message && preview(message).warnings).toContainEqual({
      code: 'solana-unknownAccounts',
      severity: 'danger',
    })
  })

  test('instructions: bytes that another reader takes for a transaction of this wallet are refused', () => {
    const bytes = new Transaction({ feePayer: from, blockhash, lastValidBlockHeight: 1 })
      .add(transfer())
      .serializeMessage()
    const longer = Buffer.concat([bytes, Buffer.from([0])])
    expect(() => readSignableMessage(longer, from.toBase58())).toThrow("can't be read")
    const later = Buffer.concat([Buffer.from([0x81]), bytes])
    expect(() => readSignableMessage(later, from.toBase58())).toThrow('not supported')
    for (const text of ['hello', 'Привет', `Sign in as ${from.toBase58()}`])
      expect(readSignableMessage(Buffer.from(text), from.toBase58())).toBeUndefined()
  })
})

test('what a delegate may take is displayed in the units of its token, and without a symbol by the mint alone', () => {
  const named = mint.toBase58()
  const allowance = { kind: 'delegate', account: account.toBase58(), to: delegate.toBase58() } as const
  const changes = { out: [], in: [], allowances: [{ ...allowance, mint: named, amount: 7_500_000n }] }
  const shown = (figures: { symbol?: string; decimals?: number }) =>
    toSolanaPreview(
      {
        ...reviewMessage(read(transfer()), from.toBase58()),
        balanceChanges: changes,
        tokens: { [named]: { ...figures, rules: { scale: 1, transferFee: undefined } } },
      },
      { origin: 'https://a.example', network: { name: 'Solana' } },
    ).balanceChanges
  expect(shown({ symbol: 'CASH', decimals: 6 })).toMatchObject({
    allowances: [{ token: named, amount: 7_500_000n, asset: { symbol: 'CASH', decimals: 6 } }],
  })
  expect(shown({})).not.toMatchObject({ allowances: [{ asset: {} }] })
})
