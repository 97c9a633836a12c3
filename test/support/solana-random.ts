/** Transactions of Solana at random, out of every instruction of the programs that a wallet meets. */
import { createHash } from 'node:crypto'
import * as spl from '@solana/spl-token'
import {
  Authorized,
  ComputeBudgetProgram,
  Lockup,
  PublicKey,
  StakeProgram,
  SYSVAR_CLOCK_PUBKEY,
  SYSVAR_RENT_PUBKEY,
  SystemProgram,
  TransactionInstruction,
  VoteProgram,
} from '@solana/web3.js'
import type { Random } from './random.ts'
import {
  CHAIN_EPOCH,
  CHAIN_NOW,
  fresh,
  friend,
  places,
  SOL,
  strangeAccounts,
  strangeTokens,
  thief,
  wallet,
} from './solana-fuzz.ts'

export interface Drawn {
  readonly name: string
  readonly instruction: TransactionInstruction
}

/** Addresses that are made of another one and a seed: who can sign for them, and for which program. */
export const derived = new Map<
  string,
  { readonly base: PublicKey; readonly program: PublicKey; readonly seed: string }
>()
export function derive(base: PublicKey, seed: string, program: PublicKey): PublicKey {
  const hash = createHash('sha256')
    .update(Buffer.concat([base.toBuffer(), Buffer.from(seed), program.toBuffer()]))
    .digest()
  const made = new PublicKey(hash)
  derived.set(made.toBase58(), { base, program, seed })
  return made
}

type Part = readonly [
  kind: 'u8' | 'u32' | 'u64' | 'i64' | 'key' | 'seed' | 'bytes',
  value: number | bigint | PublicKey | string | Uint8Array,
]
const packed = (...parts: readonly Part[]): Buffer =>
  Buffer.concat(
    parts.map(([kind, value]) => {
      if (value instanceof PublicKey) return value.toBuffer()
      if (value instanceof Uint8Array) return Buffer.from(value)
      if (kind === 'seed')
        return Buffer.concat([packed(['u64', String(value).length]), Buffer.from(String(value))])
      const bytes = Buffer.alloc({ u8: 1, u32: 4, u64: 8, i64: 8, key: 32, bytes: 0, seed: 0 }[kind])
      if (kind === 'u8') bytes.writeUInt8(Number(value))
      else if (kind === 'u32') bytes.writeUInt32LE(Number(value))
      else if (kind === 'u64') bytes.writeBigUInt64LE(BigInt(value as number))
      else bytes.writeBigInt64LE(BigInt(value as number))
      return bytes
    }),
  )
/** `s`: signs, `w`: is written to. */
export const raw = (
  programId: PublicKey,
  keys: readonly (readonly [PublicKey, ('' | 's' | 'w' | 'sw')?])[],
  ...parts: readonly Part[]
) =>
  new TransactionInstruction({
    programId,
    keys: keys.map(([pubkey, roles = '']) => ({
      pubkey,
      isSigner: roles.includes('s'),
      isWritable: roles.includes('w'),
    })),
    data: packed(...parts),
  })

const SYSTEM = SystemProgram.programId
const STAKE = StakeProgram.programId
const VOTE = VoteProgram.programId
const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const tokenPrograms = [spl.TOKEN_PROGRAM_ID, spl.TOKEN_2022_PROGRAM_ID] as const
const sizes = new Map([
  [SYSTEM.toBase58(), 80],
  [STAKE.toBase58(), 200],
  [VOTE.toBase58(), 3762],
  [spl.TOKEN_PROGRAM_ID.toBase58(), 165],
  [spl.TOKEN_2022_PROGRAM_ID.toBase58(), 165],
  [strangeTokens.toBase58(), 165],
])

