/** What the Solana stand-in answers beyond sending: simulations, fees, blockhashes, tokens, and records of transactions. */
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createMint,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  getOrCreateAssociatedTokenAccount,
  mintTo,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  ComputeBudgetProgram,
  type Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  type PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SolanaChain, startSolanaChain } from '../support/solana-chain.ts'

let solana: SolanaChain
let connection: Connection
const payer = Keypair.generate()
let mint: PublicKey
let source: PublicKey

interface Answer<T> {
  result: { context: { slot: number }; value: T }
  error: { code: number; message: string }
}
async function ask<T = unknown>(method: string, ...params: unknown[]): Promise<Answer<T>> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return (await fetch(solana.url, { method: 'POST', body })).json() as Promise<Answer<T>>
}
const value = async <T>(method: string, ...params: unknown[]) =>
  (await ask<T>(method, ...params)).result.value

async function unsigned(...instructions: TransactionInstruction[]) {
  const latest = await solana.connect().getLatestBlockhash()
  const built = new Transaction({ feePayer: payer.publicKey, ...latest }).add(...instructions)
  return {
    text: built.serialize({ requireAllSignatures: false }).toString('base64'),
    message: built.serializeMessage().toString('base64'),
  }
}
const transfer = (toPubkey: PublicKey, lamports: number) =>
  SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports })
const send = (...instructions: TransactionInstruction[]) =>
  sendAndConfirmTransaction(solana.connect(), new Transaction().add(...instructions), [payer])

beforeAll(async () => {
  solana = await startSolanaChain()
  connection = solana.connect()
  await connection.confirmTransaction(await connection.requestAirdrop(payer.publicKey, 50 * LAMPORTS_PER_SOL))
  mint = await createMint(connection, payer, payer.publicKey, null, 6)
  source = (await getOrCreateAssociatedTokenAccount(connection, payer, mint, payer.publicKey)).address
  await mintTo(connection, payer, mint, source, payer, 1_000_000n)
})
afterAll(() => solana.close())

interface Simulated {
  err: unknown
  logs: string[]
  unitsConsumed: number
  accounts: ({ lamports: number; owner: string; data: [string, string] } | null)[] | null
  innerInstructions: { index: number; instructions: Record<string, unknown>[] }[] | null
}

