/** The way of a transaction from its bytes to its receipt, on a chain of Solana in this process. */
import { ed25519 } from '@noble/curves/ed25519.js'
import {
  createApproveInstruction,
  createAssociatedTokenAccountIdempotentInstruction,
  createMint,
  createSyncNativeInstruction,
  createTransferCheckedInstruction,
  getAccount,
  getAssociatedTokenAddressSync,
  getOrCreateAssociatedTokenAccount,
  mintTo,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  type Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { parseRequest, prepare } from '../../src/solana/prepare.ts'
import { toPreview } from '../../src/solana/preview.ts'
import { compareReceipt, getReceipt } from '../../src/solana/receipt.ts'
import { createSolanaRpc } from '../../src/solana/rpc.ts'
import { simulate } from '../../src/solana/simulate.ts'
import { submit, TransactionRefused, withSignature } from '../../src/solana/submit.ts'
import { type TransactionStatus, track } from '../../src/solana/track.ts'
import { type SolanaChain, startSolanaChain } from '../support/solana-chain.ts'

let solana: SolanaChain
let connection: Connection
const owner = Keypair.generate()
const friend = Keypair.generate()
const wallet = owner.publicKey.toBase58()
const cx = () => ({
  rpc: createSolanaRpc({ urls: [solana.url], fetch, clock: systemClock }),
  clock: systemClock,
})

let mint: PublicKey
let source: PublicKey
let mint2022: PublicKey
let source2022: PublicKey

/** Lets blocks pass. The library remembers blockhashes, which may have expired by then. */
async function pass(blocks: number) {
  await solana.advance(blocks)
  connection = solana.connect()
}
async function fund(key: PublicKey, sol: number) {
  await connection.confirmTransaction(await connection.requestAirdrop(key, sol * LAMPORTS_PER_SOL))
}
async function tokens(programId: PublicKey) {
  const made = await createMint(connection, owner, owner.publicKey, null, 6, undefined, undefined, programId)
  const account = await getOrCreateAssociatedTokenAccount(
    connection,
    owner,
    made,
    owner.publicKey,
    undefined,
    undefined,
    undefined,
    programId,
  )
  await mintTo(connection, owner, made, account.address, owner, 1_000_000n, [], undefined, programId)
  return [made, account.address] as const
}

beforeAll(async () => {
  solana = await startSolanaChain()
  connection = solana.connect()
  await fund(owner.publicKey, 50)
  ;[mint, source] = await tokens(TOKEN_PROGRAM_ID)
  ;[mint2022, source2022] = await tokens(TOKEN_2022_PROGRAM_ID)
})
afterAll(() => solana.close())

const transfer = (lamports: number, to = friend.publicKey) =>
  SystemProgram.transfer({ fromPubkey: owner.publicKey, toPubkey: to, lamports })

async function legacy(...instructions: TransactionInstruction[]) {
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
  const built = new Transaction({ feePayer: owner.publicKey, blockhash, lastValidBlockHeight })
  return Uint8Array.from(built.add(...instructions).serialize({ requireAllSignatures: false }))
}
/** What a review shows of a transaction. */
async function review(bytes: Uint8Array, mayChange = true) {
  const prepared = await prepare(cx(), parseRequest(bytes, wallet), { mayChange, isReviewed: true })
  const simulation = await simulate(cx(), prepared)
  return { prepared, simulation, preview: toPreview(prepared, simulation) }
}
type Prepared = Awaited<ReturnType<typeof prepare>>
function sign({ transaction, message }: Prepared) {
  const { bytes, signature = '' } = withSignature(
    transaction,
    wallet,
    ed25519.sign(message.bytes, owner.secretKey.slice(0, 32)),
  )
  return { bytes, signature }
}
async function follow(prepared: Prepared, signed: { bytes: Uint8Array; signature: string }) {
  const all: TransactionStatus[] = []
  for await (const status of track(cx(), {
    transaction: signed,
    message: prepared.message,
    life: prepared.life,
  }))
    all.push(status)
  return all
}

describe('a transaction of Solana', () => {
  test('transfers: the preview says both recipients, and the receipt agrees with it', async () => {
    const other = Keypair.generate().publicKey
    const { prepared, preview } = await review(await legacy(transfer(2_000_000), transfer(3_000_000, other)))
    expect(preview.actions).toMatchObject([
      { kind: 'transferSol', to: friend.publicKey.toBase58(), lamports: 2_000_000n },
      { kind: 'transferSol', to: other.toBase58(), lamports: 3_000_000n },
    ])
    expect(preview.warnings).toEqual([])
    expect(preview.cost).toMatchObject({
      fee: { base: 5_000n, priority: 0n, total: 5_000n, isFromNode: true },
      sent: 5_000_000n,
      rent: 0n,
      total: 5_005_000n,
      shortage: undefined,
    })
    expect(preview.cost.balanceAfter).toBe(preview.cost.balanceBefore - 5_005_000n)
    expect(preview.balanceChanges).toEqual({
      out: [{ mint: undefined, amount: 5_000_000n, decimals: 9 }],
      in: [],
      allowances: [],
    })

    const signed = sign(prepared)
    await submit(cx().rpc, signed, prepared)
    expect((await follow(prepared, signed)).map(({ status }) => status)).toEqual(['sent', 'finalized'])
    const receipt = await getReceipt(cx().rpc, signed.signature, prepared)
    expect(receipt).toMatchObject({ fee: 5_000n, failure: undefined, signature: signed.signature })
    if (!receipt || !preview.balanceChanges) throw new Error('There is no receipt')
    expect(compareReceipt(preview.balanceChanges, receipt)).toEqual([])
    expect(await connection.getBalance(other)).toBe(3_000_000)
    // The very same bytes may be sent again.
    await submit(cx().rpc, signed, prepared)
  })

  test.each([
    ['the token program', () => [mint, source, TOKEN_PROGRAM_ID] as const],
    ['Token-2022', () => [mint2022, source2022, TOKEN_2022_PROGRAM_ID] as const],
  ])('tokens of %s: the preview says who gets them, and what the new account costs', async (_, of) => {
    const [token, from, program] = of()
    const to = Keypair.generate().publicKey
    const destination = getAssociatedTokenAddressSync(token, to, false, program)
    const { prepared, preview } = await review(
      await legacy(
        createAssociatedTokenAccountIdempotentInstruction(owner.publicKey, destination, to, token, program),
        createTransferCheckedInstruction(from, token, destination, owner.publicKey, 250_000n, 6, [], program),
      ),
    )
    expect(preview.actions).toMatchObject([
      { kind: 'createTokenAccount', owner: to.toBase58() },
      {
        kind: 'transferToken',
        mint: token.toBase58(),
        decimals: 6,
        amount: 250_000n,
        sourceOwner: wallet,
        destinationOwner: to.toBase58(),
      },
    ])
    expect(preview.warnings).toEqual([])
    expect(preview.balanceChanges?.out).toContainEqual({
      mint: token.toBase58(),
      amount: 250_000n,
      decimals: 6,
    })
    const size = program === TOKEN_PROGRAM_ID ? 165 : 170
    const rent = BigInt(await connection.getMinimumBalanceForRentExemption(size))
    expect(preview.cost.deposits).toBe(rent)
    expect(preview.cost.total).toBe(rent + 5_000n)
    expect(prepared.rents.get(destination.toBase58())).toBe(rent)

    const signed = sign(prepared)
    await submit(cx().rpc, signed, prepared)
    const receipt = await getReceipt(cx().rpc, signed.signature, prepared)
    if (!receipt || !preview.balanceChanges) throw new Error('There is no receipt')
    expect(receipt.out).toContainEqual({ mint: token.toBase58(), amount: 250_000n, decimals: 6 })
    expect(compareReceipt(preview.balanceChanges, receipt)).toEqual([])
  })

  test('wrapped SOL: it stays the wallet’s, and is not counted as rent a second time', async () => {
    const native = new PublicKey('So11111111111111111111111111111111111111112')
    const account = getAssociatedTokenAddressSync(native, owner.publicKey)
    const { preview } = await review(
      await legacy(
        createAssociatedTokenAccountIdempotentInstruction(owner.publicKey, account, owner.publicKey, native),
        transfer(3_000_000, account),
        createSyncNativeInstruction(account),
      ),
    )
    const rent = BigInt(await connection.getMinimumBalanceForRentExemption(165))
    const kept = 3_000_000n + rent
    expect(preview.cost).toMatchObject({ sent: 0n, rent: kept, total: kept + 5_000n })
    expect(preview.balanceChanges?.in).toEqual([{ mint: native.toBase58(), amount: 3_000_000n, decimals: 9 }])
    expect(preview.warnings).toEqual([])
  })

  test('approval: it is red, and the simulation says who may take how much', async () => {
    const delegate = friend.publicKey
    const { preview } = await review(
      await legacy(createApproveInstruction(source, delegate, owner.publicKey, (1n << 64n) - 1n)),
    )
    expect(preview.warnings).toMatchObject([
      { code: 'approval', severity: 'danger', delegate: delegate.toBase58(), isUnlimited: true },
    ])
    expect(preview.balanceChanges?.allowances).toEqual([
      {
        kind: 'delegate',
        account: source.toBase58(),
        mint: mint.toBase58(),
        to: delegate.toBase58(),
        amount: (1n << 64n) - 1n,
      },
    ])
  })

  test('assigned wallet: the simulation says which program owns it afterwards', async () => {
    const program = Keypair.generate().publicKey
    const { preview } = await review(
      await legacy(SystemProgram.assign({ accountPubkey: owner.publicKey, programId: program })),
    )
    expect(preview.warnings[0]).toMatchObject({ code: 'walletAccount', severity: 'danger' })
    expect(preview.balanceChanges?.allowances).toMatchObject([{ kind: 'program', to: program.toBase58() }])
  })

  test('too much: the shortage is in the preview and in the refusal, with what is missing', async () => {
    const balance = await connection.getBalance(owner.publicKey)
    const { prepared, simulation, preview } = await review(await legacy(transfer(balance + 1_000_000)))
    expect(simulation).toMatchObject({ status: 'failed', failure: { code: 'Custom', custom: 1 } })
    expect(preview.cost.shortage).toEqual({ account: wallet, mint: undefined, missing: 1_005_000n })
    expect(preview.warnings).toMatchObject([{ code: 'insufficientFunds', severity: 'caution' }])
    const refused = await submit(cx().rpc, sign(prepared), prepared).catch((cause) => cause)
    expect(refused).toBeInstanceOf(TransactionRefused)
    expect(refused.shortage).toEqual({ account: wallet, mint: undefined, missing: 1_005_000n })
    expect(refused.logs.join()).toContain('insufficient lamports')
  })

  test('too many tokens: the shortage is one of the token', async () => {
    const destination = getAssociatedTokenAddressSync(mint, owner.publicKey)
    const { preview } = await review(
      await legacy(
        createTransferCheckedInstruction(source, mint, destination, owner.publicKey, 9_000_000_000n, 6),
      ),
    )
    expect(preview.cost.shortage).toMatchObject({ account: source.toBase58(), mint: mint.toBase58() })
    const { amount } = await getAccount(connection, source)
    expect(preview.tokenShortage).toMatchObject({
      mint: mint.toBase58(),
      decimals: 6,
      missing: 9_000_000_000n - amount,
    })
  })

  test('failing on the network: it is followed to its error and its logs', async () => {
    const balance = await connection.getBalance(owner.publicKey)
    const { prepared } = await review(await legacy(transfer(balance + 1_000_000)))
    const signed = sign(prepared)
    await submit(cx().rpc, signed, { message: prepared.message, send: { skipPreflight: true } })
    const statuses = await follow(prepared, signed)
    expect(statuses.at(-1)).toMatchObject({
      status: 'failed',
      failure: { code: 'Custom', custom: 1, instruction: 0, program: SystemProgram.programId.toBase58() },
      logs: expect.arrayContaining([expect.stringContaining('insufficient lamports')]),
    })
    expect(await getReceipt(cx().rpc, signed.signature, prepared)).toMatchObject({
      fee: 5_000n,
      failure: { code: 'Custom' },
    })
  })

  test('missing blockhash: it is filled in where the wallet sends, and refused where it only signs', async () => {
    const built = new Transaction({
      feePayer: owner.publicKey,
      blockhash: PublicKey.default.toBase58(),
      lastValidBlockHeight: 1,
    }).add(transfer(1_000_000))
    const bytes = Uint8Array.from(built.serialize({ requireAllSignatures: false }))
    const { prepared } = await review(bytes)
    expect(prepared.message.blockhash).toBe((await connection.getLatestBlockhash()).blockhash)
    await submit(cx().rpc, sign(prepared), prepared)
    await expect(review(bytes, false)).rejects.toMatchObject({
      name: 'InvalidRequest',
      message: 'Transaction recentBlockhash required',
    })
  })

  test('expired blockhash: the network refuses it, and following it says that it can’t land', async () => {
    const { prepared } = await review(await legacy(transfer(1_000_001)))
    const signed = sign(prepared)
    await pass(200)
    await expect(submit(cx().rpc, signed, prepared)).rejects.toMatchObject({
      failure: { code: 'BlockhashNotFound' },
    })
    expect((await follow(prepared, signed)).map(({ status }) => status)).toEqual(['sent', 'expired'])
  })

  test('priority fee: it is added where others pay one, and the app has set none', async () => {
    const payer = Keypair.generate()
    await fund(payer.publicKey, 1)
    const others = new Transaction().add(
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 50_000 }),
      SystemProgram.transfer({
        fromPubkey: payer.publicKey,
        toPubkey: payer.publicKey,
        lamports: 1,
      }),
    )
    const to = payer.publicKey
    // Those who wrote to both of the accounts count.
    const both = new Transaction().add(
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 50_000 }),
      SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: owner.publicKey, lamports: 1 }),
    )
    for (const each of [others, both]) await sendAndConfirmTransaction(connection, each, [payer])
    const { prepared, preview } = await review(await legacy(transfer(1_000_000, to)))
    expect(prepared.hasOwnBudget).toBe(true)
    const limit = preview.actions.find(
      (each) => each.kind === 'computeBudget' && each.setting === 'unitLimit',
    )
    expect(preview.actions).toMatchObject([
      { kind: 'computeBudget', setting: 'unitLimit' },
      { kind: 'computeBudget', setting: 'unitPrice', value: 50_000n },
      { kind: 'transferSol', to: to.toBase58() },
    ])
    if (limit?.kind !== 'computeBudget') throw new Error('There is no limit')
    const priority = (limit.value * 50_000n + 999_999n) / 1_000_000n
    expect(preview.cost.fee).toEqual({
      base: 5_000n,
      priority,
      total: 5_000n + priority,
      isFromNode: true,
    })
    const before = BigInt(await connection.getBalance(owner.publicKey))
    const signed = sign(prepared)
    await submit(cx().rpc, signed, prepared)
    expect(BigInt(await connection.getBalance(owner.publicKey))).toBe(
      before - 1_000_000n - preview.cost.fee.total,
    )

    const own = await review(
      await legacy(ComputeBudgetProgram.setComputeUnitLimit({ units: 1_000 }), transfer(1_000_000, to)),
    )
    expect(own.prepared.hasOwnBudget).toBe(false)
    expect((await review(await legacy(transfer(1_000_000, to)), false)).prepared.hasOwnBudget).toBe(false)
  })

  test('lookup table: its accounts are resolved from the chain', async () => {
    const slot = await connection.getSlot()
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: owner.publicKey,
      payer: owner.publicKey,
      recentSlot: slot - 1,
    })
    const extend = AddressLookupTableProgram.extendLookupTable({
      lookupTable: table,
      authority: owner.publicKey,
      payer: owner.publicKey,
      addresses: [friend.publicKey],
    })
    await sendAndConfirmTransaction(connection, new Transaction().add(create, extend), [owner])
    await pass(2)
    const { value } = await connection.getAddressLookupTable(table)
    if (!value) throw new Error('There is no table')
    const { blockhash } = await connection.getLatestBlockhash()
    const message = new TransactionMessage({
      payerKey: owner.publicKey,
      recentBlockhash: blockhash,
      instructions: [transfer(4_000_000)],
    }).compileToV0Message([value])
    expect(message.addressTableLookups).toHaveLength(1)
    const { prepared, preview } = await review(new VersionedTransaction(message).serialize())
    expect(preview.actions.at(-1)).toMatchObject({ kind: 'transferSol', to: friend.publicKey.toBase58() })
    expect(preview.warnings).toEqual([])
    const signed = sign(prepared)
    await submit(cx().rpc, signed, prepared)
    const receipt = await getReceipt(cx().rpc, signed.signature, prepared)
    expect(receipt?.out).toEqual([{ mint: undefined, amount: 4_000_000n, decimals: 9 }])
  })

  test('durable nonce: it is red, can be sent much later, and has expired once another one used it', async () => {
    const nonce = Keypair.generate()
    const rent = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH)
    await sendAndConfirmTransaction(
      connection,
      new Transaction().add(
        SystemProgram.createNonceAccount({
          fromPubkey: owner.publicKey,
          noncePubkey: nonce.publicKey,
          authorizedPubkey: owner.publicKey,
          lamports: rent,
        }),
      ),
      [owner, nonce],
    )
    await pass(1)
    const account = await connection.getAccountInfo(nonce.publicKey)
    if (!account) throw new Error('There is no nonce account')
    const value = NonceAccount.fromAccountData(account.data).nonce
    const built = (lamports: number) => {
      const transaction = new Transaction({
        feePayer: owner.publicKey,
        nonceInfo: {
          nonce: value,
          nonceInstruction: SystemProgram.nonceAdvance({
            noncePubkey: nonce.publicKey,
            authorizedPubkey: owner.publicKey,
          }),
        },
      }).add(transfer(lamports))
      return Uint8Array.from(transaction.serialize({ requireAllSignatures: false }))
    }
    await pass(500)
    const first = await review(built(1_000_000))
    expect(first.prepared.life).toEqual({ kind: 'nonce', account: nonce.publicKey.toBase58(), value })
    expect(first.preview.warnings[0]).toMatchObject({ code: 'durableNonce', severity: 'danger' })
    const second = await review(built(2_000_000))
    await submit(cx().rpc, sign(first.prepared), first.prepared)
    expect((await follow(second.prepared, sign(second.prepared))).at(-1)).toEqual({ status: 'expired' })
  })

  test('signer: a transaction of somebody else is refused with the address that is missing', async () => {
    const bytes = await legacy(transfer(1))
    const other = friend.publicKey.toBase58()
    expect(() => parseRequest(bytes, other)).toThrow(`Transaction does not contain public key ${other}`)
  })
})
