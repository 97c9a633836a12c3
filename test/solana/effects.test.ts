/** What a transaction leaves behind: every state that somebody else can use is red, and the wallet's own is not. */
import { AccountRole, address, createNoopSigner, type Instruction } from '@solana/kit'
import {
  AuthorityType,
  createApproveInstruction,
  createAssociatedTokenAccountIdempotentInstruction,
  createAssociatedTokenAccountInstruction,
  createCloseAccountInstruction,
  createInitializeAccount3Instruction,
  createInitializeMint2Instruction,
  createInitializeMultisigInstruction,
  createRevokeInstruction,
  createSetAuthorityInstruction,
  createSyncNativeInstruction,
  createTransferCheckedInstruction,
  NATIVE_MINT,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  Authorized,
  Lockup,
  PublicKey,
  StakeAuthorizationLayout,
  StakeProgram,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  VoteAuthorizationLayout,
  VoteInit,
  VoteProgram,
} from '@solana/web3.js'
import { getStakeStateAccountEncoder } from '@solana-program/stake'
import { getCreateAccountAllowPrefundInstruction } from '@solana-program/system'
import { describe, expect, test } from 'vitest'
import { decodeActions } from '../../src/solana/decode.ts'
import { readEffects } from '../../src/solana/effects.ts'
import { decodeMessage } from '../../src/solana/message.ts'
import { reviewMessage } from '../../src/solana/review.ts'
import { assess, explains, type WarningContext } from '../../src/solana/warnings.ts'
import { solanaBlockhash, solanaKeys, transferTo } from '../support/solana-node.ts'

const [payer, thief, own, mint, other] = solanaKeys.map((key) => key.publicKey) as [
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
]
const wallet = payer.toBase58()
const SOL = 1_000_000_000
const loader = new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111')
const jupiter = new PublicKey('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4')
const strange = other

type List = readonly TransactionInstruction[]
const messageOf = (list: List) =>
  decodeMessage(
    new Transaction({ feePayer: payer, blockhash: solanaBlockhash, lastValidBlockHeight: 1 })
      .add(...list)
      .serializeMessage(),
  )
const warningsOf = (list: List, context: Partial<WarningContext> = {}) => {
  const message = messageOf(list)
  return assess(message, decodeActions(message), { wallet, ...context })
}
const codes = (list: List, context?: Partial<WarningContext>) =>
  warningsOf(list, context).map(({ severity, code }) => `${severity} ${code}`)
const redOnes = (list: List, context?: Partial<WarningContext>) =>
  codes(list, context).filter((each) => each.startsWith('danger'))
const costOf = (list: List) => reviewMessage(messageOf(list), wallet).cost

/** An instruction of kit, as web3.js sends it. */
const fromKit = ({ programAddress, accounts = [], data = new Uint8Array() }: Instruction) =>
  new TransactionInstruction({
    programId: new PublicKey(programAddress),
    keys: accounts.map(({ address: key, role }) => ({
      pubkey: new PublicKey(key),
      isSigner: role === AccountRole.READONLY_SIGNER || role === AccountRole.WRITABLE_SIGNER,
      isWritable: role === AccountRole.WRITABLE || role === AccountRole.WRITABLE_SIGNER,
    })),
    data: Buffer.from(data),
  })
const prefund = (space: number, program: PublicKey, lamports = 0) =>
  fromKit(
    getCreateAccountAllowPrefundInstruction({
      newAccount: createNoopSigner(address(wallet)),
      ...(lamports > 0 && { payer: createNoopSigner(address(wallet)) }),
      lamports,
      space,
      programAddress: address(program.toBase58()),
    }) as Instruction,
  )
/** The wallet's own account by a seed, with 100 SOL. */
const seeded = (programId: PublicKey, space: number, seed = 'a', newAccountPubkey = own) =>
  SystemProgram.createAccountWithSeed({
    fromPubkey: payer,
    newAccountPubkey,
    basePubkey: payer,
    seed,
    lamports: 100 * SOL,
    space,
    programId,
  })
