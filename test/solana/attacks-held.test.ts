/**
 * Thefts of what a wallet keeps in nonces, stakes and vote accounts, in each way that there is to give them away or to lock them: each is
 * read on the vault's own screen, with and without a trial run, and then carried out, first by the wallet and afterwards by the thief alone.
 */
import {
  createAssociatedTokenAccountInstruction,
  createCloseAccountInstruction,
  getAssociatedTokenAddressSync,
  NATIVE_MINT,
} from '@solana/spl-token'
import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  Authorized,
  ComputeBudgetProgram,
  Lockup,
  PublicKey,
  StakeAuthorizationLayout,
  StakeProgram,
  SYSVAR_CLOCK_PUBKEY,
  SystemProgram,
  type TransactionInstruction,
  VoteAuthorizationLayout,
  VoteInit,
  VoteProgram,
} from '@solana/web3.js'
import { afterEach, describe, expect, test } from 'vitest'
import { CHAIN_NOW, createSolanaWorld, fresh, places, SOL, thief, wallet } from '../support/solana-fuzz.ts'
import { derive, raw } from '../support/solana-random.ts'
import type { VaultScreen } from '../support/vault-screen.ts'

const world = createSolanaWorld()
afterEach(() => world.reset())

const SYSTEM = SystemProgram.programId
const STAKE = StakeProgram.programId
const VOTE = VoteProgram.programId
const [stranger = thief] = fresh
const { nonce, stake, otherStake, ownVote } = places
const memo = raw(
  new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
  [],
  ['bytes', Buffer.from('Claim your reward')],
)
const budget = ComputeBudgetProgram.setComputeUnitLimit({ units: 400_000 })
type List = readonly TransactionInstruction[]

interface Theft {
  /** What was there before. */
  readonly before?: List
  readonly signed: List
  /** What the thief does afterwards, alone. */
  readonly taken?: List
  /** What the thief has got at least, in lamports. */
  readonly stolen?: number
  /** What the wallet pays for it in this transaction, in lamports. */
  readonly paid?: number
  /** What the wallet does in vain afterwards. */
  readonly locked?: List
  /** A lookup table holds the accounts that don't sign. */
  readonly hasTable?: boolean
}

// Nonces.
const nonceAuthorize = (noncePubkey: PublicKey, to = thief) =>
  SystemProgram.nonceAuthorize({ noncePubkey, authorizedPubkey: wallet, newAuthorizedPubkey: to })
const nonceWithdraw = (noncePubkey: PublicKey, lamports: number, by = wallet) =>
  SystemProgram.nonceWithdraw({ noncePubkey, authorizedPubkey: by, toPubkey: thief, lamports })
const advance = SystemProgram.nonceAdvance({ noncePubkey: nonce, authorizedPubkey: wallet })
const newNonce = derive(wallet, 'nonce', SYSTEM)
const makeNonce = SystemProgram.createNonceAccount({
  fromPubkey: wallet,
  noncePubkey: newNonce,
  basePubkey: wallet,
  seed: 'nonce',
  authorizedPubkey: wallet,
  lamports: 40 * SOL,
}).instructions
const takeNonce = { taken: [nonceWithdraw(nonce, 3 * SOL, thief)], stolen: 3 * SOL }
const takeNew = {
  taken: [nonceWithdraw(newNonce, 40 * SOL, thief)],
  stolen: 40 * SOL,
  paid: 40 * SOL,
}
const pay = (lamports: number) => SystemProgram.transfer({ fromPubkey: wallet, toPubkey: thief, lamports })
const nonces: Record<string, Theft> = {
  'its authority goes to the thief': { signed: [nonceAuthorize(nonce)], ...takeNonce },
  'its authority goes to the thief behind a memo and a budget': {
    signed: [memo, budget, nonceAuthorize(nonce)],
    ...takeNonce,
  },
  'its authority goes to the thief after a payment': {
    signed: [pay(1_000), nonceAuthorize(nonce)],
    ...takeNonce,
  },
  'its authority comes back once and goes again': {
    signed: [nonceAuthorize(nonce, wallet), nonceAuthorize(nonce)],
    ...takeNonce,
  },
  'its authority goes to the thief by a message with a lookup table': {
    signed: [nonceAuthorize(nonce)],
    hasTable: true,
    ...takeNonce,
  },
  'its authority goes to the thief by a transaction that never expires': {
    signed: [advance, nonceAuthorize(nonce)],
    ...takeNonce,
  },
  'all that is in it goes to the thief': { signed: [nonceWithdraw(nonce, 3 * SOL)], stolen: 3 * SOL },
  'a part goes to the thief, and the rest with its authority': {
    signed: [nonceWithdraw(nonce, SOL), nonceAuthorize(nonce)],
    taken: [nonceWithdraw(nonce, 2 * SOL, thief)],
    stolen: 3 * SOL,
  },
  'all that is in it goes to the thief by a message with a lookup table': {
    signed: [nonceWithdraw(nonce, 3 * SOL)],
    hasTable: true,
    stolen: 3 * SOL,
  },
  'a new one of the wallet’s is given to the thief': {
    signed: [...makeNonce, nonceAuthorize(newNonce)],
    ...takeNew,
  },
  'a new one of the wallet’s is emptied for the thief': {
    // In the block in which it is made, it has to keep what such an account costs.
    signed: [...makeNonce, nonceWithdraw(newNonce, 39 * SOL)],
    stolen: 39 * SOL,
    paid: 39 * SOL,
  },
  'a transaction that never expires pays the thief': { signed: [advance, pay(50 * SOL)], stolen: 50 * SOL },
}

