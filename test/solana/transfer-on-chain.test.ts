/** Transfers of the form, on a chain of Solana in this process: coins, tokens of both programs, rent, the maximum and balances. */
import { ed25519 } from '@noble/curves/ed25519.js'
import {
  AccountState,
  createAssociatedTokenAccountInstruction,
  createEnableRequiredMemoTransfersInstruction,
  createInitializeDefaultAccountStateInstruction,
  createInitializeInterestBearingMintInstruction,
  createInitializeMintInstruction,
  createInitializeNonTransferableMintInstruction,
  createInitializeScaledUiAmountConfigInstruction,
  createInitializeTransferFeeConfigInstruction,
  createInitializeTransferHookInstruction,
  createMint,
  createMintToInstruction,
  createReallocateInstruction,
  ExtensionType,
  getAssociatedTokenAddressSync,
  getMintLen,
  getOrCreateAssociatedTokenAccount,
  mintTo,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Solana, startSolana } from '../../demo/world/solana/solana.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { InvalidRequest } from '../../src/lib/invalid-request.ts'
import { type Asset, type BalanceChanges, formatAmount, outflowsOf } from '../../src/signing/preview.ts'
import { describeInstruction } from '../../src/signing/solana/describe.ts'
import { toSolanaPreview } from '../../src/signing/solana/preview.ts'
import { prepare } from '../../src/solana/prepare.ts'
import { type SolanaPreview, toPreview } from '../../src/solana/preview.ts'
import { createSolanaRpc } from '../../src/solana/rpc.ts'
import { simulate } from '../../src/solana/simulate.ts'
import { submit, withSignature } from '../../src/solana/submit.ts'
import { associatedAccount, readSplBalances, type SplBalance } from '../../src/solana/token-metadata.ts'
import { readTokenRules } from '../../src/solana/token-rules.ts'
import {
  inspectRecipient,
  quoteMaximum,
  type SolanaTransfer,
  transferRequest,
} from '../../src/solana/transfer.ts'
import { freePort } from '../support/chains.ts'

let solana: Solana
let connection: Connection
const owner = Keypair.generate()
const wallet = owner.publicKey.toBase58()
const cx = () => ({
  rpc: createSolanaRpc({ urls: [solana.url], fetch, clock: systemClock }),
  clock: systemClock,
})
const mints: Record<'token' | 'token2022', string> = { token: '', token2022: '' }
const programs = { token: TOKEN_PROGRAM_ID, token2022: TOKEN_2022_PROGRAM_ID }
const assetOf = (kind: 'token' | 'token2022') => ({
  mint: mints[kind],
  program: programs[kind].toBase58(),
  decimals: 6,
  rules: { scale: 1, accountSize: kind === 'token' ? 165 : 170, beginsFrozen: false },
})
const someone = () => Keypair.generate().publicKey.toBase58()

async function fund(key: PublicKey, sol: number) {
  await connection.confirmTransaction(await connection.requestAirdrop(key, sol * LAMPORTS_PER_SOL))
}
async function mint(program: PublicKey): Promise<string> {
  const made = await createMint(connection, owner, owner.publicKey, null, 6, undefined, undefined, program)
  const { address } = await getOrCreateAssociatedTokenAccount(
    connection,
    owner,
    made,
    owner.publicKey,
    undefined,
    undefined,
    undefined,
    program,
  )
  await mintTo(connection, owner, made, address, owner, 1_304_530_000n, [], undefined, program)
  return made.toBase58()
}

beforeAll(async () => {
  solana = await startSolana({ port: await freePort(1) })
  connection = new Connection(solana.url, 'confirmed')
  await fund(owner.publicKey, 50)
  mints.token = await mint(TOKEN_PROGRAM_ID)
  mints.token2022 = await mint(TOKEN_2022_PROGRAM_ID)
})
afterAll(() => solana.close())

/** Prepares, previews, signs and sends a transfer. */
async function send(transfer: SolanaTransfer, signer = owner) {
  const prepared = await prepare(cx(), await transferRequest(transfer), { mayChange: true })
  const simulation = await simulate(cx(), prepared)
  const signature = ed25519.sign(prepared.transaction.message.bytes, signer.secretKey.slice(0, 32))
  const { bytes, signature: name = '' } = withSignature(prepared.transaction, transfer.wallet, signature)
  await submit(cx().rpc, { bytes, signature: name }, { message: prepared.message })
  await connection.confirmTransaction(name)
  return toPreview(prepared, simulation)
}