const fresh = (programId: PublicKey, space: number, newAccountPubkey = own) =>
  SystemProgram.createAccount({ fromPubkey: payer, newAccountPubkey, lamports: 100 * SOL, space, programId })
const allocate = (space: number) => SystemProgram.allocate({ accountPubkey: payer, space })
const assign = (programId: PublicKey) => SystemProgram.assign({ accountPubkey: payer, programId })
const nonceInit = (account: PublicKey, authority: PublicKey): TransactionInstruction => {
  const both = SystemProgram.createNonceAccount({
    fromPubkey: payer,
    noncePubkey: account,
    authorizedPubkey: authority,
    lamports: 1,
  }).instructions
  return both[1] as TransactionInstruction
}
const nonceAuthorize = (authority: PublicKey) =>
  SystemProgram.nonceAuthorize({ noncePubkey: own, authorizedPubkey: payer, newAuthorizedPubkey: authority })
/** A thief signs for an account of its own, and keeps it. */
const keptByThief = {
  nonce: SystemProgram.nonceAuthorize({
    noncePubkey: own,
    authorizedPubkey: thief,
    newAuthorizedPubkey: thief,
  }),
  stake: StakeProgram.authorize({
    stakePubkey: own,
    authorizedPubkey: thief,
    newAuthorizedPubkey: thief,
    stakeAuthorizationType: StakeAuthorizationLayout.Withdrawer,
  }).instructions,
  tokens: createSetAuthorityInstruction(own, thief, AuthorityType.AccountOwner, thief),
  mint: createSetAuthorityInstruction(mint, thief, AuthorityType.MintTokens, thief),
}
const stakeInit = (staker: PublicKey, withdrawer: PublicKey, lockup?: Lockup, account = own) =>
  StakeProgram.initialize({
    stakePubkey: account,
    authorized: new Authorized(staker, withdrawer),
    ...(lockup && { lockup }),
  })
const stakeAuthorize = (next: PublicKey, kind: 'Staker' | 'Withdrawer' = 'Withdrawer') =>
  StakeProgram.authorize({
    stakePubkey: own,
    authorizedPubkey: payer,
    newAuthorizedPubkey: next,
    stakeAuthorizationType: StakeAuthorizationLayout[kind],
  }).instructions
const stakes = StakeProgram.programId
const stakeSize = StakeProgram.space
/** A lockup as the stake program writes it: what is `undefined` stays. */
const setLockup = (until?: bigint, epoch?: bigint, custodian?: PublicKey) => {
  const number = (value: bigint | undefined) => {
    if (value === undefined) return [0]
    const bytes = Buffer.alloc(9)
    bytes[0] = 1
    bytes.writeBigInt64LE(value, 1)
    return [...bytes]
  }
  return new TransactionInstruction({
    programId: stakes,
    keys: [
      { pubkey: own, isSigner: false, isWritable: true },
      { pubkey: payer, isSigner: true, isWritable: false },
    ],
    data: Buffer.from([
      ...[6, 0, 0, 0],
      ...number(until),
      ...number(epoch),
      ...(custodian ? [1, ...custodian.toBytes()] : [0]),
    ]),
  })
}
const in2100 = 4_102_444_800
const tokenInit = (holder: PublicKey, program = TOKEN_PROGRAM_ID) =>
  createInitializeAccount3Instruction(own, NATIVE_MINT, holder, program)
const associated = (holder: PublicKey, account = own, program = TOKEN_PROGRAM_ID) =>
  createAssociatedTokenAccountIdempotentInstruction(payer, account, holder, mint, program)
const authority = (kind: AuthorityType, next: PublicKey | null) =>
  createSetAuthorityInstruction(own, payer, kind, next)