// Stakes.
const { Staker, Withdrawer } = StakeAuthorizationLayout
const authorize = (stakePubkey: PublicKey, type = Withdrawer, to = thief) =>
  StakeProgram.authorize({
    stakePubkey,
    authorizedPubkey: wallet,
    newAuthorizedPubkey: to,
    stakeAuthorizationType: type,
  }).instructions
const withdraw = (stakePubkey: PublicKey, lamports: number, by = thief, to = thief) =>
  StakeProgram.withdraw({ stakePubkey, authorizedPubkey: by, toPubkey: to, lamports }).instructions
const part = derive(wallet, 'part', STAKE)
const split = StakeProgram.splitWithSeed(
  {
    stakePubkey: stake,
    authorizedPubkey: wallet,
    splitStakePubkey: part,
    basePubkey: wallet,
    seed: 'part',
    lamports: 4 * SOL,
  },
  2_282_880,
).instructions
const merge = StakeProgram.merge({
  stakePubkey: otherStake,
  sourceStakePubKey: stake,
  authorizedPubkey: wallet,
}).instructions
const newStake = derive(wallet, 'new', STAKE)
const make = (lockup = new Lockup(0, 0, PublicKey.default), withdrawer = wallet) =>
  StakeProgram.createAccountWithSeed({
    fromPubkey: wallet,
    stakePubkey: newStake,
    basePubkey: wallet,
    seed: 'new',
    authorized: new Authorized(wallet, withdrawer),
    lockup,
    lamports: 30 * SOL,
  }).instructions
/** An address that signs by the wallet and a seed has the right to withdraw. */
const seat = derive(wallet, 'seat', SYSTEM)
const seated = [...authorize(stake, Withdrawer, seat)]
const takeStake = { taken: withdraw(stake, 9 * SOL), stolen: 9 * SOL }
const takeMade = { taken: withdraw(newStake, 30 * SOL), stolen: 30 * SOL, paid: 30 * SOL }
const stakes: Record<string, Theft> = {
  'the thief may withdraw': { signed: authorize(stake), ...takeStake },
  'the thief may withdraw, by a checked instruction': {
    signed: [
      raw(STAKE, [[stake, 'w'], [SYSVAR_CLOCK_PUBKEY], [wallet, 's'], [thief, 's']], ['u32', 10], ['u32', 1]),
    ],
    ...takeStake,
  },
  'the thief may withdraw, by an address of the wallet and a seed': {
    before: seated,
    signed: [
      raw(
        STAKE,
        [[stake, 'w'], [wallet, 's'], [SYSVAR_CLOCK_PUBKEY]],
        ['u32', 8],
        ['key', thief],
        ['u32', 1],
        ['seed', 'seat'],
        ['key', SYSTEM],
      ),
    ],
    ...takeStake,
  },
  'the thief may withdraw, by a checked instruction and an address of the wallet and a seed': {
    before: seated,
    signed: [
      raw(
        STAKE,
        [[stake, 'w'], [wallet, 's'], [SYSVAR_CLOCK_PUBKEY], [thief, 's']],
        ['u32', 11],
        ['u32', 1],
        ['seed', 'seat'],
        ['key', SYSTEM],
      ),
    ],
    ...takeStake,
  },
  'the thief may delegate it first, and withdraw afterwards': {
    signed: [...authorize(stake, Staker), ...authorize(stake)],
    ...takeStake,
  },
  'the thief may withdraw, by a message with a lookup table': {
    signed: authorize(stake),
    hasTable: true,
    ...takeStake,
  },
  'the thief may withdraw, by a transaction that never expires': {
    signed: [advance, ...authorize(stake)],
    ...takeStake,
  },
  'a part is split off and given to the thief': {
    signed: [...split, ...authorize(part)],
    taken: withdraw(part, 4 * SOL),
    stolen: 4 * SOL,
  },
  'a part is split off for the wallet and the whole is given away': {
    signed: [...split, ...authorize(stake)],
    taken: withdraw(stake, 5 * SOL),
    stolen: 5 * SOL,
  },
  'it is merged into another one that the thief gets': {
    signed: [...merge, ...authorize(otherStake)],
    taken: withdraw(otherStake, 19 * SOL),
    stolen: 19 * SOL,
  },
  'it is withdrawn to the thief': { signed: withdraw(stake, 9 * SOL, wallet), stolen: 9 * SOL },
  'a new one of the wallet’s is given to the thief': {
    signed: [...make(), ...authorize(newStake)],
    ...takeMade,
  },
  'a new one of the wallet’s is withdrawn to the thief': {
    signed: [...make(), ...withdraw(newStake, 30 * SOL, wallet)],
    stolen: 30 * SOL,
    paid: 30 * SOL,
  },
  'a new one is the thief’s, and is delegated by the wallet alone': {
    signed: make(undefined, thief),
    ...takeMade,
  },
}