describe('the Solana stand-in', () => {
  it('simulation: an unsigned transaction has accounts afterwards, and changes nothing', async () => {
    const to = Keypair.generate().publicKey
    const { text } = await unsigned(transfer(to, 2_000_000))
    const before = await connection.getBalance(payer.publicKey)
    const addresses = [payer.publicKey, to].map(String)
    const { err, accounts, unitsConsumed } = await value<Simulated>('simulateTransaction', text, {
      encoding: 'base64',
      accounts: { encoding: 'base64', addresses },
    })
    expect(err).toBeNull()
    expect(unitsConsumed).toBeGreaterThan(0)
    expect(accounts?.map((each) => each?.lamports)).toEqual([before - 2_000_000 - 5_000, 2_000_000])
    expect(await connection.getBalance(payer.publicKey)).toBe(before)
    expect(await connection.getBalance(to)).toBe(0)
  })

  it('simulation: instructions of programs are shown when they are asked for, transfers in parsed form', async () => {
    const to = Keypair.generate().publicKey
    const account = getAssociatedTokenAddressSync(mint, to)
    const { text } = await unsigned(
      createAssociatedTokenAccountIdempotentInstruction(payer.publicKey, account, to, mint),
    )
    const config = { encoding: 'base64', innerInstructions: true }
    const { innerInstructions } = await value<Simulated>('simulateTransaction', text, config)
    expect(innerInstructions?.[0]?.index).toBe(0)
    const programs = innerInstructions?.[0]?.instructions.map((each) => each.programId)
    expect(programs).toContain(SystemProgram.programId.toBase58())
    expect(programs).toContain(TOKEN_PROGRAM_ID.toBase58())
    expect(
      (await value<Simulated>('simulateTransaction', text, { encoding: 'base64' })).innerInstructions,
    ).toBeNull()
  })

  it('simulation: a signature is verified only on request, and options that contradict each other are refused', async () => {
    const { text } = await unsigned(transfer(payer.publicKey, 1))
    const verified = { encoding: 'base64', sigVerify: true }
    expect((await ask('simulateTransaction', text, verified)).error.code).toBe(-32003)
    expect((await ask('sendTransaction', text, { encoding: 'base64' })).error.code).toBe(-32003)
    const both = { encoding: 'base64', sigVerify: true, replaceRecentBlockhash: true }
    expect((await ask('simulateTransaction', text, both)).error.code).toBe(-32602)
    const many = {
      encoding: 'base64',
      accounts: { addresses: Array.from({ length: 9 }, () => String(mint)) },
    }
    expect((await ask('simulateTransaction', text, many)).error.message).toContain('Too many accounts')
  })

  it('simulation: a failing one has its error and logs, and no accounts', async () => {
    const { text } = await unsigned(transfer(mint, 900 * LAMPORTS_PER_SOL))
    const { err, logs, accounts } = await value<Simulated>('simulateTransaction', text, {
      encoding: 'base64',
      accounts: { encoding: 'base64', addresses: [String(payer.publicKey)] },
    })
    expect(err).toEqual({ InstructionError: [0, { Custom: 1 }] })
    expect(logs.join()).toContain('insufficient lamports')
    expect(accounts).toEqual([null])
  })

  it('errors: an account that is left with too little is named by its number', async () => {
    const { text } = await unsigned(transfer(Keypair.generate().publicKey, 5))
    const { err } = await value<Simulated>('simulateTransaction', text, { encoding: 'base64' })
    expect(err).toEqual({ InsufficientFundsForRent: { account_index: 1 } })
  })

  it('slots: one that the node has not reached is refused', async () => {
    const slot = await connection.getSlot()
    const at = (minContextSlot: number) => ask('getMultipleAccounts', [String(mint)], { minContextSlot })
    expect((await at(slot + 10)).error.code).toBe(-32016)
    expect((await at(slot)).result.context.slot).toBeGreaterThanOrEqual(slot)
  })

  it('fees: what a message costs, priority included, is what it then takes', async () => {
    const instructions = [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 10_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 300_000 }),
      transfer(payer.publicKey, 1),
    ]
    const { message } = await unsigned(...instructions)
    expect(await value('getFeeForMessage', message)).toBe(8_000)
    const before = await connection.getBalance(payer.publicKey)
    const signature = await send(...instructions)
    expect(await connection.getBalance(payer.publicKey)).toBe(before - 8_000)
    const done = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(done?.meta?.fee).toBe(8_000)
    const recent = await connection.getRecentPrioritizationFees({ lockedWritableAccounts: [payer.publicKey] })
    expect(recent.at(-1)?.prioritizationFee).toBe(300_000)
    const others = await connection.getRecentPrioritizationFees({
      lockedWritableAccounts: [Keypair.generate().publicKey],
    })
    expect(others).toEqual([])
  })

  it('blockhashes: one lives for 150 blocks, and then neither fee nor sending knows it', async () => {
    const latest = await connection.getLatestBlockhash()
    expect(latest.lastValidBlockHeight).toBe((await connection.getBlockHeight()) + 150)
    const built = new Transaction({ feePayer: payer.publicKey, ...latest }).add(transfer(payer.publicKey, 2))
    built.sign(payer)
    const message = built.serializeMessage().toString('base64')
    await solana.advance(150)
    expect(await value('getFeeForMessage', message)).toBe(5_000)
    expect(await value('isBlockhashValid', latest.blockhash)).toBe(true)
    await solana.advance(1)
    expect(await value('getFeeForMessage', message)).toBeNull()
    expect(await value('isBlockhashValid', latest.blockhash)).toBe(false)
    const sent = await ask('sendTransaction', built.serialize().toString('base64'), { encoding: 'base64' })
    expect(sent.error.message).toContain('BlockhashNotFound')
    expect(await value('getSignatureStatuses', [String(built.signature?.toString('hex'))])).toEqual([null])
  })

  it('tokens: those of an owner are found by mint and by program, and their record says who had what', async () => {
    const to = Keypair.generate().publicKey
    const destination = getAssociatedTokenAddressSync(mint, to)
    const signature = await send(
      createAssociatedTokenAccountIdempotentInstruction(payer.publicKey, destination, to, mint),
      createTransferCheckedInstruction(source, mint, destination, payer.publicKey, 250_000n, 6),
    )
    const byMint = await connection.getTokenAccountsByOwner(to, { mint })
    expect(byMint.value.map(({ pubkey }) => pubkey.toBase58())).toEqual([destination.toBase58()])
    const { value: parsed } = await connection.getParsedTokenAccountsByOwner(to, {
      programId: TOKEN_PROGRAM_ID,
    })
    expect(parsed[0]?.account.data.parsed.info).toMatchObject({
      mint: mint.toBase58(),
      owner: to.toBase58(),
      tokenAmount: { amount: '250000', decimals: 6, uiAmountString: '0.25' },
    })
    expect((await connection.getTokenAccountsByOwner(mint, { mint })).value).toEqual([])
    expect((await ask('getTokenAccountsByOwner', String(to), {})).error.code).toBe(-32602)
    expect((await connection.getTokenAccountBalance(destination)).value.amount).toBe('250000')

    const done = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    const amounts = (list: { owner?: string; uiTokenAmount: { amount: string } }[] | null | undefined) =>
      Object.fromEntries((list ?? []).map((each) => [each.owner, each.uiTokenAmount.amount]))
    expect(amounts(done?.meta?.preTokenBalances)).toEqual({ [payer.publicKey.toBase58()]: '1000000' })
    expect(amounts(done?.meta?.postTokenBalances)).toEqual({
      [payer.publicKey.toBase58()]: '750000',
      [to.toBase58()]: '250000',
    })
    expect(done?.meta?.innerInstructions?.[0]?.instructions.length).toBeGreaterThan(2)
    expect(done?.meta?.logMessages?.join()).toContain('log: CreateIdempotent')
  })

  it('rent: an account of tokens has to hold what the node says', async () => {
    const rent = await connection.getMinimumBalanceForRentExemption(165)
    expect((await connection.getAccountInfo(source))?.lamports).toBe(rent)
  })
})