test('transfer: SOL arrives, and its preview names recipient and amount', async () => {
  const to = someone()
  const preview = await send({ wallet, to, amount: 5_000_000n })
  expect(preview.actions).toMatchObject([{ kind: 'transferSol', from: wallet, to, lamports: 5_000_000n }])
  expect((await readBalance(to)).lamports).toBe(5_000_000)
})

test.each(['token', 'token2022'] as const)(
  'transfer: a %s arrives in a new account, whose rent the inspection and the preview agree on',
  async (kind) => {
    const to = someone()
    const token = assetOf(kind)
    const before = await inspectRecipient(cx().rpc, { to, token })
    const preview = await send({ wallet, to, amount: 1_300_000n, token })
    expect(before).toMatchObject({ rent: preview.cost.deposits })
    expect(preview.cost.deposits).toBeGreaterThan(0n)
    expect((await readSplBalances(cx().rpc, to, [token.mint])).get(token.mint)).toMatchObject({
      amount: 1_300_000n,
      decimals: 6,
      program: token.program,
    })
    expect(await inspectRecipient(cx().rpc, { to, token })).toMatchObject({ rent: 0n })
  },
)

test('maximum: all SOL of a wallet is sent, down to nothing', async () => {
  const poor = Keypair.generate()
  await fund(poor.publicKey, 1)
  const from = poor.publicKey.toBase58()
  const to = someone()
  const { amount, budget } = await quoteMaximum(cx(), { wallet: from, to })
  expect(amount).toBe(BigInt(LAMPORTS_PER_SOL) - 5_000n)
  await send({ wallet: from, to, amount, budget }, poor)
  expect((await readBalance(from)).lamports).toBe(0)
  expect((await readBalance(to)).lamports).toBe(Number(amount))
})

test('recipient: a mint and a program are refused, an account of tokens for tokens as well', async () => {
  const { rpc } = cx()
  const token = assetOf('token')
  const holder = await associatedAccount({ owner: wallet, ...token })
  expect(await inspectRecipient(rpc, { to: token.mint })).toEqual({ problem: 'token-contract' })
  expect(await inspectRecipient(rpc, { to: token.program })).toEqual({ problem: 'program' })
  expect(await inspectRecipient(rpc, { to: holder, token })).toEqual({ problem: 'token-account' })
})

test('recipient: SOL for an account of tokens, and for an address without a key, is warned of', async () => {
  const { rpc } = cx()
  const holder = await associatedAccount({ owner: wallet, ...assetOf('token') })
  const empty = await associatedAccount({ owner: someone(), ...assetOf('token') })
  expect(await inspectRecipient(rpc, { to: holder })).toMatchObject({ caution: 'token-account' })
  expect(await inspectRecipient(rpc, { to: empty })).toMatchObject({ caution: 'off-curve' })
  const known = await inspectRecipient(rpc, { to: wallet })
  expect(known).toEqual({ rent: 0n, least: 0n, remainder: 890_880n })
})

test('balances: tokens of both programs are read with one question, and no mint is none', async () => {
  const { rpc } = cx()
  const methods: string[] = []
  const counted = {
    ask(...input: Parameters<typeof rpc.ask>) {
      methods.push(input[0])
      return rpc.ask(...input)
    },
  }
  const found = await readSplBalances(counted, wallet, [mints.token, mints.token2022, wallet])
  expect(methods).toEqual(['getMultipleAccounts'])
  expect(found.get(mints.token)).toMatchObject({ decimals: 6, isFrozen: false })
  expect(found.get(mints.token2022)).toMatchObject({ program: TOKEN_2022_PROGRAM_ID.toBase58() })
  expect(found.get(wallet)).toBeUndefined()
})