// Lockups.
const in2100 = 4_102_444_800
interface Lock {
  readonly until?: number
  readonly epoch?: number
  readonly custodian?: PublicKey
}
const optional = (kind: 'i64' | 'u64' | 'key', value: number | PublicKey | undefined) =>
  value === undefined
    ? ([['u8', 0]] as const)
    : ([
        ['u8', 1],
        [kind, value],
      ] as const)
const setLockup = ({ until, epoch, custodian }: Lock, account = stake, by = wallet) =>
  raw(
    STAKE,
    [
      [account, 'w'],
      [by, 's'],
    ],
    ['u32', 6],
    ...optional('i64', until),
    ...optional('u64', epoch),
    ...optional('key', custodian),
  )
const own = { locked: withdraw(stake, SOL, wallet, wallet) }
const ownNew = { locked: withdraw(newStake, SOL, wallet, wallet), paid: 30 * SOL }
const locks: Record<string, Theft> = {
  'until 2100, with the thief as custodian': {
    signed: [setLockup({ until: in2100, custodian: thief })],
    ...own,
  },
  'until an epoch far away, with the thief as custodian': {
    signed: [setLockup({ epoch: 1_000_000, custodian: thief })],
    ...own,
  },
  'until 2100, with nobody as custodian': { signed: [setLockup({ until: in2100 })], ...own },
  'until an epoch far away, with nobody as custodian': { signed: [setLockup({ epoch: 1_000_000 })], ...own },
  'until a time that is over and an epoch far away': {
    signed: [setLockup({ until: CHAIN_NOW - 5_000, epoch: 1_000_000, custodian: thief })],
    ...own,
  },
  'by a checked instruction': {
    signed: [
      raw(
        STAKE,
        [
          [stake, 'w'],
          [wallet, 's'],
          [thief, 's'],
        ],
        ['u32', 12],
        ['u8', 1],
        ['i64', in2100],
        ['u8', 0],
      ),
    ],
    ...own,
  },
  'for an hour that the thief makes a century': {
    signed: [setLockup({ until: CHAIN_NOW + 3_600, custodian: thief })],
    taken: [setLockup({ until: in2100 }, stake, thief)],
    ...own,
  },
  'a part of it that is split off before': {
    signed: [...split, setLockup({ until: in2100, custodian: thief }, part)],
    locked: withdraw(part, SOL, wallet, wallet),
  },
  'a new one, as it is set up': { signed: make(new Lockup(in2100, 0, thief)), ...ownNew },
  'a new one, after it was set up without': {
    signed: [...make(), setLockup({ until: in2100, custodian: thief }, newStake)],
    ...ownNew,
  },
  'a new one whose custodian is the wallet until the thief becomes it': {
    signed: [...make(new Lockup(in2100, 0, wallet)), setLockup({ custodian: thief }, newStake)],
    ...ownNew,
  },
  'by a message with a lookup table': {
    signed: [memo, setLockup({ until: in2100, custodian: thief })],
    hasTable: true,
    ...own,
  },
  'by a transaction that never expires': {
    signed: [advance, setLockup({ until: in2100, custodian: thief })],
    ...own,
  },
}

