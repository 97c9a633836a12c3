/** What the vault takes from a trial run of its own server: what it displays then, and what a run is no evidence for. */
import * as spl from '@solana/spl-token'
import {
  Authorized,
  Lockup,
  type PublicKey,
  StakeProgram,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js'
import { afterEach, describe, expect, test } from 'vitest'
import type { SignContent } from '../../src/protocol/frame/sign-request.ts'
import type { ServerPreview } from '../../src/vault/server/preview.ts'
import { codesOf, type Told, told, trialRun } from '../corpus/read.ts'
import { anchor, instruction, key, solanaTransaction, solanaWallet } from '../corpus/solana.ts'
import { CHAIN_NOW, createSolanaWorld, fresh, places, SOL, thief, wallet } from '../support/solana-fuzz.ts'
import { derive } from '../support/solana-random.ts'
import { says } from '../support/vault-screen.ts'

const world = createSolanaWorld()
afterEach(() => world.reset())

const [somebody = thief] = fresh
const accountOf = (mint: PublicKey, owner: PublicKey) => spl.getAssociatedTokenAddressSync(mint, owner, true)
const open = (mint: PublicKey, owner: PublicKey) =>
  spl.createAssociatedTokenAccountIdempotentInstruction(wallet, accountOf(mint, owner), owner, mint)
const red = (warnings: readonly { severity: string; code: string }[]) =>
  warnings.filter(({ severity }) => severity === 'danger').map(({ code }) => code)

/** A token that the wallet has no account of. */
function newMint(): PublicKey {
  const mint = derive(wallet, 'mint', spl.TOKEN_PROGRAM_ID)
  const made = SystemProgram.createAccountWithSeed({
    fromPubkey: wallet,
    newAccountPubkey: mint,
    basePubkey: wallet,
    seed: 'mint',
    lamports: 0.01 * SOL,
    space: 82,
    programId: spl.TOKEN_PROGRAM_ID,
  })
  expect(world.run([made, spl.createInitializeMint2Instruction(mint, 6, wallet, null)]).error).toBeUndefined()
  return mint
}

/** What the vault displays before its server has answered and afterwards; the transaction is then carried out. */
async function screens(instructions: readonly TransactionInstruction[]) {
  const message = world.message(instructions)
  const server = await world.preview(message)
  const bare = await world.screen(message)
  const tried = await world.screen(message, server)
  const before = world.state(wallet)?.lamports ?? 0n
  expect(world.run(instructions).error).toBeUndefined()
  return { bare, tried, left: before - (world.state(wallet)?.lamports ?? 0n) }
}

describe('the vault’s screen of a trial run on Solana', () => {
  test('wrapping SOL for oneself is no payment: it stands as wrapping, as a deposit, and in the total', async () => {
    const own = accountOf(spl.NATIVE_MINT, wallet)
    const { bare, tried, left } = await screens([
      open(spl.NATIVE_MINT, wallet),
      SystemProgram.transfer({ fromPubkey: wallet, toPubkey: own, lamports: 2 * SOL }),
      spl.createSyncNativeInstruction(own),
    ])
    for (const screen of [bare, tried]) {
      expect(screen.headline).toEqual([])
      expect(screen.preview?.value).toBe(0n)
      expect(screen.warnings).toEqual([])
      expect(says(screen, 'Wrap SOL')).toBe(true)
      expect(says(screen, '2 SOL')).toBe(true)
    }
    expect(tried.preview).toMatchObject({ rent: BigInt(2 * SOL), total: left })
  })

  test('wrapping SOL for somebody else is a payment', async () => {
    const theirs = accountOf(spl.NATIVE_MINT, somebody)
    const { bare, tried, left } = await screens([
      open(spl.NATIVE_MINT, somebody),
      SystemProgram.transfer({ fromPubkey: wallet, toPubkey: theirs, lamports: 2 * SOL }),
      spl.createSyncNativeInstruction(theirs),
    ])
    for (const screen of [bare, tried]) expect(screen.headline.join()).toContain('2 SOL')
    expect(tried.preview).toMatchObject({ value: BigInt(2 * SOL), total: left })
  })

  test.each([
    ['the wallet’s own', wallet, 'rent', []],
    ['somebody else’s', somebody, 'deposits', ['solana-otherAccount']],
  ] as const)(
    'the rent of %s token account is said, and explains what leaves',
    async (_, owner, row, expected) => {
      const { tried, left } = await screens([open(newMint(), owner)])
      expect(tried.warnings.map(({ code }) => code)).toEqual(expected)
      expect(tried.preview).toMatchObject({ total: left, [row]: left - (tried.preview?.fee ?? 0n) })
    },
  )

  test('a part of an own stake is red by its bytes alone, and a caution once a trial run has shown whose it is', async () => {
    const part = derive(wallet, 'part', StakeProgram.programId)
    const list = StakeProgram.splitWithSeed(
      {
        stakePubkey: places.stake,
        authorizedPubkey: wallet,
        splitStakePubkey: part,
        basePubkey: wallet,
        seed: 'part',
        lamports: 3 * SOL,
      },
      2_282_880,
    ).instructions
    const { bare, tried } = await screens(list)
    expect(red(bare.warnings)).toEqual(['solana-programOwner'])
    expect(tried.warnings.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
      'warning solana-stakePart',
    ])
    expect(tried.preview?.value).toBe(0n)
    // The stake that moves into it was not in the wallet.
    expect(tried.preview?.total).toBeLessThan(BigInt(SOL))
  })

  test.each([
    ['over', -1_000, []],
    ['to come', 1_000, ['solana-strangeAccount', 'solana-lock']],
  ] as const)('a lockup whose end is %s, once the server has said the time', async (_, seconds, expected) => {
    const account = derive(wallet, 'a', StakeProgram.programId)
    const list = StakeProgram.createAccountWithSeed({
      fromPubkey: wallet,
      stakePubkey: account,
      basePubkey: wallet,
      seed: 'a',
      authorized: new Authorized(wallet, wallet),
      lockup: new Lockup(CHAIN_NOW + seconds, 0, thief),
      lamports: 5 * SOL,
    }).instructions
    const { bare, tried } = await screens(list)
    expect(red(bare.warnings)).toEqual(['solana-strangeAccount', 'solana-lock'])
    expect(red(tried.warnings)).toEqual(expected)
    // Whoever may change it stands there all the same.
    expect(says(tried, thief.toBase58())).toBe(true)
    const longer = setLockup(account, new Lockup(CHAIN_NOW + 9_000_000, 0, thief))
    expect(world.run([longer], thief).error === undefined).toBe(seconds > 0)
  })
})