/** A token of Token-2022 with extensions, of which the wallet has an amount. */
async function extended(
  extensions: readonly ExtensionType[],
  instructions: (mint: PublicKey) => readonly TransactionInstruction[],
  amount: bigint,
): Promise<string> {
  const made = Keypair.generate()
  const mint = made.publicKey
  const space = getMintLen([...extensions])
  const program = TOKEN_2022_PROGRAM_ID
  const holder = getAssociatedTokenAddressSync(mint, owner.publicKey, false, program)
  const transaction = new Transaction().add(
    SystemProgram.createAccount({
      fromPubkey: owner.publicKey,
      newAccountPubkey: mint,
      space,
      lamports: await connection.getMinimumBalanceForRentExemption(space),
      programId: program,
    }),
    ...instructions(mint),
    createInitializeMintInstruction(mint, 6, owner.publicKey, owner.publicKey, program),
    createAssociatedTokenAccountInstruction(owner.publicKey, holder, owner.publicKey, mint, program),
    ...(amount > 0n ? [createMintToInstruction(mint, holder, owner.publicKey, amount, [], program)] : []),
  )
  await sendAndConfirmTransaction(connection, transaction, [owner, made])
  return mint.toBase58()
}
const scaled = (multiplier: number, amount = 5_000_000n) =>
  extended(
    [ExtensionType.ScaledUiAmountConfig],
    (mint) => [
      createInitializeScaledUiAmountConfigInstruction(
        mint,
        owner.publicKey,
        multiplier,
        TOKEN_2022_PROGRAM_ID,
      ),
    ],
    amount,
  )
async function held(of: string, mint: string): Promise<SplBalance> {
  const found = (await readSplBalances(cx().rpc, of, [mint])).get(mint)
  if (!found) throw new Error('There is no such token')
  return found
}

test('scaled token: 5,000,000 units times ten are shown as 50, and 1 of them moves 100,000 units', async () => {
  const mint = await scaled(10)
  const token = await held(wallet, mint)
  expect(token).toMatchObject({ amount: 50_000_000n, raw: 5_000_000n, decimals: 6 })
  const to = someone()
  const preview = await send({ wallet, to, amount: 1_000_000n, token })
  expect(await held(to, mint)).toMatchObject({ amount: 1_000_000n, raw: 100_000n })
  // The review shows what was typed, and so do the changes that the trial run has found.
  const out = changesIn(preview).out.filter((each) => each.token === mint)
  expect([outflowsOf(reviewOf(preview)), out].map(amountsIn)).toEqual([['1'], ['1']])
  expect(await held(wallet, mint)).toMatchObject({ amount: 49_000_000n, raw: 4_900_000n })
})

test('scaled token: a multiplier that is no fraction of ten never moves more than was typed', async () => {
  const token = await held(wallet, await scaled(1.1))
  const to = someone()
  await send({ wallet, to, amount: 1_000_000n, token })
  const { amount, raw } = await held(to, token.mint)
  expect(raw).toBe(909_090n)
  expect(amount).toBeLessThanOrEqual(1_000_000n)
})

test('scaled token: the maximum moves every unit, also where less is shown than is there', async () => {
  const token = await held(wallet, await scaled(0.1, 105n))
  expect(token).toMatchObject({ amount: 10n, raw: 105n })
  await send({ wallet, to: someone(), amount: 10n, raw: token.raw, token })
  expect(await held(wallet, token.mint)).toMatchObject({ raw: 0n })
})

test('scaled token: less than one unit is refused, and the least amount is named beforehand', async () => {
  const token = await held(wallet, await scaled(10))
  const to = someone()
  expect(await inspectRecipient(cx().rpc, { to, token })).toMatchObject({ least: 10n })
  await expect(transferRequest({ wallet, to, amount: 9n, token })).rejects.toBeInstanceOf(InvalidRequest)
})

test.each([
  [
    'token-interest',
    [ExtensionType.InterestBearingConfig],
    (mint: PublicKey) =>
      createInitializeInterestBearingMintInstruction(mint, owner.publicKey, 500, TOKEN_2022_PROGRAM_ID),
  ],
  [
    'token-hook',
    [ExtensionType.TransferHook],
    (mint: PublicKey) =>
      createInitializeTransferHookInstruction(mint, owner.publicKey, TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID),
  ],
  [
    'token-non-transferable',
    [ExtensionType.NonTransferable],
    (mint: PublicKey) => createInitializeNonTransferableMintInstruction(mint, TOKEN_2022_PROGRAM_ID),
  ],
  [
    'token-frozen-there',
    [ExtensionType.DefaultAccountState],
    (mint: PublicKey) =>
      createInitializeDefaultAccountStateInstruction(mint, AccountState.Frozen, TOKEN_2022_PROGRAM_ID),
  ],
] as const)(
  'token with an extension: it is refused as %s before anything is sent',
  async (problem, extensions, made) => {
    const token = await held(wallet, await extended(extensions, (mint) => [made(mint)], 0n))
    expect(await inspectRecipient(cx().rpc, { to: someone(), token })).toEqual({ problem })
  },
)