// Vote accounts.
const { Voter, Withdrawer: Taker } = VoteAuthorizationLayout
const voteAuthorize = (votePubkey: PublicKey, type = Taker, to = thief) =>
  VoteProgram.authorize({
    votePubkey,
    authorizedPubkey: wallet,
    newAuthorizedPubkey: to,
    voteAuthorizationType: type,
  }).instructions
const voteWithdraw = (votePubkey: PublicKey, lamports: number, by = thief) =>
  VoteProgram.withdraw({
    votePubkey,
    authorizedWithdrawerPubkey: by,
    lamports,
    toPubkey: thief,
  }).instructions
const newVote = derive(wallet, 'vote', VOTE)
const makeVote = (withdrawer = wallet): List => [
  SystemProgram.createAccountWithSeed({
    fromPubkey: wallet,
    newAccountPubkey: newVote,
    basePubkey: wallet,
    seed: 'vote',
    lamports: 25 * SOL,
    space: VoteProgram.space,
    programId: VOTE,
  }),
  VoteProgram.initializeAccount({
    votePubkey: newVote,
    nodePubkey: wallet,
    voteInit: new VoteInit(wallet, wallet, withdrawer, 5),
  }),
]
const seatedVote = voteAuthorize(ownVote, Taker, seat)
const takeVote = { taken: voteWithdraw(ownVote, 1.9 * SOL), stolen: 1.9 * SOL }
const takeNewVote = { taken: voteWithdraw(newVote, 25 * SOL), stolen: 25 * SOL, paid: 25 * SOL }
const votes: Record<string, Theft> = {
  'the thief may withdraw': { signed: voteAuthorize(ownVote), ...takeVote },
  'the thief may withdraw, by a checked instruction': {
    signed: [
      raw(VOTE, [[ownVote, 'w'], [SYSVAR_CLOCK_PUBKEY], [wallet, 's'], [thief, 's']], ['u32', 7], ['u32', 1]),
    ],
    ...takeVote,
  },
  'the thief may withdraw, by an address of the wallet and a seed': {
    before: seatedVote,
    signed: [
      raw(
        VOTE,
        [[ownVote, 'w'], [SYSVAR_CLOCK_PUBKEY], [wallet, 's']],
        ['u32', 10],
        ['u32', 1],
        ['key', SYSTEM],
        ['seed', 'seat'],
        ['key', thief],
      ),
    ],
    ...takeVote,
  },
  'the thief may withdraw, by a checked instruction and an address of the wallet and a seed': {
    before: seatedVote,
    signed: [
      raw(
        VOTE,
        [[ownVote, 'w'], [SYSVAR_CLOCK_PUBKEY], [wallet, 's'], [thief, 's']],
        ['u32', 11],
        ['u32', 1],
        ['key', SYSTEM],
        ['seed', 'seat'],
      ),
    ],
    ...takeVote,
  },
  'the thief may vote first, and withdraw afterwards': {
    signed: [...voteAuthorize(ownVote, Voter), ...voteAuthorize(ownVote)],
    ...takeVote,
  },
  'the thief may withdraw, by a message with a lookup table': {
    signed: voteAuthorize(ownVote),
    hasTable: true,
    ...takeVote,
  },
  'the thief may withdraw, by a transaction that never expires': {
    signed: [advance, ...voteAuthorize(ownVote)],
    ...takeVote,
  },
  'the thief may withdraw, behind a memo and a payment': {
    signed: [memo, pay(1_000), ...voteAuthorize(ownVote)],
    ...takeVote,
  },
  'it is withdrawn to the thief': { signed: voteWithdraw(ownVote, 1.9 * SOL, wallet), stolen: 1.9 * SOL },
  'a part is withdrawn, and the rest is given away': {
    signed: [...voteWithdraw(ownVote, SOL, wallet), ...voteAuthorize(ownVote)],
    taken: voteWithdraw(ownVote, 0.9 * SOL),
    stolen: 1.9 * SOL,
  },
  'a new one is the thief’s': { signed: makeVote(thief), ...takeNewVote },
  'a new one of the wallet’s is given to the thief': {
    signed: [...makeVote(), ...voteAuthorize(newVote)],
    ...takeNewVote,
  },
  'a new one of the wallet’s is withdrawn to the thief': {
    signed: [...makeVote(), ...voteWithdraw(newVote, 24 * SOL, wallet)],
    stolen: 24 * SOL,
    paid: 24 * SOL,
  },
}