const raw = (programId: PublicKey, keys: readonly PublicKey[], data: readonly number[] = [1]) =>
  new TransactionInstruction({
    programId,
    keys: keys.map((pubkey) => ({ pubkey, isSigner: pubkey.equals(payer), isWritable: true })),
    data: Buffer.from(data),
  })
const buffer = (holder: PublicKey) => raw(loader, [own, holder], [0, 0, 0, 0])
const voteInit = (node: PublicKey, voter: PublicKey, withdrawer: PublicKey) =>
  VoteProgram.initializeAccount({
    votePubkey: own,
    nodePubkey: node,
    voteInit: new VoteInit(node, voter, withdrawer, 0),
  })
const votes = VoteProgram.programId
const voteSize = VoteProgram.space
const split = () =>
  StakeProgram.split(
    { stakePubkey: mint, authorizedPubkey: payer, splitStakePubkey: own, lamports: SOL },
    2_282_880,
  ).instructions

const red: Readonly<Record<string, Readonly<Record<string, List>>>> = {
  walletAccount: {
    'data of a nonce': [allocate(80)],
    'one byte': [allocate(1)],
    'data of a stake': [allocate(200)],
    'data before a transfer': [allocate(80), transferTo(thief, 1)],
    'data after a transfer': [transferTo(thief, 1), allocate(80)],
    'a nonce of a thief': [allocate(80), nonceInit(payer, thief)],
    'a nonce of its own': [allocate(80), nonceInit(payer, payer)],
    'a strange program': [assign(strange)],
    'the stake program': [assign(stakes)],
    'data and a program': [allocate(165), assign(TOKEN_PROGRAM_ID)],
    'another account that is there already': [prefund(0, strange)],
    'one with lamports': [prefund(0, strange, 1)],
    'one of the system program with data': [prefund(80, SystemProgram.programId)],
    'one of the token program': [prefund(165, TOKEN_PROGRAM_ID)],
    'an account in the ordinary way': [fresh(strange, 0, payer)],
    'an account with a seed': [seeded(strange, 0, 'a', payer)],
    'a program that is to be taken back': [assign(strange), assign(SystemProgram.programId)],
  },
  'strangeAccount by its program': {
    'a strange program': [seeded(strange, 0)],
    'a strange program with data': [seeded(strange, 100)],
    'a strange program, without a seed': [fresh(strange, 0)],
    'a loader that is not read': [seeded(new PublicKey('BPFLoader2111111111111111111111111111111111'), 10)],
    'a program that is known by name': [seeded(jupiter, 100)],
    'a known program after it has run': [seeded(jupiter, 100), raw(jupiter, [own, payer])],
    'the system program with data': [seeded(SystemProgram.programId, 1)],
    'a key of somebody else': [fresh(SystemProgram.programId, 0)],
    'the seed of somebody else': [
      SystemProgram.createAccountWithSeed({
        fromPubkey: payer,
        newAccountPubkey: own,
        basePubkey: thief,
        seed: 'a',
        lamports: SOL,
        space: 0,
        programId: SystemProgram.programId,
      }),
    ],
    'a token program that is none': [associated(payer, own, strange)],
    'a program that is assigned after a transfer': [
      transferTo(own, 100 * SOL),
      SystemProgram.assign({ accountPubkey: own, basePubkey: payer, seed: 'a', programId: strange }),
    ],
    'a program that is allocated for after a transfer': [
      transferTo(own, 100 * SOL),
      SystemProgram.allocate({
        accountPubkey: own,
        basePubkey: payer,
        seed: 'a',
        space: 9,
        programId: strange,
      }),
    ],
  },
  'strangeAccount that nobody sets up': {
    tokens: [seeded(TOKEN_PROGRAM_ID, 165)],
    'tokens of Token-2022': [seeded(TOKEN_2022_PROGRAM_ID, 165)],
    'a mint': [seeded(TOKEN_PROGRAM_ID, 82)],
    'a stake': [seeded(stakes, stakeSize)],
    'a nonce': [seeded(SystemProgram.programId, 80)],
    'a vote account': [seeded(votes, voteSize)],
    'a buffer': [seeded(loader, 37)],
    'tokens that a strange program may set up': [seeded(TOKEN_PROGRAM_ID, 165), raw(strange, [own])],
    'tokens that a known program may set up': [seeded(TOKEN_PROGRAM_ID, 165), raw(jupiter, [own, payer])],
    'tokens of a second account': [
      seeded(TOKEN_PROGRAM_ID, 165),
      tokenInit(payer),
      seeded(TOKEN_PROGRAM_ID, 165, 'b', mint),
    ],
  },
  'strangeAccount of tokens': {
    'wSOL of a thief': [seeded(TOKEN_PROGRAM_ID, 165), tokenInit(thief)],
    'without a seed': [fresh(TOKEN_PROGRAM_ID, 165), tokenInit(thief)],
    'of Token-2022': [seeded(TOKEN_2022_PROGRAM_ID, 165), tokenInit(thief, TOKEN_2022_PROGRAM_ID)],
    'given away later': [
      seeded(TOKEN_PROGRAM_ID, 165),
      tokenInit(payer),
      authority(AuthorityType.AccountOwner, thief),
    ],
    'whose rest a thief may take': [
      seeded(TOKEN_PROGRAM_ID, 165),
      tokenInit(payer),
      authority(AuthorityType.CloseAccount, thief),
    ],
    'with a delegate': [
      seeded(TOKEN_PROGRAM_ID, 165),
      tokenInit(payer),
      createApproveInstruction(own, thief, payer, 5),
    ],
    'with a transfer before': [
      transferTo(own, SOL),
      seeded(TOKEN_PROGRAM_ID, 165),
      tokenInit(thief),
      createSyncNativeInstruction(own),
    ],
    'of several signers': [
      seeded(TOKEN_PROGRAM_ID, 355),
      createInitializeMultisigInstruction(own, [payer, thief], 1),
    ],
    'a mint of a thief': [
      seeded(TOKEN_PROGRAM_ID, 82),
      createInitializeMint2Instruction(own, 6, thief, null),
    ],
    'a mint that a thief may freeze': [
      seeded(TOKEN_PROGRAM_ID, 82),
      createInitializeMint2Instruction(own, 6, payer, thief),
    ],
    'its own account that a thief gets': [associated(payer), authority(AuthorityType.AccountOwner, thief)],
  },
  'strangeAccount of a nonce': {
    'of a thief': [seeded(SystemProgram.programId, 80), nonceInit(own, thief)],
    'without a seed': [fresh(SystemProgram.programId, 80), nonceInit(own, thief)],
    'given away later': [seeded(SystemProgram.programId, 80), nonceInit(own, payer), nonceAuthorize(thief)],
    'given away later, and kept': [
      seeded(SystemProgram.programId, 80),
      nonceInit(own, payer),
      nonceAuthorize(thief),
      keptByThief.nonce,
    ],
    'by one call': SystemProgram.createNonceAccount({
      fromPubkey: payer,
      noncePubkey: own,
      authorizedPubkey: thief,
      lamports: SOL,
    }).instructions,
  },
  'strangeAccount of a stake': {
    'withdrawn by a thief': [seeded(stakes, stakeSize), stakeInit(payer, thief)],
    'delegated by a thief': [seeded(stakes, stakeSize), stakeInit(thief, payer)],
    'without a seed': [fresh(stakes, stakeSize), stakeInit(thief, thief)],
    'given away later': [seeded(stakes, stakeSize), stakeInit(payer, payer), ...stakeAuthorize(thief)],
    'whose staker changes later': [
      seeded(stakes, stakeSize),
      stakeInit(payer, payer),
      ...stakeAuthorize(thief, 'Staker'),
    ],
    'after a transfer': [
      transferTo(own, SOL),
      SystemProgram.allocate({
        accountPubkey: own,
        basePubkey: payer,
        seed: 'a',
        space: stakeSize,
        programId: stakes,
      }),
      stakeInit(payer, thief),
    ],
    'a part of one that nobody has said whose it is': split(),
    'a lockup of a thief': [seeded(stakes, stakeSize), stakeInit(payer, payer, new Lockup(in2100, 0, thief))],
  },
  'strangeAccount of votes and programs': {
    'withdrawn by a thief': [seeded(votes, voteSize), voteInit(payer, payer, thief)],
    'voted by a thief': [seeded(votes, voteSize), voteInit(payer, thief, payer)],
    'given away later': [
      seeded(votes, voteSize),
      voteInit(payer, payer, payer),
      ...VoteProgram.authorize({
        votePubkey: own,
        authorizedPubkey: payer,
        newAuthorizedPubkey: thief,
        voteAuthorizationType: VoteAuthorizationLayout.Withdrawer,
      }).instructions,
    ],
    'a buffer of a thief': [seeded(loader, 37), buffer(thief)],
  },
  lock: {
    'by a thief until 2100': [
      seeded(stakes, stakeSize),
      stakeInit(payer, payer, new Lockup(in2100, 0, thief)),
    ],
    'by a thief until an epoch': [
      seeded(stakes, stakeSize),
      stakeInit(payer, payer, new Lockup(0, 9_999, thief)),
    ],
    'by both': [seeded(stakes, stakeSize), stakeInit(payer, payer, new Lockup(1, 1, thief))],
    'by nobody': [
      seeded(stakes, stakeSize),
      stakeInit(payer, payer, new Lockup(in2100, 0, SystemProgram.programId)),
    ],
    'of a stake of before': [setLockup(BigInt(in2100), undefined, thief)],
    'whose custodian nobody has said': [setLockup(BigInt(in2100))],
    'of an epoch whose custodian nobody has said': [setLockup(undefined, 9n)],
    'set in a new one': [
      seeded(stakes, stakeSize),
      stakeInit(payer, payer),
      setLockup(BigInt(in2100), 0n, thief),
    ],
    'that changes hands': [
      seeded(stakes, stakeSize),
      stakeInit(payer, payer, new Lockup(in2100, 0, payer)),
      setLockup(undefined, undefined, thief),
    ],
    'after a transfer': [transferTo(thief, 1), setLockup(BigInt(in2100), undefined, thief)],
  },
}

