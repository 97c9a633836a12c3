/**
 * Thefts whose bytes have harmless names: each is read on the vault's own screen, with and without a trial run, and then carried out on
 * a chain in this process, first by the wallet and afterwards by the thief alone.
 */
import * as spl from '@solana/spl-token'
import {
  Authorized,
  ComputeBudgetProgram,
  Lockup,
  PublicKey,
  StakeProgram,
  SystemProgram,
  type TransactionInstruction,
  VoteInit,
  VoteProgram,
} from '@solana/web3.js'
import { afterEach, describe, expect, test } from 'vitest'
import {
  createSolanaWorld,
  fresh,
  friend,
  SOL,
  strangeTokens,
  thief,
  wallet,
} from '../support/solana-fuzz.ts'
import { derive, raw } from '../support/solana-random.ts'
import type { VaultScreen } from '../support/vault-screen.ts'

const world = createSolanaWorld()
afterEach(() => world.reset())

const SYSTEM = SystemProgram.programId
const STAKE = StakeProgram.programId
const TOKEN = spl.TOKEN_PROGRAM_ID
const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const [stranger = thief] = fresh
const nobody = new Lockup(0, 0, PublicKey.default)
const memo = raw(MEMO, [], ['bytes', Buffer.from('Claim your reward')])
const budget = ComputeBudgetProgram.setComputeUnitLimit({ units: 400_000 })
const gift = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: friend, lamports: 1_000 })

interface Theft {
  readonly title: string
  readonly instructions: readonly TransactionInstruction[]
  /** The account that the wallet pays for, and what it puts there; the wallet's own by default, with all that it has. */
  readonly paid?: { readonly account: PublicKey; readonly lamports: number }
  /** What the thief does afterwards, alone. `locked`: what the wallet does in vain to get it back. */
  readonly after:
    | { readonly taken: readonly TransactionInstruction[] }
    | { readonly locked: readonly TransactionInstruction[] }
}

/** An account of the wallet's money, in each way that it can be made. */
const ways: Record<
  string,
  (
    program: PublicKey,
    space: number,
    lamports: number,
  ) => { account: PublicKey; made: TransactionInstruction[] }
> = {
  'made by createAccountWithSeed': (programId, space, lamports) => {
    const account = derive(wallet, 'a', programId)
    const base = { fromPubkey: wallet, basePubkey: wallet, seed: 'a' }
    return {
      account,
      made: [
        SystemProgram.createAccountWithSeed({
          ...base,
          newAccountPubkey: account,
          lamports,
          space,
          programId,
        }),
      ],
    }
  },
  'made by createAccountWithSeed of the name of a stake, after a memo': (programId, space, lamports) => {
    const account = derive(wallet, 'stake:0', programId)
    const base = { fromPubkey: wallet, basePubkey: wallet, seed: 'stake:0' }
    return {
      account,
      made: [
        memo,
        SystemProgram.createAccountWithSeed({
          ...base,
          newAccountPubkey: account,
          lamports,
          space,
          programId,
        }),
      ],
    }
  },
  'made by createAccount': (programId, space, lamports) => ({
    account: stranger,
    made: [
      SystemProgram.createAccount({
        fromPubkey: wallet,
        newAccountPubkey: stranger,
        lamports,
        space,
        programId,
      }),
    ],
  }),
  'made by createAccountAllowPrefund': (programId, space, lamports) => ({
    account: stranger,
    made: [
      raw(
        SYSTEM,
        [
          [stranger, 'sw'],
          [wallet, 'sw'],
        ],
        ['u32', 13],
        ['u64', lamports],
        ['u64', space],
        ['key', programId],
      ),
    ],
  }),
  'made by a transfer and allocateWithSeed': (programId, space, lamports) => {
    const account = derive(wallet, 'b', programId)
    return {
      account,
      made: [
        SystemProgram.transfer({ fromPubkey: wallet, toPubkey: account, lamports }),
        SystemProgram.allocate({ accountPubkey: account, basePubkey: wallet, seed: 'b', space, programId }),
      ],
    }
  },
}