/** Red that is about what becomes of the wallet's own, and not only about who signs or how long it is good for. */
const red = ({ warnings }: VaultScreen) =>
  warnings.filter(
    ({ severity, code }) =>
      severity === 'danger' && code !== 'solana-severalSigners' && code !== 'solana-unknownAccounts',
  )

/** A table of the thief's with the accounts that don't have to stand in the message. */
function tableOf(list: List): AddressLookupTableAccount {
  const addresses = list.flatMap(({ keys }) => keys.flatMap((each) => (each.isSigner ? [] : [each.pubkey])))
  const meta = Buffer.alloc(56)
  meta.writeUInt32LE(1)
  meta.writeBigUInt64LE(2n ** 64n - 1n, 4)
  world.place(stranger, {
    owner: AddressLookupTableProgram.programId.toBase58(),
    lamports: BigInt(SOL),
    data: Buffer.concat([meta, ...addresses.map((each) => each.toBuffer())]),
  })
  const state = {
    deactivationSlot: 2n ** 64n - 1n,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses,
  }
  return new AddressLookupTableAccount({ key: stranger, state })
}

describe.each([
  ['a nonce', nonces],
  ['a stake', stakes],
  ['a lock of a stake', locks],
  ['a vote account', votes],
] as const)('thefts: %s', (_, thefts) => {
  test('there are ten ways at least', () => {
    expect(Object.keys(thefts).length).toBeGreaterThanOrEqual(10)
  })

  test.each(Object.entries<Theft>(thefts))(
    '%s: red, by its bytes alone and with a trial run, and carried out',
    async (_title, { before = [], signed, taken = [], stolen, locked, paid = 0, hasTable }) => {
      if (before.length > 0) expect(world.run(before).error).toBeUndefined()
      world.pass()
      const tables = hasTable ? [tableOf(signed)] : undefined
      const message = world.message(signed, wallet, tables)
      const bare = await world.screen(message)
      const server = await world.preview(message)
      const tried = await world.screen(message, server)
      const had = world.state(thief)?.lamports ?? 0n
      expect(world.run(signed, wallet, tables).error).toBeUndefined()
      for (const each of taken) {
        world.pass()
        expect(world.run([each], thief).error).toBeUndefined()
      }
      const got = (world.state(thief)?.lamports ?? 0n) - had
      if (stolen !== undefined) expect(got).toBeGreaterThan(BigInt(stolen) - 1_000_000n)
      if (locked) expect(world.run(locked, wallet).error).toBeDefined()
      expect(server.simulation).toMatchObject({ outcome: 'simulated', status: 'success' })
      expect(red(tried)).not.toEqual([])
      for (const { preview } of [bare, tried]) expect(preview?.value).toBeGreaterThanOrEqual(BigInt(paid))
      // Accounts of a table are unknown to the bytes, which is said.
      if (hasTable) expect(bare.warnings.map(({ code }) => code)).toContain('solana-unknownAccounts')
      else expect(red(bare)).not.toEqual([])
    },
  )
})

test('the rent of unwrapped SOL that pays for an account of somebody else is told as leaving', async () => {
  const instructions = [
    createCloseAccountInstruction(places.wrapped, wallet, wallet),
    createAssociatedTokenAccountInstruction(
      wallet,
      getAssociatedTokenAddressSync(places.ownMint, thief, true),
      thief,
      places.ownMint,
    ),
  ]
  const { simulation } = await world.preview(world.message(instructions))
  const sum = (direction: 'in' | 'out', token?: string) =>
    simulation?.outcome === 'simulated'
      ? simulation[direction]
          .filter((each) => each.token === token)
          .reduce((all, { amount }) => all + amount, 0n)
      : undefined
  const wrapped = 5n * BigInt(SOL)
  const rent = 2_039_280n
  expect([sum('out'), sum('out', NATIVE_MINT.toBase58()), sum('in')]).toEqual([rent, wrapped, wrapped])
  const { error, before, after } = world.run(instructions)
  const [had, has] = [before, after].map((states) => states.get(wallet.toBase58())?.lamports ?? 0n) as [
    bigint,
    bigint,
  ]
  expect([error, has - had > wrapped - rent]).toEqual([undefined, true])
})
