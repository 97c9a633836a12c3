/** Transfers of the form, on a chain of Solana in this process: coins, tokens of both programs, rent, the maximum and balances. */
import { ed25519 } from '@noble/curves/ed25519.js'
import {
  createMint,
  getOrCreateAssociatedTokenAccount,
  mintTo,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { Connection, Keypair, LAMPORTS_PER_SOL, type PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Solana, startSolana } from '../../demo/world/solana/solana.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { prepare } from '../../src/solana/prepare.ts'
import { toPreview } from '../../src/solana/preview.ts'
import { createSolanaRpc } from '../../src/solana/rpc.ts'
import { simulate } from '../../src/solana/simulate.ts'
import { submit, withSignature } from '../../src/solana/submit.ts'
import { associatedAccount, readSplBalances } from '../../src/solana/token-metadata.ts'
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

async function readBalance(address: string): Promise<{ lamports: number }> {
  const answer = await cx().rpc.ask('getBalance', [address, { commitment: 'confirmed' }])
  return { lamports: Number((answer as { value: number }).value) }
}