/** The custodian makes a lockup longer. */
function setLockup(account: PublicKey, { unixTimestamp, custodian }: Lockup): TransactionInstruction {
  const data = Buffer.alloc(15)
  data.writeUInt32LE(6)
  data[4] = 1
  data.writeBigInt64LE(BigInt(unixTimestamp), 5)
  const list = instruction(StakeProgram.programId, [account, custodian], data)
  for (const each of list.keys) each.isSigner = each.pubkey.equals(custodian)
  return list
}

const jupiter = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'
const kamino = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD'
const friendsTokens = accountOf(key(2), key(1))
const swap: SignContent = solanaTransaction(
  spl.createAssociatedTokenAccountIdempotentInstruction(solanaWallet, friendsTokens, key(1), key(2)),
  instruction(jupiter, [solanaWallet, friendsTokens], anchor('route')),
)
const holder = { kind: 'owner', token: key(2).toBase58(), spender: key(1).toBase58(), isUnlimited: true }
const read = (content: SignContent, preview: ServerPreview): Promise<Told> =>
  told(content, solanaWallet.toBase58(), { preview })
const run = (more: Parameters<typeof trialRun>[1] & Partial<ServerPreview> = {}) =>
  trialRun('solana:mainnet', more)

describe('a known program in the vault', () => {
  test('whoever gets an account by an instruction is explained for that account, and for no other', async () => {
    const gained = (account: PublicKey | undefined) =>
      run({ allowances: [{ ...holder, ...(account && { account: account.toBase58() }) }] })
    expect(codesOf(await read(swap, gained(friendsTokens)))).toContain('solana-knownProgram')
    expect(codesOf(await read(swap, gained(key(3))))).toContain('danger solana-unknownProgram')
    expect(codesOf(await read(swap, gained(undefined)))).toContain('danger solana-unknownProgram')
  })

  test('one node alone, two that differ, and a network that only the page names vouch for nothing', async () => {
    const unknown = 'danger solana-unknownProgram'
    expect(codesOf(await read(swap, run()))).not.toContain(unknown)
    expect(codesOf(await read(swap, run({ nodes: 1 })))).toContain(unknown)
    const { nodes: _, ...older } = run()
    expect(codesOf(await read(swap, older))).toContain(unknown)
    expect(codesOf(await read(swap, run({ disputed: ['balance'] })))).toContain(unknown)
    const claimed = { ...swap, cluster: 'devnet' } as SignContent
    expect(codesOf(await read(claimed, trialRun('solana:devnet')))).toContain(unknown)
  })

  test('instructions that let go of what a program keeps for the wallet are red after any trial run', async () => {
    const call = (method: string) =>
      solanaTransaction(instruction(kamino, [solanaWallet, key(4)], anchor(method)))
    const deposit = call('deposit_reserve_liquidity_and_obligation_collateral')
    expect(codesOf(await read(deposit, run()))).toBe('warning solana-knownProgram')
    for (const method of ['initiate_obligation_ownership_transfer', 'borrow_obligation_liquidity'])
      expect(codesOf(await read(call(method), run()))).toBe('danger solana-unknownProgram')
  })
})

test('a lockup until an epoch is over once two nodes of the main network have reached it', async () => {
  const account = key(9)
  const list = StakeProgram.createAccountWithSeed({
    fromPubkey: solanaWallet,
    stakePubkey: account,
    basePubkey: solanaWallet,
    seed: 'a',
    authorized: new Authorized(solanaWallet, solanaWallet),
    lockup: new Lockup(0, 800, key(1)),
    lamports: SOL,
  }).instructions
  const content = solanaTransaction(...list)
  const lock = 'danger solana-lock'
  const at = { at: CHAIN_NOW, block: 800n * 432_000n }
  expect(codesOf(await read(content, run(at)))).not.toContain(lock)
  expect(codesOf(await read(content, run({ ...at, block: at.block - 1n })))).toContain(lock)
  expect(codesOf(await read(content, run({ ...at, nodes: 1 })))).toContain(lock)
  expect(codesOf(await read(content, run({ at: CHAIN_NOW })))).toContain(lock)
  const claimed = { ...content, cluster: 'devnet' } as SignContent
  expect(codesOf(await read(claimed, trialRun('solana:devnet', at)))).toContain(lock)
})