/** Nothing of these is red. The others that are shown are written behind. */
const calm: Readonly<Record<string, readonly [List, readonly string[]]>> = {
  'an own stake': [
    [
      seeded(stakes, stakeSize),
      stakeInit(payer, payer),
      ...StakeProgram.delegate({ stakePubkey: own, authorizedPubkey: payer, votePubkey: thief }).instructions,
    ],
    [],
  ],
  'an own stake after a transfer': [
    [
      transferTo(own, SOL),
      SystemProgram.allocate({
        accountPubkey: own,
        basePubkey: payer,
        seed: 'a',
        space: stakeSize,
        programId: stakes,
      }),
      stakeInit(payer, payer),
    ],
    [],
  ],
  'an own stake that it locks itself': [
    [seeded(stakes, stakeSize), stakeInit(payer, payer, new Lockup(in2100, 0, payer))],
    [],
  ],
  'an own nonce': [[seeded(SystemProgram.programId, 80), nonceInit(own, payer)], ['caution nonceAccount']],
  'an own account by a seed': [[seeded(SystemProgram.programId, 0)], []],
  'own tokens': [[seeded(TOKEN_PROGRAM_ID, 165), tokenInit(payer)], []],
  'wSOL that is wrapped and closed': [
    [
      associated(payer),
      transferTo(own, SOL),
      createSyncNativeInstruction(own),
      createCloseAccountInstruction(own, payer, payer),
    ],
    ['notice close'],
  ],
  'an account that is closed before anybody sets it up': [
    [seeded(TOKEN_PROGRAM_ID, 165), tokenInit(payer), createCloseAccountInstruction(own, payer, payer)],
    ['notice close'],
  ],
  'a transfer to somebody’s new account': [
    [associated(thief), createTransferCheckedInstruction(other, mint, own, payer, 5n, 6)],
    [],
  ],
  'an account for somebody': [
    [createAssociatedTokenAccountInstruction(payer, own, thief, mint)],
    ['caution otherAccount'],
  ],
  'a mint of its own': [
    [seeded(TOKEN_PROGRAM_ID, 82), createInitializeMint2Instruction(own, 6, payer, payer)],
    [],
  ],
  'a mint that nobody may freeze': [
    [seeded(TOKEN_PROGRAM_ID, 82), createInitializeMint2Instruction(own, 6, payer, null)],
    [],
  ],
  'a delegate that is taken back': [
    [createApproveInstruction(own, thief, payer, 5), createRevokeInstruction(own, payer)],
    [],
  ],
  'itself as a delegate': [[createApproveInstruction(own, payer, payer, 5)], []],
  'itself as an owner': [[authority(AuthorityType.AccountOwner, payer)], []],
  'a right to close that is taken back': [
    [authority(AuthorityType.CloseAccount, thief), authority(AuthorityType.CloseAccount, null)],
    [],
  ],
  'itself as an authority of a nonce': [[nonceAuthorize(payer)], ['caution nonceAccount']],
  'a nonce that comes back': [[nonceAuthorize(thief), nonceAuthorize(payer)], ['caution nonceAccount']],
  'itself as a withdrawer': [stakeAuthorize(payer), []],
  'a nonce that its holder keeps': [[keptByThief.nonce], ['caution nonceAccount']],
  'a stake that its holder keeps': [keptByThief.stake, []],
  'tokens that their holder keeps': [[keptByThief.tokens], []],
  'a mint that its holder keeps': [[keptByThief.mint], []],
  'a lockup that ends': [[setLockup(0n, 0n)], []],
  'an own vote account': [[seeded(votes, voteSize), voteInit(payer, payer, payer)], []],
}