/** A transaction of one to four parts; each is an instruction, or an account that is made and set up. */
export function drawTransaction(random: Random): readonly Drawn[] {
  const { pick, whole, chance } = random
  const who = () =>
    random.weighted([
      [5, wallet],
      [4, thief],
      [2, friend],
      [1, pick(fresh)],
    ] as const)
  /** Somebody who pays or signs: the wallet in most cases. */
  const signer = () =>
    random.weighted([
      [12, wallet],
      [1, thief],
      [1, friend],
    ] as const)
  const amount = () => pick([1, 5_000, 890_880, 0.01 * SOL, 0.5 * SOL, SOL, 3 * SOL, 25 * SOL])
  const units = () => pick([0n, 1n, 250n, 7_777n, 1_000_000n, 1_234_567n, 2n ** 64n - 1n])
  const seed = () => pick(['a', 'b', 'stake:0', ''])
  const lockup = () =>
    pick([
      [0, 0, PublicKey.default],
      [0, 0, thief],
      [CHAIN_NOW - 1_000, 0, thief],
      [4_102_444_800, 0, thief],
      [4_102_444_800, 0, wallet],
      [CHAIN_NOW + 90_000, 0, friend],
      [0, 900, thief],
      [0, CHAIN_EPOCH, thief],
      [0, CHAIN_EPOCH + 40, thief],
      [4_102_444_800, 5, PublicKey.default],
    ] as const)
  /** Accounts that this transaction has made, by program. */
  const made = new Map<string, PublicKey[]>()
  const madeFor = (program: PublicKey) => made.get(program.toBase58()) ?? []
  const remember = (program: PublicKey, key: PublicKey) =>
    made.set(program.toBase58(), [...madeFor(program), key])
  const oneOf = (...keys: readonly PublicKey[]) => pick(keys)
  const stakeAccount = () => oneOf(places.stake, places.otherStake, ...madeFor(STAKE), ...madeFor(STAKE))
  const voteAccount = () => oneOf(places.vote, places.ownVote, places.ownVote, ...madeFor(VOTE))
  const nonceAccount = () => oneOf(places.nonce, places.nonce, places.strangeNonce, ...madeFor(SYSTEM))
  const tokensOf = (program: PublicKey) =>
    program.equals(spl.TOKEN_2022_PROGRAM_ID)
      ? oneOf(places.tokens2022, places.tokens2022, places.thiefTokens2022, ...madeFor(program))
      : oneOf(
          places.tokens,
          places.spare,
          places.ownTokens,
          places.wrapped,
          places.friendTokens,
          places.thiefTokens,
          places.thiefWrapped,
          ...madeFor(program),
        )
  const ownTokensOf = (program: PublicKey) =>
    program.equals(spl.TOKEN_2022_PROGRAM_ID)
      ? oneOf(places.tokens2022, ...madeFor(program))
      : oneOf(places.tokens, places.spare, places.ownTokens, places.wrapped, ...madeFor(program))
  const mintOf = (program: PublicKey) =>
    program.equals(spl.TOKEN_2022_PROGRAM_ID)
      ? places.mint2022
      : oneOf(places.mint, places.ownMint, spl.NATIVE_MINT)
  const mintFor = (account: PublicKey): PublicKey => {
    if (account.equals(places.ownTokens)) return places.ownMint
    if (account.equals(places.wrapped) || account.equals(places.thiefWrapped)) return spl.NATIVE_MINT
    if (account.equals(places.tokens2022) || account.equals(places.thiefTokens2022)) return places.mint2022
    return places.mint
  }
  const decimalsOf = (mint: PublicKey) =>
    mint.equals(places.ownMint) ? 2 : mint.equals(spl.NATIVE_MINT) ? 9 : 6

  /** An account is made in one of the ways that there are. */
  function create(programId: PublicKey, lamports: number): { account: PublicKey; parts: Drawn[] } {
    const payer = signer()
    const space = sizes.get(programId.toBase58()) ?? pick([0, 1, 80, 165])
    const how = whole(6)
    if (how < 2) {
      const account = pick(fresh)
      remember(programId, account)
      const instruction = SystemProgram.createAccount({
        fromPubkey: payer,
        newAccountPubkey: account,
        lamports,
        space,
        programId,
      })
      return { account, parts: [{ name: 'createAccount', instruction }] }
    }
    if (how < 4) {
      const basePubkey = who()
      const text = seed()
      const account = derive(basePubkey, text, programId)
      remember(programId, account)
      const instruction = SystemProgram.createAccountWithSeed({
        fromPubkey: payer,
        newAccountPubkey: account,
        basePubkey,
        seed: text,
        lamports,
        space,
        programId,
      })
      return { account, parts: [{ name: 'createAccountWithSeed', instruction }] }
    }
    if (how === 4) {
      const account = chance(0.15) ? wallet : pick(fresh)
      remember(programId, account)
      const isFunded = chance(0.8)
      const instruction = raw(
        SYSTEM,
        [[account, 'sw'], ...(isFunded ? [[payer, 'sw'] as const] : [])],
        ['u32', 13],
        ['u64', isFunded ? lamports : 0],
        ['u64', space],
        ['key', programId],
      )
      return { account, parts: [{ name: 'createAccountAllowPrefund', instruction }] }
    }
    const account = pick(fresh)
    remember(programId, account)
    return {
      account,
      parts: [
        {
          name: 'transfer',
          instruction: SystemProgram.transfer({ fromPubkey: payer, toPubkey: account, lamports }),
        },
        {
          name: 'allocate',
          instruction: SystemProgram.allocate({ accountPubkey: account, space }),
        },
        {
          name: 'assign',
          instruction: SystemProgram.assign({ accountPubkey: account, programId }),
        },
      ],
    }
  }
  const mayBeBare = () => chance(0.12)

  const initializedStake = (): Drawn[] => {
    const { account, parts } = create(STAKE, pick([0.01 * SOL, SOL, 20 * SOL]))
    if (mayBeBare()) return parts
    const [until, epoch, custodian] = lockup()
    const [staker, withdrawer] = chance(0.5) ? [wallet, wallet] : [who(), who()]
    const instruction = chance(0.8)
      ? StakeProgram.initialize({
          stakePubkey: account,
          authorized: new Authorized(staker, withdrawer),
          lockup: new Lockup(until, epoch, custodian),
        })
      : raw(STAKE, [[account, 'w'], [SYSVAR_RENT_PUBKEY], [staker], [withdrawer, 's']], ['u32', 9])
    return [...parts, { name: 'stake initialize', instruction }]
  }
  const initializedNonce = (): Drawn[] => {
    const { account, parts } = create(SYSTEM, pick([0.002 * SOL, SOL]))
    const authorizedPubkey = who()
    return mayBeBare()
      ? parts
      : [
          ...parts,
          {
            name: 'nonce initialize',
            instruction: SystemProgram.nonceInitialize({ noncePubkey: account, authorizedPubkey }),
          },
        ]
  }
  const initializedVote = (): Drawn[] => {
    const { account, parts } = create(VOTE, pick([0.03 * SOL, 2 * SOL]))
    if (mayBeBare()) return parts
    const node = chance(0.8) ? wallet : thief
    const instruction = VoteProgram.initializeAccount({
      votePubkey: account,
      nodePubkey: node,
      voteInit: { nodePubkey: node, authorizedVoter: who(), authorizedWithdrawer: who(), commission: 5 },
    })
    return [...parts, { name: 'vote initialize', instruction }]
  }
  const initializedTokens = (): Drawn[] => {
    const program = random.weighted([
      [4, spl.TOKEN_PROGRAM_ID],
      [2, spl.TOKEN_2022_PROGRAM_ID],
      [1, strangeTokens],
    ] as const)
    const { account, parts } = create(program, pick([0.00203928 * SOL, 0.5 * SOL, 10 * SOL]))
    if (mayBeBare()) return parts
    const mint = chance(0.5) ? spl.NATIVE_MINT : mintOf(program)
    const owner = who()
    const instruction = [
      () => spl.createInitializeAccountInstruction(account, mint, owner, program),
      () => spl.createInitializeAccount2Instruction(account, mint, owner, program),
      () => spl.createInitializeAccount3Instruction(account, mint, owner, program),
      () => spl.createInitializeMint2Instruction(account, 6, who(), chance(0.5) ? who() : null, program),
      () => raw(program, [[account, 'w'], [SYSVAR_RENT_PUBKEY], [wallet], [thief]], ['u8', 2], ['u8', 1]),
    ][
      random.weighted([
        [3, 0],
        [2, 1],
        [8, 2],
        [2, 3],
        [1, 4],
      ] as const)
    ]?.()
    return instruction ? [...parts, { name: 'token initialize', instruction }] : parts
  }
  const strangeAccount = (): Drawn[] => create(pick([strangeTokens, strangeAccounts, thief]), amount()).parts
  const bareSystem = (): Drawn[] => {
    const { account, parts } = create(SYSTEM, amount())
    return [
      ...parts,
      {
        name: 'transfer',
        instruction: SystemProgram.transfer({ fromPubkey: wallet, toPubkey: account, lamports: amount() }),
      },
    ]
  }

  const one = (name: string, instruction: TransactionInstruction): Drawn[] => [{ name, instruction }]
  const system: (() => Drawn[])[] = [
    () =>
      one(
        'transfer',
        SystemProgram.transfer({
          fromPubkey: signer(),
          toPubkey: chance(0.7)
            ? who()
            : oneOf(places.wrapped, places.tokens, places.nonce, places.stake, derive(who(), seed(), SYSTEM)),
          lamports: amount(),
        }),
      ),
    () =>
      one(
        'allocate',
        SystemProgram.allocate({
          accountPubkey: chance(0.6) ? wallet : pick(fresh),
          space: pick([0, 1, 80, 165, 200]),
        }),
      ),
    () =>
      one(
        'assign',
        SystemProgram.assign({
          accountPubkey: chance(0.6) ? wallet : pick(fresh),
          programId: pick([SYSTEM, strangeTokens, STAKE, spl.TOKEN_PROGRAM_ID]),
        }),
      ),
    () => {
      const basePubkey = signer()
      const text = seed()
      const programId = pick([SYSTEM, strangeTokens, STAKE])
      const accountPubkey = derive(basePubkey, text, programId)
      return chance(0.5)
        ? one(
            'allocateWithSeed',
            SystemProgram.allocate({
              accountPubkey,
              basePubkey,
              seed: text,
              space: pick([0, 80, 200]),
              programId,
            }),
          )
        : one('assignWithSeed', SystemProgram.assign({ accountPubkey, basePubkey, seed: text, programId }))
    },
    () => {
      const basePubkey = signer()
      const text = seed()
      const fromPubkey = derive(basePubkey, text, SYSTEM)
      const fund = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: fromPubkey, lamports: 2 * SOL })
      const send = SystemProgram.transfer({
        fromPubkey,
        basePubkey,
        seed: text,
        programId: SYSTEM,
        toPubkey: who(),
        lamports: SOL,
      })
      return [...one('transfer', fund), ...one('transferWithSeed', send)]
    },
    () =>
      one(
        'nonce advance',
        SystemProgram.nonceAdvance({ noncePubkey: nonceAccount(), authorizedPubkey: signer() }),
      ),
    () =>
      one(
        'nonce withdraw',
        SystemProgram.nonceWithdraw({
          noncePubkey: nonceAccount(),
          authorizedPubkey: signer(),
          toPubkey: who(),
          lamports: pick([1_000_000, SOL, 3 * SOL]),
        }),
      ),
    () =>
      one(
        'nonce authorize',
        SystemProgram.nonceAuthorize({
          noncePubkey: nonceAccount(),
          authorizedPubkey: signer(),
          newAuthorizedPubkey: who(),
        }),
      ),
    () =>
      one(
        'nonce initialize',
        SystemProgram.nonceInitialize({ noncePubkey: pick(fresh), authorizedPubkey: who() }),
      ),
  ]
  const stakes: (() => Drawn[])[] = [
    () =>
      one(
        'stake authorize',
        raw(
          STAKE,
          [[stakeAccount(), 'w'], [SYSVAR_CLOCK_PUBKEY], [signer(), 's']],
          ['u32', 1],
          ['key', who()],
          ['u32', whole(2)],
        ),
      ),
    () =>
      one(
        'stake authorizeChecked',
        raw(
          STAKE,
          [[stakeAccount(), 'w'], [SYSVAR_CLOCK_PUBKEY], [signer(), 's'], [who(), 's']],
          ['u32', 10],
          ['u32', whole(2)],
        ),
      ),
    () => {
      const { instructions } = StakeProgram.delegate({
        stakePubkey: stakeAccount(),
        authorizedPubkey: signer(),
        votePubkey: voteAccount(),
      })
      return instructions.map((instruction) => ({ name: 'stake delegate', instruction }))
    },
    () => {
      const lamports = pick([SOL, 3 * SOL, 10 * SOL])
      const { account, parts } = create(STAKE, 0.00228288 * SOL)
      const from = stakeAccount()
      return [
        ...parts,
        ...one(
          'stake split',
          raw(
            STAKE,
            [
              [from, 'w'],
              [account, 'w'],
              [signer(), 's'],
            ],
            ['u32', 3],
            ['u64', lamports],
          ),
        ),
      ]
    },
    () =>
      StakeProgram.withdraw({
        stakePubkey: stakeAccount(),
        authorizedPubkey: signer(),
        toPubkey: who(),
        lamports: pick([SOL, 2 * SOL, 10 * SOL]),
      }).instructions.map((instruction) => ({ name: 'stake withdraw', instruction })),
    () =>
      StakeProgram.deactivate({ stakePubkey: stakeAccount(), authorizedPubkey: signer() }).instructions.map(
        (instruction) => ({ name: 'stake deactivate', instruction }),
      ),
    () => {
      const [until, epoch, custodian] = lockup()
      const flag = () => chance(0.6)
      const [hasTime, hasEpoch, hasCustodian] = [flag(), flag(), flag()]
      return one(
        'stake setLockup',
        raw(
          STAKE,
          [
            [stakeAccount(), 'w'],
            [signer(), 's'],
          ],
          ['u32', 6],
          ['u8', Number(hasTime)],
          ...(hasTime ? [['i64', until] as const] : []),
          ['u8', Number(hasEpoch)],
          ...(hasEpoch ? [['u64', epoch] as const] : []),
          ['u8', Number(hasCustodian)],
          ...(hasCustodian ? [['key', custodian] as const] : []),
        ),
      )
    },
    () => {
      const from = oneOf(places.stake, places.otherStake, ...madeFor(STAKE))
      const to = oneOf(places.stake, places.otherStake, ...madeFor(STAKE))
      return StakeProgram.merge({
        stakePubkey: to,
        sourceStakePubKey: from,
        authorizedPubkey: signer(),
      }).instructions.map((instruction) => ({ name: 'stake merge', instruction }))
    },
    () =>
      one(
        'stake move',
        raw(
          STAKE,
          [
            [stakeAccount(), 'w'],
            [stakeAccount(), 'w'],
            [signer(), 's'],
          ],
          ['u32', 16 + whole(2)],
          ['u64', SOL],
        ),
      ),
  ]
  const votes: (() => Drawn[])[] = [
    () =>
      VoteProgram.authorize({
        votePubkey: voteAccount(),
        authorizedPubkey: signer(),
        newAuthorizedPubkey: who(),
        voteAuthorizationType: { index: whole(2) },
      }).instructions.map((instruction) => ({ name: 'vote authorize', instruction })),
    () =>
      VoteProgram.withdraw({
        votePubkey: voteAccount(),
        authorizedWithdrawerPubkey: signer(),
        lamports: pick([SOL, 1_000]),
        toPubkey: who(),
      }).instructions.map((instruction) => ({ name: 'vote withdraw', instruction })),
    () =>
      one(
        'vote identity',
        raw(
          VOTE,
          [
            [voteAccount(), 'w'],
            [pick([wallet, thief]), 's'],
            [signer(), 's'],
          ],
          ['u32', 4],
        ),
      ),
    () =>
      one(
        'vote commission',
        raw(
          VOTE,
          [
            [voteAccount(), 'w'],
            [signer(), 's'],
          ],
          ['u32', 5],
          ['u8', 9],
        ),
      ),
  ]
  const tokens: (() => Drawn[])[] = (() => {
    const program = random.weighted([
      [5, tokenPrograms[0]],
      [3, tokenPrograms[1]],
    ] as const)
    const own = ownTokensOf(program)
    const mint = mintFor(own)
    const decimals = decimalsOf(mint)
    const owner = signer()
    return [
      () =>
        one(
          'token transfer',
          spl.createTransferInstruction(own, tokensOf(program), owner, units(), [], program),
        ),
      () =>
        one(
          'token transferChecked',
          spl.createTransferCheckedInstruction(
            own,
            mint,
            tokensOf(program),
            owner,
            units(),
            decimals,
            [],
            program,
          ),
        ),
      () => one('token approve', spl.createApproveInstruction(own, who(), owner, units(), [], program)),
      () =>
        one(
          'token approveChecked',
          spl.createApproveCheckedInstruction(own, mint, who(), owner, units(), decimals, [], program),
        ),
      () => one('token revoke', spl.createRevokeInstruction(own, owner, [], program)),
      () =>
        one(
          'token setAuthority',
          spl.createSetAuthorityInstruction(
            own,
            owner,
            pick([spl.AuthorityType.AccountOwner, spl.AuthorityType.CloseAccount]),
            chance(0.85) ? who() : null,
            [],
            program,
          ),
        ),
      () =>
        one(
          'mint setAuthority',
          spl.createSetAuthorityInstruction(
            places.ownMint,
            owner,
            pick([spl.AuthorityType.MintTokens, spl.AuthorityType.FreezeAccount]),
            chance(0.7) ? who() : null,
          ),
        ),
      () => one('token mintTo', spl.createMintToInstruction(places.ownMint, places.ownTokens, owner, 500)),
      () => one('token burn', spl.createBurnInstruction(own, mint, owner, units(), [], program)),
      () =>
        one(
          'token close',
          spl.createCloseAccountInstruction(oneOf(own, places.wrapped), who(), owner, [], program),
        ),
      () => one('token freeze', spl.createFreezeAccountInstruction(places.ownTokens, places.ownMint, owner)),
      () =>
        one('token syncNative', spl.createSyncNativeInstruction(oneOf(places.wrapped, places.thiefWrapped))),
      () => {
        const owned = who()
        const which = mintOf(program)
        const account = spl.getAssociatedTokenAddressSync(which, owned, true, program)
        remember(program, account)
        return one(
          'token account',
          (chance(0.5)
            ? spl.createAssociatedTokenAccountIdempotentInstruction
            : spl.createAssociatedTokenAccountInstruction)(signer(), account, owned, which, program),
        )
      },
      () => {
        // A mint of the wallet's own, of which everybody may have an account.
        const owned = pick([thief, friend])
        const account = spl.getAssociatedTokenAddressSync(places.ownMint, owned)
        return [
          ...one(
            'token account',
            spl.createAssociatedTokenAccountIdempotentInstruction(wallet, account, owned, places.ownMint),
          ),
          ...one(
            'token transferChecked',
            spl.createTransferCheckedInstruction(
              places.ownTokens,
              places.ownMint,
              account,
              wallet,
              pick([0, 1, 777]),
              2,
            ),
          ),
        ]
      },
      () => one('token memo', spl.createEnableRequiredMemoTransfersInstruction(places.tokens2022, owner)),
      () =>
        one(
          'token reallocate',
          spl.createReallocateInstruction(
            places.tokens2022,
            signer(),
            [spl.ExtensionType.MemoTransfer],
            owner,
          ),
        ),
      () => one('token guard', spl.createEnableCpiGuardInstruction(places.tokens2022, owner)),
    ]
  })()
  const others: (() => Drawn[])[] = [
    () =>
      one(
        'memo',
        raw(MEMO, chance(0.3) ? [[wallet, 's']] : [], ['bytes', Buffer.from(pick(['hi', 'é', '']))]),
      ),
    () => one('budget', ComputeBudgetProgram.setComputeUnitPrice({ microLamports: pick([0, 1, 1_000]) })),
    () => one('budget', ComputeBudgetProgram.setComputeUnitLimit({ units: 600_000 })),
    () =>
      one(
        'strange',
        raw(
          pick([strangeTokens, strangeAccounts]),
          Array.from(
            { length: 1 + whole(4) },
            () =>
              [oneOf(wallet, thief, places.tokens, places.nonce), pick(['', 'w', 'sw'] as const)] as const,
          ).map(
            ([key, roles]) =>
              [key, key.equals(wallet) || key.equals(thief) ? roles : roles === 'sw' ? 'w' : roles] as const,
          ),
          ['bytes', Buffer.from(Array.from({ length: whole(12) }, () => whole(256)))],
        ),
      ),
    () => {
      // A copy of the program of associated accounts takes the wallet's SOL for an account of somebody else.
      const owner = pick([thief, wallet])
      const [account] = PublicKey.findProgramAddressSync(
        [owner.toBuffer(), spl.TOKEN_PROGRAM_ID.toBuffer(), places.mint.toBuffer()],
        strangeAccounts,
      )
      return one(
        'strange account',
        raw(
          strangeAccounts,
          [[wallet, 'sw'], [account, 'w'], [owner], [places.mint], [SYSTEM], [spl.TOKEN_PROGRAM_ID]],
          ['u8', 0],
        ),
      )
    },
    () =>
      one(
        'strange tokens',
        spl.createInitializeAccount3Instruction(oneOf(...fresh), places.mint, who(), strangeTokens),
      ),
  ]
  const makers: (() => Drawn[])[] = [
    initializedStake,
    initializedStake,
    initializedNonce,
    initializedVote,
    initializedTokens,
    initializedTokens,
    strangeAccount,
    bareSystem,
  ]
  const count =
    1 +
    random.weighted([
      [5, 0],
      [5, 1],
      [3, 2],
      [2, 3],
    ] as const)
  const parts = Array.from({ length: count }, () =>
    pick(
      random.weighted([
        [4, makers],
        [4, system],
        [3, stakes],
        [1.5, votes],
        [5, tokens],
        [1.5, others],
      ] as const),
    )(),
  )
  return parts.flat()
}