/** What the thief does with an account that nobody has set up, or that is the thief's. */
const setUpNonce = (account: PublicKey) =>
  SystemProgram.nonceInitialize({ noncePubkey: account, authorizedPubkey: thief })
const setUpTokens = (account: PublicKey, program = TOKEN) =>
  spl.createInitializeAccount3Instruction(account, spl.NATIVE_MINT, thief, program)
const setUpStake = (account: PublicKey, withdrawer = thief, lockup = nobody) =>
  StakeProgram.initialize({
    stakePubkey: account,
    authorized: new Authorized(withdrawer, withdrawer),
    lockup,
  })
const takeNonce = (account: PublicKey, lamports: number | bigint) =>
  SystemProgram.nonceWithdraw({
    noncePubkey: account,
    authorizedPubkey: thief,
    toPubkey: thief,
    lamports: Number(lamports),
  })
const takeTokens = (account: PublicKey, program = TOKEN) =>
  spl.createCloseAccountInstruction(account, thief, thief, [], program)
const takeStake = (account: PublicKey, lamports: number | bigint, by = thief) =>
  StakeProgram.withdraw({
    stakePubkey: account,
    authorizedPubkey: by,
    toPubkey: by,
    lamports: Number(lamports),
  }).instructions

const setUpVote = (account: PublicKey, node: PublicKey) =>
  VoteProgram.initializeAccount({
    votePubkey: account,
    nodePubkey: node,
    voteInit: new VoteInit(node, node, thief, 0),
  })
const takeVote = (account: PublicKey, lamports: number) =>
  VoteProgram.withdraw({
    votePubkey: account,
    authorizedWithdrawerPubkey: thief,
    toPubkey: thief,
    lamports,
  }).instructions

interface Form {
  readonly program: PublicKey
  readonly space: number
  /** The two ways in which it is left: what the wallet signs beside the account's making, and what comes afterwards. */
  readonly left: Record<
    string,
    (account: PublicKey, lamports: number) => { signed: TransactionInstruction[]; after: Theft['after'] }
  >
}
const year2100 = 4_102_444_800
const forms: Record<string, Form> = {
  'an account of a strange program': {
    program: strangeTokens,
    space: 165,
    left: {
      'that is set up for the thief': (account) => ({
        signed: [setUpTokens(account, strangeTokens)],
        after: { taken: [takeTokens(account, strangeTokens)] },
      }),
      'that is left to whoever comes first': (account) => ({
        signed: [],
        after: { taken: [setUpTokens(account, strangeTokens), takeTokens(account, strangeTokens)] },
      }),
    },
  },
  'wrapped SOL': {
    program: TOKEN,
    space: 165,
    left: {
      'that the thief holds': (account) => ({
        signed: [setUpTokens(account)],
        after: { taken: [takeTokens(account)] },
      }),
      'that is left to whoever comes first': (account) => ({
        signed: [],
        after: { taken: [setUpTokens(account), takeTokens(account)] },
      }),
    },
  },
  'a nonce': {
    program: SYSTEM,
    space: 80,
    left: {
      'of the thief': (account, lamports) => ({
        signed: [setUpNonce(account)],
        after: { taken: [takeNonce(account, lamports)] },
      }),
      'that is left to whoever comes first': (account, lamports) => ({
        signed: [],
        after: { taken: [setUpNonce(account), takeNonce(account, lamports)] },
      }),
    },
  },
  'a stake': {
    program: STAKE,
    space: 200,
    left: {
      'that the thief may withdraw': (account, lamports) => ({
        signed: [
          StakeProgram.initialize({
            stakePubkey: account,
            authorized: new Authorized(wallet, thief),
            lockup: nobody,
          }),
        ],
        after: { taken: takeStake(account, lamports) },
      }),
      'that is left to whoever comes first': (account, lamports) => ({
        signed: [],
        after: { taken: [setUpStake(account), ...takeStake(account, lamports)] },
      }),
    },
  },
  'a vote account': {
    program: VoteProgram.programId,
    space: VoteProgram.space,
    left: {
      'that the thief may withdraw': (account, lamports) => ({
        signed: [setUpVote(account, wallet)],
        after: { taken: takeVote(account, lamports) },
      }),
      'that is left to whoever comes first': (account, lamports) => ({
        signed: [],
        after: { taken: [setUpVote(account, thief), ...takeVote(account, lamports)] },
      }),
    },
  },
  'a locked stake of one’s own': {
    program: STAKE,
    space: 200,
    left: {
      'until 2100, with the thief as custodian': (account, lamports) => ({
        signed: [setUpStake(account, wallet, new Lockup(year2100, 0, thief))],
        after: { locked: takeStake(account, lamports, wallet) },
      }),
      'until an epoch that none will see, with nobody as custodian': (account, lamports) => ({
        signed: [setUpStake(account, wallet, new Lockup(0, 1_000_000, PublicKey.default))],
        after: { locked: takeStake(account, lamports, wallet) },
      }),
    },
  },
}

