/** Published malicious requests on Solana. The reports print no bytes: each is built from the instruction and the parties that they name. */
import {
  createApproveCheckedInstruction,
  createCloseAccountInstruction,
  createSetAuthorityInstruction,
  createTransferCheckedInstruction,
  createTransferInstruction,
} from '@solana/spl-token'
import { type PublicKey, StakeProgram, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import type { Malicious } from './malicious-ethereum.ts'
import {
  clock,
  instruction,
  key,
  solanaWallet as me,
  send,
  solanaTransaction,
  stakeProgram,
  token2022,
  tokenProgram,
  u64,
} from './solana.ts'

const thief = key(1)
const program = key(2)
const [usdc, bonk, nft] = [key(3), key(4), key(5)] as [PublicKey, PublicKey, PublicKey]
const [own, ownBonk, ownNft] = [key(6), key(7), key(8)] as [PublicKey, PublicKey, PublicKey]
const [his, hisBonk, hisNft] = [key(9), key(10), key(11)] as [PublicKey, PublicKey, PublicKey]
const nonce = key(12)
const stake = key(13)

const anatomy =
  'https://dev.to/ohmygod/anatomy-of-a-solana-wallet-drainer-owner-reassignment-durable-nonces-and-blinks-phishing-50a8'
const goplus = 'https://goplussecurity.medium.com/exposing-solana-scammers-scams-and-phishing-b5a4e0ca2676'
const goplusGuide =
  'https://goplussecurity.medium.com/goplus-a-very-necessary-guide-to-protection-against-phishing-on-solana-6d64bfc76ea3'
const gate = 'https://www.gate.io/tr/learn/articles/how-to-avoid-phishing-scams-from-evm-to-solana/3610'
const delegateScam =
  'https://dev.to/ohmygod/solanas-permanent-delegate-burn-scam-how-token-2022-extensions-power-2026s-largest-automated-rug-4579'
const leap = 'https://www.leapwallet.io/blog/why-leap-wallet-shows-a-malicious-account-warning'
const multi = 'https://mrdigix.com/1605.html'

const one = (
  title: string,
  source: string,
  ...instructions: readonly TransactionInstruction[]
): Malicious => ({
  title,
  source,
  bytes: 'built',
  wallet: me.toBase58(),
  content: solanaTransaction(...instructions),
})

export const maliciousSolana: readonly Malicious[] = [
  one(
    'Solana: assign of the wallet to a program of the thief',
    anatomy,
    SystemProgram.assign({ accountPubkey: me, programId: program }),
  ),
  one(
    'Solana: assign of the wallet behind a transfer of a little',
    leap,
    send(key(20), 1_000),
    SystemProgram.assign({ accountPubkey: me, programId: program }),
  ),
  {
    ...one(
      'Solana: allocate of the wallet, which makes it a nonce account to be',
      'issue 39 of this project',
      SystemProgram.allocate({ accountPubkey: me, space: 80 }),
    ),
    trial: {
      allowances: [
        { kind: 'data', spender: String(SystemProgram.programId), account: String(me), isUnlimited: true },
      ],
    },
  },

  one('Solana: owner of a token account', gate, createSetAuthorityInstruction(own, me, 2, thief)),
  one(
    'Solana: owners of three token accounts in one transaction',
    goplus,
    createSetAuthorityInstruction(own, me, 2, thief),
    createSetAuthorityInstruction(ownBonk, me, 2, thief),
    createSetAuthorityInstruction(ownNft, me, 2, thief),
  ),
  one('Solana: right to close a token account', goplus, createSetAuthorityInstruction(own, me, 3, thief)),
  one(
    'Solana: owner of a Token-2022 account',
    goplus,
    createSetAuthorityInstruction(own, me, 2, thief, [], instruction(token2022, [], []).programId),
  ),
  one(
    'Solana: approval without a limit',
    'https://chain.metricbase.org/2026/05/how-to-not-get-drained-solana-on-chain.html',
    createApproveCheckedInstruction(own, usdc, thief, me, (1n << 64n) - 1n, 6),
  ),
  one(
    'Solana: approval of an amount for the thief',
    goplusGuide,
    createApproveCheckedInstruction(own, usdc, thief, me, 900_000_000n, 6),
  ),
  {
    ...one('Solana: transfer of all SOL', goplusGuide, send(thief, 199_000_000_000)),
    shows: [thief.toBase58(), '199000000000'],
  },
  {
    ...one(
      'Solana: transfer of all tokens and SOL in one transaction',
      multi,
      createTransferCheckedInstruction(own, usdc, his, me, 900_000_000n, 6),
      createTransferCheckedInstruction(ownBonk, bonk, hisBonk, me, 10_000_000_000n, 5),
      createTransferCheckedInstruction(ownNft, nft, hisNft, me, 1n, 0),
      send(thief, 199_000_000_000),
    ),
    shows: [his, hisBonk, hisNft, thief].map(String).concat('900000000', '10000000000', '199000000000'),
  },
  {
    ...one(
      'Solana: transfer of a token that is not checked',
      goplus,
      createTransferInstruction(own, his, me, 900_000_000n),
    ),
    shows: [his.toBase58(), '900000000'],
  },
  one(
    'Solana: token account that is closed to the thief',
    goplus,
    createCloseAccountInstruction(own, thief, me),
  ),
  one(
    'Solana: transfer that lives by a durable nonce',
    anatomy,
    SystemProgram.nonceAdvance({ noncePubkey: nonce, authorizedPubkey: me }),
    send(thief, 199_000_000_000),
  ),
  one(
    'Solana: durable nonce of the thief with transfers of tokens',
    gate,
    SystemProgram.nonceAdvance({ noncePubkey: nonce, authorizedPubkey: me }),
    createTransferCheckedInstruction(own, usdc, his, me, 900_000_000n, 6),
  ),
  one(
    'Solana: authority of the wallet’s nonce account',
    gate,
    SystemProgram.nonceAuthorize({ noncePubkey: nonce, authorizedPubkey: me, newAuthorizedPubkey: thief }),
  ),
  one(
    'Solana: withdrawer of a stake',
    goplus,
    ...StakeProgram.authorize({
      stakePubkey: stake,
      authorizedPubkey: me,
      newAuthorizedPubkey: thief,
      stakeAuthorizationType: { index: 1 },
    }).instructions,
  ),
  one(
    'Solana: staker of a stake',
    goplus,
    ...StakeProgram.authorize({
      stakePubkey: stake,
      authorizedPubkey: me,
      newAuthorizedPubkey: thief,
      stakeAuthorizationType: { index: 0 },
    }).instructions,
  ),
  one(
    'Solana: stake that is withdrawn to the thief',
    goplus,
    ...StakeProgram.withdraw({
      stakePubkey: stake,
      authorizedPubkey: me,
      toPubkey: thief,
      lamports: 5_000_000_000,
    }).instructions,
  ),
  one(
    'Solana: lockup of a stake with the thief as custodian',
    'issue 39 of this project',
    instruction(
      stakeProgram,
      [stake, me],
      [...[6, 0, 0, 0, 1, ...u64(4_102_444_800n), 0, 1], ...thief.toBytes()],
    ),
  ),
  {
    ...one(
      'Solana: account for a strange program that the wallet pays for',
      'issue 39 of this project',
      SystemProgram.createAccountWithSeed({
        fromPubkey: me,
        basePubkey: me,
        seed: 'x',
        newAccountPubkey: key(30),
        lamports: 100_000_000_000,
        space: 0,
        programId: program,
      }),
    ),
    trial: {
      out: [{ kind: 'native', amount: 100_000_000_000n }],
      allowances: [
        { kind: 'program', spender: String(program), account: String(key(30)), isUnlimited: true },
      ],
    },
  },

  {
    ...one(
      'Solana: wrapped SOL of the wallet in an account of the thief',
      'issue 39 of this project',
      SystemProgram.createAccountWithSeed({
        fromPubkey: me,
        basePubkey: me,
        seed: 'x',
        newAccountPubkey: key(30),
        lamports: 100_000_000_000,
        space: 165,
        programId: instruction(tokenProgram, [], []).programId,
      }),
      instruction(
        tokenProgram,
        [key(30), instruction('So11111111111111111111111111111111111111112', [], []).programId],
        [18, ...thief.toBytes()],
      ),
    ),
    trial: {
      out: [{ kind: 'native', amount: 100_000_000_000n }],
      allowances: [{ kind: 'owner', spender: String(thief), account: String(key(30)), isUnlimited: true }],
    },
  },

  one(
    'Solana: simulation spoofing: a program of the thief that decides later what it takes',
    anatomy,
    instruction(program, [me, thief, SystemProgram.programId], [1, 0, 0, 0]),
  ),
  one(
    'Solana: claim of an airdrop by a program of the thief with all token accounts',
    goplus,
    instruction(program, [me, own, ownBonk, ownNft, his, hisBonk, hisNft], [9, 9, 9]),
  ),
  one(
    'Solana: permanent delegate of a Token-2022 mint',
    delegateScam,
    instruction(token2022, [usdc], [35, ...thief.toBytes()]),
  ),
  one(
    'Solana: hook of the thief for a Token-2022 mint',
    delegateScam,
    instruction(token2022, [usdc, me], [36, 1, ...thief.toBytes()]),
  ),
  one(
    'Solana: upgrade authority of a program of the wallet',
    goplus,
    instruction('BPFLoaderUpgradeab1e11111111111111111111111', [key(40), me, thief], [4, 0, 0, 0]),
  ),
  one(
    'Solana: mint authority of the wallet’s token',
    goplus,
    createSetAuthorityInstruction(usdc, me, 0, thief),
  ),
  one(
    'Solana: burn of the wallet’s NFT with its account closed to the thief',
    'https://coinpaper.com/5295/scammers-exploit-solana-token-feature-to-burn-users-crypto',
    instruction(tokenProgram, [ownNft, nft, me], [8, ...u64(1n)]),
    createCloseAccountInstruction(ownNft, thief, me),
  ),
  {
    ...one(
      'Solana: stake account that the wallet pays for, with the thief as withdrawer',
      'issue 39 of this project',
      SystemProgram.createAccountWithSeed({
        fromPubkey: me,
        basePubkey: me,
        seed: 's',
        newAccountPubkey: key(31),
        lamports: 100_000_000_000,
        space: 200,
        programId: instruction(stakeProgram, [clock], []).programId,
      }),
      instruction(
        stakeProgram,
        [key(31), instruction('SysvarRent111111111111111111111111111111111', [], []).programId],
        [...[0, 0, 0, 0], ...me.toBytes(), ...thief.toBytes(), ...new Uint8Array(48)],
      ),
    ),
    trial: {
      out: [{ kind: 'native', amount: 100_000_000_000n }],
      allowances: [
        { kind: 'withdrawer', spender: String(thief), account: String(key(31)), isUnlimited: true },
      ],
    },
  },
]
