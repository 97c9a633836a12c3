/** Who may take or control what after a transaction, as its trial run on a chain of Solana in this process leaves it. */
import {
  AuthorityType,
  createApproveInstruction,
  createAssociatedTokenAccountInstruction,
  createCloseAccountInstruction,
  createInitializeAccount3Instruction,
  createMint,
  createSetAuthorityInstruction,
  createSyncNativeInstruction,
  createTransferInstruction,
  getAssociatedTokenAddressSync,
  getOrCreateAssociatedTokenAccount,
  mintTo,
  NATIVE_MINT,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  Authorized,
  type Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  Lockup,
  NONCE_ACCOUNT_LENGTH,
  PublicKey,
  StakeProgram,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { readControl } from '../../src/solana/control.ts'
import { parseRequest, prepare } from '../../src/solana/prepare.ts'
import { createSolanaRpc } from '../../src/solana/rpc.ts'
import { simulate } from '../../src/solana/simulate.ts'
import { type SolanaChain, startSolanaChain } from '../support/solana-chain.ts'

let solana: SolanaChain
let connection: Connection
let mint: PublicKey
let source: PublicKey
let stake: Keypair
const owner = Keypair.generate()
const me = owner.publicKey
const thief = Keypair.generate().publicKey
const strange = Keypair.generate().publicKey
const to = thief.toBase58()

beforeAll(async () => {
  solana = await startSolanaChain()
  connection = solana.connect()
  await connection.confirmTransaction(await connection.requestAirdrop(me, 200 * LAMPORTS_PER_SOL))
  mint = await createMint(connection, owner, me, null, 6)
  source = (await getOrCreateAssociatedTokenAccount(connection, owner, mint, me)).address
  await mintTo(connection, owner, mint, source, owner, 1_000_000n)
  stake = Keypair.generate()
  const own = StakeProgram.createAccount({
    fromPubkey: me,
    stakePubkey: stake.publicKey,
    authorized: new Authorized(me, me),
    lamports: 10 * LAMPORTS_PER_SOL,
  })
  await sendAndConfirmTransaction(connection, own, [owner, stake])
})
afterAll(() => solana.close())

type Part = TransactionInstruction | Transaction

/** The changes of a transaction that succeeds. */
async function changesOf(...parts: readonly Part[]) {
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
  const built = new Transaction({ feePayer: me, blockhash, lastValidBlockHeight }).add(...parts)
  const cx = {
    rpc: createSolanaRpc({ urls: [solana.url], fetch, clock: systemClock }),
    clock: systemClock,
  }
  const bytes = Uint8Array.from(built.serialize({ requireAllSignatures: false }))
  const prepared = await prepare(cx, parseRequest(bytes, me.toBase58()), { mayChange: false })
  const simulation = await simulate(cx, prepared)
  if (simulation.status !== 'done') throw new Error(JSON.stringify(simulation, (_, each) => `${each}`))
  return simulation.changes
}
const heldBy = async (...parts: readonly Part[]) =>
  (await changesOf(...parts)).allowances.map(({ kind, account, to: holder }) => [kind, account, holder])

let seeds = 0
/** An account that the wallet creates with a seed of its own, and pays for. */
async function seeded(programId: PublicKey, space: number, lamports = 100 * LAMPORTS_PER_SOL) {
  const seed = `seed ${++seeds}`
  const account = await PublicKey.createWithSeed(me, seed, programId)
  const create = SystemProgram.createAccountWithSeed({
    fromPubkey: me,
    basePubkey: me,
    newAccountPubkey: account,
    seed,
    space,
    lamports,
    programId,
  })
  return { account, create, name: account.toBase58() }
}
const system = SystemProgram.programId
const NO_LOCK = new Lockup(0, 0, PublicKey.default)

describe('trial run on Solana', () => {
  test('the wallet itself: space for data is told, however little it is', async () => {
    for (const space of [1, NONCE_ACCOUNT_LENGTH])
      expect(await heldBy(SystemProgram.allocate({ accountPubkey: me, space }))).toEqual([
        ['data', me.toBase58(), system.toBase58()],
      ])
  })

  test('the wallet itself: another program is told', async () => {
    expect(await heldBy(SystemProgram.assign({ accountPubkey: me, programId: strange }))).toEqual([
      ['program', me.toBase58(), strange.toBase58()],
    ])
  })

  test('the wallet itself: to be created for another program, with lamports that it has, is told', async () => {
    const data = Buffer.concat([Buffer.from([13, 0, 0, 0]), Buffer.alloc(16), strange.toBuffer()])
    data.writeUInt8(80, 12)
    const keys = [{ pubkey: me, isSigner: true, isWritable: true }]
    expect(await heldBy(new TransactionInstruction({ programId: system, keys, data }))).toEqual([
      ['program', me.toBase58(), strange.toBase58()],
      ['data', me.toBase58(), strange.toBase58()],
    ])
  })

  test('new account of a strange program: the program is told, and the lamports leave', async () => {
    const { create, name } = await seeded(strange, 0)
    const { out, allowances } = await changesOf(create)
    expect(allowances).toMatchObject([{ kind: 'program', account: name, to: strange.toBase58() }])
    expect(out).toMatchObject([{ mint: undefined, amount: 100n * BigInt(LAMPORTS_PER_SOL) }])
  })

  test('new account of the token program: one that anybody may set up, and one of a thief, are told', async () => {
    const { account, create, name } = await seeded(TOKEN_PROGRAM_ID, 165)
    expect(await heldBy(create)).toEqual([['program', name, TOKEN_PROGRAM_ID.toBase58()]])
    const theirs = createInitializeAccount3Instruction(account, NATIVE_MINT, thief)
    expect(await heldBy(create, theirs)).toEqual([['owner', name, to]])
    const mine = createInitializeAccount3Instruction(account, NATIVE_MINT, me)
    expect(await heldBy(create, mine)).toEqual([])
  })

  test('new nonce account: an authority is told unless it is the wallet', async () => {
    const { account, create, name } = await seeded(system, NONCE_ACCOUNT_LENGTH)
    const withAuthority = (authorizedPubkey: PublicKey) =>
      SystemProgram.nonceInitialize({ noncePubkey: account, authorizedPubkey })
    expect(await heldBy(create)).toEqual([['program', name, system.toBase58()]])
    expect(await heldBy(create, withAuthority(thief))).toEqual([['nonceAuthority', name, to]])
    expect(await heldBy(create, withAuthority(me))).toEqual([])
  })

  test('new stake account: staker, withdrawer and custodian are told unless they are the wallet', async () => {
    const { account, create, name } = await seeded(StakeProgram.programId, StakeProgram.space)
    const begin = (authorized: Authorized, lockup = NO_LOCK) =>
      StakeProgram.initialize({ stakePubkey: account, authorized, lockup })
    expect(await heldBy(create)).toEqual([['program', name, StakeProgram.programId.toBase58()]])
    expect(await heldBy(create, begin(new Authorized(me, thief)))).toEqual([['withdrawer', name, to]])
    expect(await heldBy(create, begin(new Authorized(thief, me)))).toEqual([['staker', name, to]])
    const locked = begin(new Authorized(me, me), new Lockup(4_102_444_800, 0, thief))
    expect((await changesOf(create, locked)).allowances).toMatchObject([
      { kind: 'custodian', account: name, to, until: 4_102_444_800n },
    ])
    expect(await heldBy(create, begin(new Authorized(me, me)))).toEqual([])
  })

  test('own stake: another withdrawer is told, and what it holds counts as lost', async () => {
    const authorize = StakeProgram.authorize({
      stakePubkey: stake.publicKey,
      authorizedPubkey: me,
      newAuthorizedPubkey: thief,
      stakeAuthorizationType: { index: 1 },
    })
    const { out, allowances } = await changesOf(authorize)
    const account = stake.publicKey.toBase58()
    expect(allowances).toMatchObject([{ kind: 'withdrawer', account, to }])
    expect(out).toMatchObject([{ account, amount: 10n * BigInt(LAMPORTS_PER_SOL) }])
  })

  test('own stake: what is withdrawn counts as lost where it goes to somebody else', async () => {
    const withdraw = (toPubkey: PublicKey) =>
      StakeProgram.withdraw({
        stakePubkey: stake.publicKey,
        authorizedPubkey: me,
        toPubkey,
        lamports: LAMPORTS_PER_SOL,
      })
    const account = stake.publicKey.toBase58()
    expect((await changesOf(withdraw(thief))).out).toMatchObject([
      { account, amount: BigInt(LAMPORTS_PER_SOL) },
    ])
    expect(await changesOf(withdraw(me))).toMatchObject({
      out: [],
      in: [{ amount: BigInt(LAMPORTS_PER_SOL) }],
      allowances: [],
    })
  })

  test('own tokens: a delegate, another owner, and another mint authority are told', async () => {
    const account = source.toBase58()
    expect((await changesOf(createApproveInstruction(source, thief, me, 7n))).allowances).toMatchObject([
      { kind: 'delegate', account, mint: mint.toBase58(), to, amount: 7n },
    ])
    const hand = (place: PublicKey, type: AuthorityType) =>
      createSetAuthorityInstruction(place, me, type, thief)
    expect(await heldBy(hand(source, AuthorityType.AccountOwner))).toEqual([['owner', account, to]])
    expect(await heldBy(hand(source, AuthorityType.CloseAccount))).toEqual([['closeAuthority', account, to]])
    expect(await heldBy(hand(mint, AuthorityType.MintTokens))).toEqual([
      ['mintAuthority', mint.toBase58(), to],
    ])
  })

  test('own tokens: a delegate is told again only where more may be taken', async () => {
    const approve = (amount: bigint) => createApproveInstruction(source, thief, me, amount)
    await sendAndConfirmTransaction(connection, new Transaction().add(approve(7n)), [owner])
    expect((await changesOf(approve(8n))).allowances).toMatchObject([{ kind: 'delegate', to, amount: 8n }])
    expect(await heldBy(approve(6n))).toEqual([])
  })

  test('account for a friend that the wallet pays for: the friend is told as its owner', async () => {
    const theirs = getAssociatedTokenAddressSync(mint, thief)
    expect(
      await heldBy(
        createAssociatedTokenAccountInstruction(me, theirs, thief, mint),
        createTransferInstruction(source, theirs, me, 5n),
      ),
    ).toEqual([['owner', theirs.toBase58(), to]])
  })

  test('wrapped SOL: to wrap it, and to wrap and unwrap it, gives nobody control', async () => {
    const account = getAssociatedTokenAddressSync(NATIVE_MINT, me)
    const wrap = [
      createAssociatedTokenAccountInstruction(me, account, me, NATIVE_MINT),
      SystemProgram.transfer({ fromPubkey: me, toPubkey: account, lamports: 1_000 }),
      createSyncNativeInstruction(account),
    ]
    expect(await heldBy(...wrap)).toEqual([])
    expect(await changesOf(...wrap, createCloseAccountInstruction(account, me, me))).toEqual({
      out: [],
      in: [],
      allowances: [],
    })
  })

  test('transfer: lamports for an address that has none give nobody control', async () => {
    const transfer = SystemProgram.transfer({ fromPubkey: me, toPubkey: strange, lamports: 1_000_000 })
    expect(await changesOf(transfer)).toMatchObject({ out: [{ amount: 1_000_000n }], allowances: [] })
  })
})

test('control of an account: bytes that a program does not write that way are not understood, and throw nothing', () => {
  const programs = [
    system.toBase58(),
    TOKEN_PROGRAM_ID.toBase58(),
    'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
    StakeProgram.programId.toBase58(),
    'Vote111111111111111111111111111111111111111',
    'BPFLoaderUpgradeab1e11111111111111111111111',
    'AddressLookupTab1e1111111111111111111111111',
    strange.toBase58(),
  ]
  for (const program of programs)
    for (const data of [new Uint8Array(3), new Uint8Array(200).fill(255), new Uint8Array(80)])
      expect(readControl({ owner: program, lamports: 1n, data, executable: false }, to)).toMatchObject({
        program,
        roles: [],
        isUnderstood: false,
      })
})