const all = () => world.state(wallet)?.lamports ?? 0n
const [own, other] = [100 * SOL, 37.5 * SOL]
const paidFor: Theft[] = Object.entries(forms).flatMap(([what, { program, space, left }]) =>
  Object.entries(left).flatMap(([how, leave], place) =>
    Object.entries(ways).map(([way, make]) => {
      const lamports = place === 0 ? own : other
      const { account, made } = make(program, space, lamports)
      const { signed, after } = leave(account, lamports)
      return {
        title: `${what} ${how}, ${way}`,
        instructions: [...made, ...signed],
        paid: { account, lamports },
        after,
      }
    }),
  ),
)

const allocate = (space: number) => SystemProgram.allocate({ accountPubkey: wallet, space })
const assign = (programId: PublicKey) => SystemProgram.assign({ accountPubkey: wallet, programId })
const prefund = (programId: PublicKey, space: number, isPaid = false) =>
  raw(
    SYSTEM,
    [[wallet, 'sw'], ...(isPaid ? [[wallet, 'sw'] as const] : [])],
    ['u32', 13],
    ['u64', 0],
    ['u64', space],
    ['key', programId],
  )
/** The wallet's whole balance, less the fee and what such an account has to keep. */
const most = all() - 3_000_000n
const asNonce = { taken: [setUpNonce(wallet), takeNonce(wallet, most)] }
const asTokens = { taken: [setUpTokens(wallet), takeTokens(wallet)] }
const asStrange = { taken: [setUpTokens(wallet, strangeTokens), takeTokens(wallet, strangeTokens)] }
const asStake = { taken: [setUpStake(wallet), ...takeStake(wallet, most)] }
const forGood = { locked: [SystemProgram.transfer({ fromPubkey: wallet, toPubkey: friend, lamports: SOL })] }
const ofTheWallet: Theft[] = [
  {
    title: 'the wallet’s own account gets the room of a nonce',
    instructions: [allocate(80)],
    after: asNonce,
  },
  {
    title: 'the wallet’s own account gets it after a memo',
    instructions: [memo, allocate(80)],
    after: asNonce,
  },
  {
    title: 'the wallet’s own account gets it between a budget and a payment',
    instructions: [budget, gift, allocate(80)],
    after: asNonce,
  },
  {
    title: 'the wallet’s own account gets it, and is “given” to the system program',
    instructions: [assign(SYSTEM), allocate(80)],
    after: asNonce,
  },
  {
    title: 'the wallet’s own account becomes the thief’s nonce at once',
    instructions: [allocate(80), setUpNonce(wallet)],
    after: { taken: [takeNonce(wallet, most)] },
  },
  { title: 'the wallet’s own account gets one byte', instructions: [allocate(1)], after: forGood },
  {
    title: 'the wallet’s own account gets one byte after a payment',
    instructions: [gift, allocate(1)],
    after: forGood,
  },
  {
    title: 'the wallet’s own account becomes one of tokens',
    instructions: [allocate(165), assign(TOKEN)],
    after: asTokens,
  },
  {
    title: 'the wallet’s own account becomes one of a strange program',
    instructions: [allocate(165), assign(strangeTokens)],
    after: asStrange,
  },
  {
    title: 'the wallet’s own account becomes a stake',
    instructions: [allocate(200), assign(STAKE)],
    after: asStake,
  },
  ...[
    ['a strange program', strangeTokens, 165, asStrange],
    ['the token program', TOKEN, 165, asTokens],
    ['the stake program', STAKE, 200, asStake],
    ['the system program, with the room of a nonce', SYSTEM, 80, asNonce],
    ['the system program, with one byte', SYSTEM, 1, forGood],
  ].flatMap(([what, program, space, after]) =>
    [[], [memo, budget]].map((before, place) => ({
      title: `createAccountAllowPrefund gives the wallet’s own account to ${what}${place ? ', behind a memo and a budget' : ''}`,
      instructions: [...before, prefund(program as PublicKey, space as number, place === 1)],
      after: after as Theft['after'],
    })),
  ),
]

