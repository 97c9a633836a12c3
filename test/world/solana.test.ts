import { hex } from '@scure/base'
import {
  type Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SendTransactionError,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSolana } from '../../demo/world/solana/solana.ts'
import { demoSeeds } from '../../demo/world/wallet/accounts.ts'
import { createSolanaWallet } from '../../demo/world/wallet/solana.ts'
import { type SolanaChain, startSolanaChain } from '../support/solana-chain.ts'

let solana: SolanaChain
let connection: Connection
const payer = Keypair.generate()
const transfer = (toPubkey: PublicKey, sol: number, fromPubkey = payer.publicKey) =>
  SystemProgram.transfer({ fromPubkey, toPubkey, lamports: sol * LAMPORTS_PER_SOL })

beforeAll(async () => {
  solana = await startSolanaChain()
  connection = solana.connect()
  await connection.confirmTransaction(await connection.requestAirdrop(payer.publicKey, 50 * LAMPORTS_PER_SOL))
})
afterAll(() => solana.close())

describe('a chain of Solana', () => {
  it('gives money to anyone who asks, even twice', async () => {
    const to = Keypair.generate().publicKey
    for (let times = 0; times < 2; times++)
      await connection.confirmTransaction(await connection.requestAirdrop(to, LAMPORTS_PER_SOL))
    expect(await connection.getBalance(to)).toBe(2 * LAMPORTS_PER_SOL)
  })

  it('runs a transfer and confirms it over the websocket', async () => {
    const to = Keypair.generate().publicKey
    const latest = await connection.getLatestBlockhash()
    const transaction = new Transaction({ feePayer: payer.publicKey, ...latest }).add(transfer(to, 1))
    expect((await connection.getFeeForMessage(transaction.compileMessage())).value).toBe(5_000)
    const before = await connection.getBalance(payer.publicKey)
    const signature = await sendAndConfirmTransaction(connection, transaction, [payer])
    expect(await connection.getBalance(to)).toBe(LAMPORTS_PER_SOL)
    expect(await connection.getBalance(payer.publicKey)).toBe(before - LAMPORTS_PER_SOL - 5_000)

    const { value } = await connection.getSignatureStatuses([signature, signature.replace(/.$/, '1')])
    expect(value[0]).toMatchObject({ err: null, confirmationStatus: 'finalized' })
    const parsed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(parsed?.meta?.fee).toBe(5_000)
    expect(parsed?.transaction.message.instructions[0]).toMatchObject({
      program: 'system',
      parsed: { type: 'transfer', info: { destination: to.toBase58(), lamports: LAMPORTS_PER_SOL } },
    })
    const plain = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(plain?.transaction.signatures).toEqual([signature])
    const history = await connection.getSignaturesForAddress(to)
    expect(history.map((each) => each.signature)).toEqual([signature])
    expect((await connection.getAccountInfo(to))?.owner).toEqual(SystemProgram.programId)
    expect(await connection.getAccountInfo(Keypair.generate().publicKey)).toBeNull()
  })

  it('runs a versioned one, and a simulation changes nothing', async () => {
    const to = Keypair.generate().publicKey
    const latest = await connection.getLatestBlockhash()
    const message = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: latest.blockhash,
      instructions: [transfer(to, 2)],
    }).compileToV0Message()
    const transaction = new VersionedTransaction(message)
    transaction.sign([payer])
    const tried = await connection.simulateTransaction(transaction)
    expect(tried.value).toMatchObject({ err: null, unitsConsumed: expect.any(Number) })
    expect(await connection.getBalance(to)).toBe(0)
    const signature = await connection.sendTransaction(transaction)
    await connection.confirmTransaction({ signature, ...latest })
    expect(await connection.getBalance(to)).toBe(2 * LAMPORTS_PER_SOL)
  })

  it('refuses what can’t be paid, with the log of the program', async () => {
    const latest = await connection.getLatestBlockhash()
    const to = Keypair.generate().publicKey
    const transaction = new Transaction({ feePayer: payer.publicKey, ...latest }).add(transfer(to, 9_000))
    const failure = await sendAndConfirmTransaction(connection, transaction, [payer]).catch((cause) => cause)
    expect(failure).toBeInstanceOf(SendTransactionError)
    expect(failure.message).toContain('custom program error: 0x1')
    expect(failure.logs.join()).toContain('insufficient lamports')
  })

  it('tells of an account that changes', async () => {
    const to = Keypair.generate().publicKey
    const changed: number[] = []
    connection.onAccountChange(to, ({ lamports }) => changed.push(lamports))
    // The websocket opens in its own time.
    await expect
      .poll(() => connection.requestAirdrop(to, LAMPORTS_PER_SOL).then(() => changed.length))
      .toBeGreaterThan(0)
    expect(changed[0]).toBeGreaterThanOrEqual(LAMPORTS_PER_SOL)
  })

  it('answers nonsense by errors', async () => {
    const ask = async (body: string) =>
      (await fetch(solana.url, { method: 'POST', body })).json() as Promise<{ error: { code: number } }>
    const code = async (method: string, params: unknown) =>
      (await ask(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))).error.code
    expect((await ask('{')).error.code).toBe(-32600)
    expect((await ask('null')).error.code).toBe(-32600)
    expect(await code('constructor', [])).toBe(-32601)
    expect(await code('getBalance', ['0OIl'])).toBe(-32602)
    expect(await code('getBalance', [])).toBe(-32602)
    expect(await code('sendTransaction', ['AAAA', { encoding: 'base64' }])).toBe(-32602)
    expect(await code('getMultipleAccounts', ['x'])).toBe(-32602)
  })

  it('says which port is taken', async () => {
    const port = Number(new URL(solana.url).port)
    await expect(startSolana({ port })).rejects.toThrow(/Port \d+, for Solana, is taken/)
  })
})

describe('a wallet for Solana', () => {
  it('sends what it has signed', async () => {
    const rpcUrls = { 'solana:mainnet': solana.url }
    const wallet = createSolanaWallet({ secretKey: demoSeeds[1], name: 'Sender', rpcUrls })
    const { features } = wallet.wallet
    const from = new PublicKey(wallet.address)
    expect(Keypair.fromSeed(hex.decode(demoSeeds[1])).publicKey).toEqual(from)
    await connection.confirmTransaction(await connection.requestAirdrop(from, 5 * LAMPORTS_PER_SOL))
    type Connect = { connect(): Promise<{ accounts: [{ address: string }] }> }
    const { accounts } = await (features['standard:connect'] as Connect).connect()
    const to = Keypair.generate().publicKey
    const latest = await connection.getLatestBlockhash()
    const transaction = new Transaction({ feePayer: from, ...latest }).add(transfer(to, 1, from))
    const bytes = Uint8Array.from(transaction.serialize({ requireAllSignatures: false }))
    const input = { account: accounts[0], transaction: bytes, chain: 'solana:mainnet' }

    type Sign = { signTransaction(given: object): Promise<[{ signedTransaction: Uint8Array }]> }
    const [signed] = await (features['solana:signTransaction'] as Sign).signTransaction(input)
    expect(Transaction.from(signed.signedTransaction).verifySignatures()).toBe(true)
    type Send = { signAndSendTransaction(given: object): Promise<[{ signature: Uint8Array }]> }
    const [sent] = await (features['solana:signAndSendTransaction'] as Send).signAndSendTransaction(input)
    expect(sent.signature).toHaveLength(64)
    await expect.poll(() => connection.getBalance(to)).toBe(LAMPORTS_PER_SOL)
  })
})