test('token with a fee: the review says what arrives, and the deposit that its larger accounts take', async () => {
  const mint = await extended(
    [ExtensionType.TransferFeeConfig],
    (each) => [
      createInitializeTransferFeeConfigInstruction(
        each,
        owner.publicKey,
        owner.publicKey,
        100,
        50_000n,
        TOKEN_2022_PROGRAM_ID,
      ),
    ],
    9_000_000n,
  )
  const token = await held(wallet, mint)
  for (const [amount, arrives] of [
    [1_000_001n, 990_000n],
    [6_000_000n, 5_950_000n],
  ] as const) {
    const to = someone()
    const { rents, actions } = await prepare(cx(), await transferRequest({ wallet, to, amount, token }), {
      mayChange: true,
    })
    const [transfer] = actions.filter(({ kind }) => kind === 'transferToken')
    const facts = transfer && describeInstruction(transfer)?.facts
    expect(facts).toContainEqual({
      label: 'arrives',
      receiver: to,
      amount: arrives,
      asset: { symbol: '', decimals: 6 },
    })
    await send({ wallet, to, amount, token })
    expect(await held(to, mint)).toMatchObject({ amount: arrives })
    const account = await associatedAccount({ owner: to, mint, program: token.program })
    expect([...rents]).toEqual([[account, BigInt((await readBalance(account)).lamports)]])
  }
})

test('token whose extension nobody knows: it is refused, and no amount of it is claimed', () => {
  const data = new Uint8Array(234)
  data.set([200, 0, 4, 0], 166)
  expect(readTokenRules({ owner: TOKEN_2022_PROGRAM_ID.toBase58(), data }, undefined)).toMatchObject({
    refusal: 'token-unknown',
    scale: undefined,
  })
})

test('recipient who asks for memos: the transfer brings one, and arrives', async () => {
  const reader = Keypair.generate()
  await fund(reader.publicKey, 1)
  const token = await held(wallet, mints.token2022)
  const holder = await getOrCreateAssociatedTokenAccount(
    connection,
    owner,
    new PublicKey(token.mint),
    reader.publicKey,
    undefined,
    undefined,
    undefined,
    TOKEN_2022_PROGRAM_ID,
  )
  await sendAndConfirmTransaction(
    connection,
    new Transaction().add(
      createReallocateInstruction(
        holder.address,
        reader.publicKey,
        [ExtensionType.MemoTransfer],
        reader.publicKey,
        [],
        TOKEN_2022_PROGRAM_ID,
      ),
      createEnableRequiredMemoTransfersInstruction(
        holder.address,
        reader.publicKey,
        [],
        TOKEN_2022_PROGRAM_ID,
      ),
    ),
    [reader],
  )
  const to = reader.publicKey.toBase58()
  const found = await inspectRecipient(cx().rpc, { to, token })
  expect(found).toMatchObject({ needsMemo: true })
  await send({ wallet, to, amount: 7n, token, needsMemo: true })
  expect(await held(to, token.mint)).toMatchObject({ amount: 7n })
})

const reviewOf = (preview: SolanaPreview) =>
  toSolanaPreview(preview, { origin: 'https://host.example', network: { name: 'Solana' } })
function changesIn(preview: SolanaPreview): BalanceChanges {
  const { balanceChanges } = reviewOf(preview)
  if (typeof balanceChanges !== 'object') throw new Error('There was no trial run')
  return balanceChanges
}
const amountsIn = (list: readonly { readonly amount: bigint; readonly asset?: Asset | undefined }[]) =>
  list.map(({ amount, asset }) => asset && formatAmount(amount, asset))

async function readBalance(address: string): Promise<{ lamports: number }> {
  const answer = await cx().rpc.ask('getBalance', [address, { commitment: 'confirmed' }])
  return { lamports: Number((answer as { value: number }).value) }
}