const withoutKeys = (codes: readonly string[]) => codes.filter((each) => each !== 'danger severalSigners')

describe('effects', () => {
  for (const [name, variants] of Object.entries(red)) {
    const [code = ''] = name.split(' ')
    test.each(Object.entries(variants))(`red: ${name}: %s`, (_, list) => {
      expect(redOnes(list)).toContain(`danger ${code}`)
    })
  }

  test.each(Object.entries(calm))('calm: %s', (_, [list, others]) => {
    expect(withoutKeys(codes(list))).toEqual(others)
  })

  test('lamports in accounts of others are sent, and those in own ones are a deposit', () => {
    const hundred = BigInt(100 * SOL)
    expect(costOf([seeded(strange, 0)])).toMatchObject({ sent: hundred, rent: 0n, total: hundred + 5_000n })
    expect(costOf([seeded(TOKEN_PROGRAM_ID, 165), tokenInit(thief)])).toMatchObject({
      sent: hundred,
      rent: 0n,
    })
    expect(costOf([seeded(stakes, stakeSize), stakeInit(payer, payer)])).toMatchObject({
      sent: 0n,
      rent: hundred,
      total: hundred + 5_000n,
    })
    expect(costOf([transferTo(thief, 5), seeded(strange, 0)]).sent).toBe(hundred + 5n)
  })

  test('lamports that come back are not sent, and those that go on are', () => {
    const create = [seeded(TOKEN_PROGRAM_ID, 165), tokenInit(payer)]
    expect(costOf([...create, createCloseAccountInstruction(own, payer, payer)]).sent).toBe(0n)
    const closed = [...create, createCloseAccountInstruction(own, thief, payer)]
    expect(costOf(closed).sent).toBe(BigInt(100 * SOL))
    expect(redOnes(closed)).toContain('danger closeToOther')
  })

  test('lamports of an own account by a seed that go to somebody are a withdrawal', () => {
    const pass = SystemProgram.transfer({
      fromPubkey: own,
      basePubkey: payer,
      seed: 'a',
      programId: SystemProgram.programId,
      toPubkey: thief,
      lamports: SOL,
    })
    expect(redOnes([pass])).toEqual(['danger withdrawal'])
    expect(costOf([seeded(SystemProgram.programId, 0), pass]).sent).toBe(BigInt(SOL))
  })

  test('a lockup is over where the time is known to be past it', () => {
    const past = [seeded(stakes, stakeSize), stakeInit(payer, payer, new Lockup(1_000, 0, thief))]
    expect(redOnes(past)).toContain('danger lock')
    expect(redOnes(past, { now: 1_001n })).toEqual([])
  })

  test('a vote account: its authority and its lamports can go to somebody', () => {
    const withdraw = (to: PublicKey) =>
      VoteProgram.withdraw({
        votePubkey: own,
        authorizedWithdrawerPubkey: payer,
        lamports: 5,
        toPubkey: to,
      }).instructions
    expect(redOnes(withdraw(thief))).toEqual(['danger withdrawal'])
    expect(redOnes(withdraw(payer))).toEqual([])
    // The program would read one byte more differently.
    const [exact] = withdraw(payer)
    const longer = raw(votes, [own, payer, payer], [...(exact?.data ?? []), 0])
    expect(redOnes([longer])).toEqual(['danger unknownProgram'])
  })

  test('a known program is a caution after a trial run that leaves nothing unexplained, and red otherwise', () => {
    const swap = [raw(jupiter, [payer, own])]
    expect(codes(swap)).toEqual(['danger unknownProgram'])
    expect(codes(swap, { isTried: true })).toEqual(['caution knownProgram'])
    const gain = {
      kind: 'delegate',
      account: own.toBase58(),
      mint: mint.toBase58(),
      to: thief.toBase58(),
      amount: 5n,
    } as const
    expect(codes(swap, { isTried: true, allowances: [gain] })).toContain('danger unknownProgram')
    expect(codes([raw(strange, [payer])], { isTried: true })).toEqual(['danger unknownProgram'])
    expect(codes([...swap, raw(strange, [payer])], { isTried: true })).not.toContain('caution knownProgram')
  })

  test('a program that isn’t understood is said once, not again for each own account that it may change', () => {
    const swap = [associated(payer), transferTo(own, SOL), raw(jupiter, [payer, own])]
    expect(redOnes(swap)).toEqual(['danger unknownProgram'])
    expect(redOnes(swap, { isTried: true })).toEqual([])
    // What is put there is meant for the program.
    expect(costOf(swap).sent).toBe(BigInt(SOL))
    const unwrap = createCloseAccountInstruction(own, payer, payer)
    expect(costOf([...swap, unwrap]).sent).toBe(BigInt(SOL))
    const somebodys = [associated(thief), raw(strange, [payer, own])]
    expect(codes(somebodys)).toEqual(['danger unknownProgram', 'caution otherAccount'])
  })

  test('a change is explained by the instruction that gives it, and by no other', () => {
    const list = [createApproveInstruction(own, thief, payer, 5)]
    const effects = readEffects(decodeActions(messageOf(list)), { wallet })
    const isExplained = (to: PublicKey, account: PublicKey | undefined) =>
      explains(effects, { to: to.toBase58(), account: account?.toBase58() })
    expect(isExplained(thief, own)).toBe(true)
    expect(isExplained(thief, undefined)).toBe(false)
    expect(isExplained(other, own)).toBe(false)
    expect(isExplained(thief, mint)).toBe(false)
  })

  test('SOL for an own account of wrapped SOL is not sent, and SOL for anybody else’s is', () => {
    const wrap = (holder: PublicKey) => [
      createAssociatedTokenAccountIdempotentInstruction(payer, own, holder, NATIVE_MINT),
      transferTo(own, 2 * SOL),
      createSyncNativeInstruction(own),
    ]
    const two = BigInt(2 * SOL)
    expect(costOf(wrap(payer)).sent).toBe(0n)
    expect(costOf(wrap(thief)).sent).toBe(two)
    // It goes on as tokens, is given away, or may be taken.
    const pass = createTransferCheckedInstruction(own, NATIVE_MINT, other, payer, two, 9)
    expect(costOf([...wrap(payer), pass]).sent).toBe(two)
    expect(costOf([...wrap(payer), authority(AuthorityType.AccountOwner, thief)]).sent).toBe(two)
    expect(costOf([...wrap(payer), createApproveInstruction(own, thief, payer, 5)]).sent).toBe(two)
    const made = [seeded(TOKEN_PROGRAM_ID, 165), tokenInit(payer), transferTo(own, 2 * SOL)]
    expect(costOf(made)).toMatchObject({ sent: 0n, rent: BigInt(102 * SOL) })
  })

  test('a part of a stake: the roles of the whole where they are known, a caution where a trial run shows them', () => {
    const stakeOf = (withdrawer: PublicKey) => ({
      owner: stakes.toBase58(),
      lamports: BigInt(5 * SOL),
      executable: false,
      data: new Uint8Array(
        getStakeStateAccountEncoder().encode({
          state: {
            __kind: 'Initialized',
            fields: [
              {
                rentExemptReserve: 2_282_880n,
                authorized: {
                  staker: address(wallet),
                  withdrawer: address(withdrawer.toBase58()),
                },
                lockup: {
                  unixTimestamp: 0n,
                  epoch: 0n,
                  custodian: address(SystemProgram.programId.toBase58()),
                },
              },
            ],
          },
        }),
      ),
    })
    const known = (withdrawer: PublicKey) => ({ accounts: new Map([[mint.toBase58(), stakeOf(withdrawer)]]) })
    expect(withoutKeys(codes(split(), known(payer)))).toEqual([])
    expect(redOnes(split(), known(thief))).toContain('danger strangeAccount')
    expect(withoutKeys(codes(split(), { isTried: true }))).toEqual(['caution stakePart'])
    const gain = { kind: 'withdrawer', account: own.toBase58(), to: thief.toBase58() } as const
    const shown = { isTried: true, allowances: [{ ...gain, mint: undefined, amount: undefined }] }
    expect(redOnes(split(), shown)).toContain('danger strangeAccount')
    // Whatever the source was, its part is given away here.
    expect(redOnes([...split(), ...stakeAuthorize(thief)], { isTried: true })).toContain(
      'danger strangeAccount',
    )
  })

  test('a lockup whose time and epoch are over binds nobody, and one of the two is enough to bind', () => {
    const list = (until: number, epoch: number) => [
      seeded(stakes, stakeSize),
      stakeInit(payer, payer, new Lockup(until, epoch, thief)),
    ]
    const later = { now: 2_000n, epoch: 800n }
    expect(redOnes(list(2_000, 800), later)).toEqual([])
    expect(redOnes(list(2_000, 801), later)).toContain('danger lock')
    expect(redOnes(list(2_001, 800), later)).toContain('danger lock')
    expect(redOnes(list(2_000, 800), { now: 2_000n })).toContain('danger lock')
    expect(redOnes(list(2_000, 800))).toContain('danger lock')
    // The rest of it is what it was, so the new custodian may hold what is in it.
    expect(redOnes([setLockup(1_000n, undefined, thief)], later)).toEqual(['danger authority'])
  })
})