/** Red that is about more than who signs beside the wallet. */
const red = ({ warnings }: VaultScreen) =>
  warnings
    .filter(({ severity, code }) => severity === 'danger' && code !== 'solana-severalSigners')
    .map(({ words }) => words)
const figure = (lamports: number) => `${lamports / SOL} SOL`

function check(screen: VaultScreen, { paid }: Theft): void {
  expect(red(screen)).not.toEqual([])
  if (!paid) return
  const { value = 0n, rent = 0n } = screen.preview ?? {}
  expect([value, rent]).toEqual([BigInt(paid.lamports), 0n])
  expect(screen.headline.join()).toContain(figure(paid.lamports))
}

describe.each([
  ['money in a stranger’s account', paidFor],
  ['the wallet’s own account', ofTheWallet],
] as const)('thefts: %s', (_, thefts) => {
  test.each(thefts.map((theft) => [theft.title, theft] as const))(
    '%s: red, by its bytes alone and with a trial run, and carried out',
    async (_title, theft) => {
      const message = world.message(theft.instructions)
      const bare = await world.screen(message)
      const server = await world.preview(message)
      const tried = await world.screen(message, server)
      const before = { wallet: all(), thief: world.state(thief)?.lamports ?? 0n }
      expect(world.run(theft.instructions).error).toBeUndefined()
      if ('taken' in theft.after) {
        for (const each of theft.after.taken) {
          world.pass()
          expect(world.run([each], thief).error).toBeUndefined()
        }
        const stolen = (world.state(thief)?.lamports ?? 0n) - before.thief
        const wanted = BigInt(theft.paid?.lamports ?? before.wallet)
        expect(stolen).toBeGreaterThan(wanted - 5_000_000n)
      } else expect(world.run(theft.after.locked, wallet).error).toBeDefined()
      expect(server.simulation).toMatchObject({ outcome: 'simulated', status: 'success' })
      check(bare, theft)
      check(tried, theft)
    },
  )
})

test('a price for computing that nothing uses: the fee that it takes stands on the screen', async () => {
  const instructions = [ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 50_000_000_000_000n })]
  const message = world.message(instructions)
  const server = await world.preview(message).catch(() => undefined)
  // A fee that nobody means is refused.
  const shown = async (said?: typeof server) => world.screen(message, said).catch(() => undefined)
  const screens = [await shown(), await shown(server)]
  const before = all()
  expect(world.run(instructions).error).toBeUndefined()
  const left = before - all()
  expect(left).toBeGreaterThan(BigInt(100 * SOL))
  for (const screen of screens) if (screen) expect(screen.preview?.fee).toBeGreaterThanOrEqual(left)
})
