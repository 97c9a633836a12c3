/**
 * Ordinary transactions of well-known apps on Solana. No recorded bytes were to be had, so each is built: the program, its method and the
 * order of its first accounts are those that the app publishes (its IDL or its SDK), amounts and accounts are of this project.
 */
import {
  createApproveCheckedInstruction,
  createAssociatedTokenAccountIdempotentInstruction,
  createBurnCheckedInstruction,
  createCloseAccountInstruction,
  createRevokeInstruction,
  createSyncNativeInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token'
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  StakeProgram,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js'
import {
  anchor,
  bytes,
  instruction,
  key,
  solanaWallet as me,
  send,
  token2022,
  tokenProgram,
  u64,
} from './solana.ts'

export interface OrdinarySolana {
  readonly app: string
  readonly title: string
  readonly kind: string
  readonly source: string
  readonly instructions: readonly TransactionInstruction[]
}

const usdc = new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const jup = new PublicKey('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN')
const wsol = new PublicKey('So11111111111111111111111111111111111111112')
const ata = (mint: PublicKey, owner = me, program = tokenProgram) =>
  getAssociatedTokenAddressSync(mint, owner, true, new PublicKey(program))
const [ownUsdc, ownJup, ownWsol] = [ata(usdc), ata(jup), ata(wsol)]
const friend = key(50)
const [pool, vaultA, vaultB, state, oracle, authority] = Array.from({ length: 6 }, (_, at) =>
  key(60 + at),
) as [PublicKey, PublicKey, PublicKey, PublicKey, PublicKey, PublicKey]
const spl = new PublicKey(tokenProgram)
const budget = [
  ComputeBudgetProgram.setComputeUnitLimit({ units: 300_000 }),
  ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 50_000 }),
]
const openOf = (mint: PublicKey, owner = me, program = tokenProgram) =>
  createAssociatedTokenAccountIdempotentInstruction(
    me,
    ata(mint, owner, program),
    owner,
    mint,
    new PublicKey(program),
  )
const wrap = (lamports: number) => [
  openOf(wsol),
  send(ownWsol, lamports),
  createSyncNativeInstruction(ownWsol),
]
const unwrap = createCloseAccountInstruction(ownWsol, me, me)
const memo = (text: string) =>
  instruction('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', [], Buffer.from(text))

const programs = {
  jupiter: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4',
  jupiterDca: 'DCA265Vj8a9CEuX1eb1LWRnDT7uK6q1xMipnNyatn23M',
  jupiterLimit: 'jupoNjAxXgZ4rjzxzPMP4oxduvQsQtZzyknqvzYNrNu',
  raydiumAmm: '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8',
  raydiumClmm: 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK',
  raydiumCpmm: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C',
  orca: 'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc',
  meteora: 'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo',
  pump: '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P',
  phoenix: 'PhoeNiXZ8ByJGLkxNfZRnkUfjvmuYqLR89jjFHGqdXY',
  openBook: 'opnb2LAfJYbRMAHHvqjCwQxanZn7ReEHp1k81EohpZb',
  lifinity: '2wT8Yq49kHgDzXuPxZSaeLaH1qbmGXtEyPy64bL7aD3c',
  marinade: 'MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD',
  stakePool: 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy',
  sanctum: '5ocnV1qiCgaQR8Jb8xWnVbApfaygJ8tNoZfgPwsgx9kx',
  kamino: 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD',
  solend: 'So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo',
  marginfi: 'MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA',
  drift: 'dRiftyHA39MWEi3m9aunc5MzRF1JYuBsbn6VPcn33UH',
  metadata: 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s',
  candyGuard: 'Guard1JwRhJkVH6XZhzoYxeBVQe872VH6QggF4BWmS9g',
  bubblegum: 'BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY',
  core: 'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d',
  magicEden: 'M2mx93ekt1fmXSVkTrUL9xVFHkmME8HTUi5Cyc5aF7K',
  tensor: 'TSWAPaqyCSx2KABk68Shruf4rp7CxcNi8hAsbdwmHbN',
  governance: 'GovER5Lthms3bLBqWub97yVrMmEogzX7xNjdXpPPCVZw',
  squads: 'SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf',
  tokenBridge: 'wormDTUJ6AWPNvk59vGQbDvGJmqbDTdgWgAqcLBCgUb',
  deBridge: 'src5qyZHqTqecJV4aY6Cb6zDZLMDzrDKKezs22MPHr4',
  cctp: 'CCTPiPYPc6AsJuwueEnWgSgucamXDZwBd53dQ11YiKX3',
  names: 'jCebN34bUfdeUYJT13J1yG16XWQpt5PDx6Mse9GUqhR',
  distributor: 'meRjbQXFNf5En86FXT2YPz1dQzLj4Yb3xK8u1MVgqpb',
  streamflow: 'strmRqUCoQUgGUan5YhzUZa6KqdzwX5L6FpUxfmKg5m',
  lighthouse: 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95',
  helium: '1azyuavdMyvsivtNxPoz6SucD18eDHeXzFCUPq5XU7w',
  jupiterVote: 'voTpe3tHQ7AjQHMapgSue2HJFAh2cGsdokqN3XqmVSj',
} as const
type App = keyof typeof programs

const amount = u64(1_000_000n)
const least = u64(950_000n)
/** A call of an Anchor program with the wallet first. */
const call = (app: App, method: string, accounts: readonly PublicKey[], ...args: readonly Uint8Array[]) =>
  instruction(programs[app], [me, ...accounts], anchor(method, ...args))
const plain = (app: App, data: readonly number[], accounts: readonly PublicKey[]) =>
  instruction(programs[app], accounts, data)

const stakeAccount = Keypair.fromSeed(new Uint8Array(32).fill(99)).publicKey
const seeded = (lamports: number) =>
  StakeProgram.createAccountWithSeed({
    fromPubkey: me,
    stakePubkey: stakeAccount,
    basePubkey: me,
    seed: 'stake:0',
    authorized: { staker: me, withdrawer: me },
    lamports,
  }).instructions
const vote = new PublicKey('CcaHc2L43ZWjwCHART3oZoJvHLAe9hzT2DJNUpBzoTN1')

type Row = readonly [app: string, title: string, kind: string, source: string, ...TransactionInstruction[]]
const docs = 'https://solana.com/docs/core/programs'
const rows: readonly Row[] = [
  // Wallet and tokens.
  ['Solana wallet', 'SOL to a friend', 'transfer', docs, ...budget, send(friend, 1_500_000_000)],
  [
    'Solana wallet',
    'SOL to a friend with a memo',
    'transfer',
    docs,
    send(friend, 10_000_000),
    memo('Rent for May'),
  ],
  [
    'Solana wallet',
    'SOL to three friends',
    'transfer',
    docs,
    send(friend, 1),
    send(key(51), 2),
    send(key(52), 3),
  ],
  [
    'Solana wallet',
    'USDC to a friend',
    'transfer',
    docs,
    createTransferCheckedInstruction(ownUsdc, usdc, ata(usdc, friend), me, 25_000_000n, 6),
  ],
  [
    'Solana wallet',
    'USDC to a friend who has no account yet',
    'transfer',
    docs,
    ...budget,
    openOf(usdc, friend),
    createTransferCheckedInstruction(ownUsdc, usdc, ata(usdc, friend), me, 25_000_000n, 6),
  ],
  [
    'Solana wallet',
    'Token-2022 token to a friend',
    'transfer',
    docs,
    openOf(key(55), friend, token2022),
    createTransferCheckedInstruction(
      ata(key(55), me, token2022),
      key(55),
      ata(key(55), friend, token2022),
      me,
      5n,
      6,
      [],
      new PublicKey(token2022),
    ),
  ],
  [
    'Solana wallet',
    'NFT to a friend',
    'transfer',
    docs,
    openOf(key(56), friend),
    createTransferCheckedInstruction(ata(key(56)), key(56), ata(key(56), friend), me, 1n, 0),
  ],
  ['Solana wallet', 'wrapping SOL', 'wrap', docs, ...wrap(2_000_000_000)],
  ['Solana wallet', 'unwrapping SOL', 'wrap', docs, unwrap],
  [
    'Solana wallet',
    'closing two empty accounts',
    'close',
    docs,
    createCloseAccountInstruction(ata(key(57)), me, me),
    createCloseAccountInstruction(ata(key(58)), me, me),
  ],
  [
    'Solana wallet',
    'burning a spam NFT and closing its account',
    'close',
    docs,
    createBurnCheckedInstruction(ata(key(59)), key(59), me, 1n, 0),
    createCloseAccountInstruction(ata(key(59)), me, me),
  ],
  ['Solana wallet', 'taking an approval back', 'approval', docs, createRevokeInstruction(ownUsdc, me)],
  ['Solana wallet', 'opening an account for USDC', 'open', docs, openOf(usdc)],
  [
    'Solana Pay',
    'payment with a reference and a memo',
    'transfer',
    'https://docs.solanapay.com/spec',
    memo('order 7'),
    createTransferCheckedInstruction(ownUsdc, usdc, ata(usdc, key(53)), me, 4_990_000n, 6),
  ],
  [
    'subscriptions',
    'approval of one month of USDC',
    'approval',
    docs,
    createApproveCheckedInstruction(ownUsdc, usdc, key(54), me, 9_990_000n, 6),
  ],
  // Swaps.
  [
    'Jupiter',
    'USDC for JUP',
    'swap',
    'https://dev.jup.ag/docs',
    ...budget,
    openOf(jup),
    instruction(
      programs.jupiter,
      [spl, me, ownUsdc, ownJup, usdc, jup, pool, vaultA, vaultB],
      anchor('route', bytes(1, 0, 0, 0, 7, 100, 0, 1), amount, least, bytes(50, 0, 0)),
    ),
  ],
  [
    'Jupiter',
    'SOL for USDC',
    'swap',
    'https://dev.jup.ag/docs',
    ...budget,
    ...wrap(1_000_000_000),
    openOf(usdc),
    instruction(
      programs.jupiter,
      [spl, authority, me, ownWsol, vaultA, vaultB, ownUsdc, wsol, usdc],
      anchor('shared_accounts_route', bytes(1, 1, 0, 0, 0, 7, 100, 0, 1), amount, least, bytes(50, 0, 0)),
    ),
    unwrap,
  ],
  [
    'Jupiter',
    'USDC for SOL',
    'swap',
    'https://dev.jup.ag/docs',
    ...budget,
    openOf(wsol),
    instruction(
      programs.jupiter,
      [spl, authority, me, ownUsdc, vaultA, vaultB, ownWsol, usdc, wsol],
      anchor(
        'shared_accounts_exact_out_route',
        bytes(1, 1, 0, 0, 0, 7, 100, 0, 1),
        amount,
        least,
        bytes(50, 0, 0),
      ),
    ),
    unwrap,
  ],
  [
    'Jupiter',
    'recurring order',
    'order',
    'https://dev.jup.ag/docs/recurring',
    ...wrap(3_000_000_000),
    call('jupiterDca', 'open_dca_v2', [state, ownWsol, vaultA], amount, amount, u64(86_400n)),
  ],
  [
    'Jupiter',
    'recurring order closed',
    'cancel',
    'https://dev.jup.ag/docs/recurring',
    call('jupiterDca', 'close_dca', [state, ownWsol, vaultA]),
  ],
  [
    'Jupiter',
    'limit order',
    'order',
    'https://dev.jup.ag/docs/trigger',
    openOf(jup),
    call('jupiterLimit', 'initialize_order', [state, vaultA, ownUsdc, ownJup, usdc, jup], amount, amount),
  ],
  [
    'Jupiter',
    'limit order cancelled',
    'cancel',
    'https://dev.jup.ag/docs/trigger',
    call('jupiterLimit', 'cancel_order', [state, vaultA, ownUsdc]),
  ],
  [
    'Jupiter',
    'vote',
    'vote',
    'https://vote.jup.ag',
    call('jupiterVote', 'cast_vote', [state, pool], bytes(1)),
  ],
  [
    'Raydium',
    'AMM swap',
    'swap',
    'https://github.com/raydium-io/raydium-amm',
    ...budget,
    openOf(jup),
    plain(
      'raydiumAmm',
      [9, ...amount, ...least],
      [spl, pool, authority, vaultA, vaultB, ownUsdc, ownJup, me],
    ),
  ],
  [
    'Raydium',
    'AMM swap of SOL',
    'swap',
    'https://github.com/raydium-io/raydium-amm',
    ...budget,
    ...wrap(1_000_000_000),
    plain(
      'raydiumAmm',
      [9, ...amount, ...least],
      [spl, pool, authority, vaultA, vaultB, ownWsol, ownJup, me],
    ),
    unwrap,
  ],
  [
    'Raydium',
    'concentrated swap',
    'swap',
    'https://github.com/raydium-io/raydium-clmm',
    call(
      'raydiumClmm',
      'swap_v2',
      [state, pool, ownUsdc, ownJup, vaultA, vaultB, oracle],
      amount,
      least,
      new Uint8Array(16),
      bytes(1),
    ),
  ],
  [
    'Raydium',
    'constant-product swap',
    'swap',
    'https://github.com/raydium-io/raydium-cp-swap',
    call(
      'raydiumCpmm',
      'swap_base_input',
      [authority, state, pool, ownUsdc, ownJup, vaultA, vaultB],
      amount,
      least,
    ),
  ],
  [
    'Raydium',
    'liquidity deposited',
    'deposit',
    'https://github.com/raydium-io/raydium-cp-swap',
    call(
      'raydiumCpmm',
      'deposit',
      [authority, pool, key(70), ownUsdc, ownJup, vaultA, vaultB],
      amount,
      amount,
      amount,
    ),
  ],
  [
    'Orca',
    'swap',
    'swap',
    'https://github.com/orca-so/whirlpools',
    instruction(
      programs.orca,
      [spl, me, pool, ownUsdc, vaultA, ownJup, vaultB, oracle],
      anchor('swap', amount, least, new Uint8Array(16), bytes(1, 1)),
    ),
  ],
  [
    'Orca',
    'swap with two hops',
    'swap',
    'https://github.com/orca-so/whirlpools',
    openOf(jup),
    instruction(
      programs.orca,
      [pool, key(71), usdc, jup, me, ownUsdc, ownJup],
      anchor('two_hop_swap_v2', amount, least, bytes(1, 1, 1)),
    ),
  ],
  [
    'Orca',
    'position opened',
    'deposit',
    'https://github.com/orca-so/whirlpools',
    call(
      'orca',
      'open_position',
      [me, state, key(72), ata(key(72)), pool],
      bytes(254, 0, 0, 0, 1, 0, 0, 0, 2, 0),
    ),
  ],
  [
    'Orca',
    'fees collected',
    'claim',
    'https://github.com/orca-so/whirlpools',
    instruction(
      programs.orca,
      [pool, me, state, ata(key(72)), ownUsdc, vaultA, ownJup, vaultB],
      anchor('collect_fees'),
    ),
  ],
  [
    'Meteora',
    'DLMM swap',
    'swap',
    'https://github.com/MeteoraAg/dlmm-sdk',
    instruction(
      programs.meteora,
      [pool, state, vaultA, vaultB, ownUsdc, ownJup, usdc, jup, oracle, me],
      anchor('swap', amount, least),
    ),
  ],
  [
    'Meteora',
    'DLMM liquidity',
    'deposit',
    'https://github.com/MeteoraAg/dlmm-sdk',
    instruction(
      programs.meteora,
      [state, pool, ownUsdc, ownJup, vaultA, vaultB, usdc, jup, me],
      anchor('add_liquidity_by_strategy', amount, amount),
    ),
  ],
  [
    'Pump.fun',
    'buy',
    'swap',
    'https://github.com/pump-fun/pump-public-docs',
    ...budget,
    openOf(key(73)),
    instruction(
      programs.pump,
      [state, key(74), key(73), pool, vaultA, ata(key(73)), me, SystemProgram.programId, spl],
      anchor('buy', amount, u64(50_000_000n)),
    ),
  ],
  [
    'Pump.fun',
    'sell',
    'swap',
    'https://github.com/pump-fun/pump-public-docs',
    ...budget,
    instruction(
      programs.pump,
      [state, key(74), key(73), pool, vaultA, ata(key(73)), me, SystemProgram.programId, spl],
      anchor('sell', amount, least),
    ),
  ],
  [
    'Phoenix',
    'market order',
    'swap',
    'https://github.com/Ellipsis-Labs/phoenix-v1',
    plain(
      'phoenix',
      [0, 2, 0, ...amount],
      [new PublicKey(programs.phoenix), authority, pool, me, ownUsdc, ownJup, vaultA, vaultB, spl],
    ),
  ],
  [
    'OpenBook',
    'order',
    'order',
    'https://github.com/openbook-dex/openbook-v2',
    call('openBook', 'place_take_order', [pool, vaultA, vaultB, ownUsdc, ownJup], amount, amount),
  ],
  [
    'Lifinity',
    'swap',
    'swap',
    'https://github.com/Lifinity-Labs/lifinity-amm-v2-sdk',
    instruction(
      programs.lifinity,
      [authority, pool, me, ownUsdc, ownJup, vaultA, vaultB],
      anchor('swap', amount, least),
    ),
  ],
  // Stakes.
  [
    'native staking',
    'stake',
    'deposit',
    'https://solana.com/docs/references/staking',
    ...seeded(5_000_000_000),
    ...StakeProgram.delegate({ stakePubkey: stakeAccount, authorizedPubkey: me, votePubkey: vote })
      .instructions,
  ],
  [
    'native staking',
    'unstake',
    'withdraw',
    'https://solana.com/docs/references/staking',
    ...StakeProgram.deactivate({ stakePubkey: stakeAccount, authorizedPubkey: me }).instructions,
  ],
  [
    'native staking',
    'withdrawal to the wallet',
    'withdraw',
    'https://solana.com/docs/references/staking',
    ...StakeProgram.withdraw({
      stakePubkey: stakeAccount,
      authorizedPubkey: me,
      toPubkey: me,
      lamports: 5_000_000_000,
    }).instructions,
  ],
  [
    'Marinade',
    'stake',
    'deposit',
    'https://github.com/marinade-finance/liquid-staking-program',
    openOf(key(75)),
    instruction(
      programs.marinade,
      [state, key(75), vaultA, vaultB, authority, pool, me, ata(key(75)), SystemProgram.programId, spl],
      anchor('deposit', u64(5_000_000_000n)),
    ),
  ],
  [
    'Marinade',
    'instant unstake',
    'withdraw',
    'https://github.com/marinade-finance/liquid-staking-program',
    instruction(
      programs.marinade,
      [state, key(75), vaultA, vaultB, pool, ata(key(75)), me, me],
      anchor('liquid_unstake', amount),
    ),
  ],
  [
    'Marinade',
    'delayed unstake',
    'withdraw',
    'https://github.com/marinade-finance/liquid-staking-program',
    instruction(
      programs.marinade,
      [state, key(75), ata(key(75)), me, key(76)],
      anchor('order_unstake', amount),
    ),
  ],
  [
    'Marinade',
    'claim',
    'claim',
    'https://github.com/marinade-finance/liquid-staking-program',
    instruction(programs.marinade, [state, vaultA, key(76), me], anchor('claim')),
  ],
  [
    'Jito',
    'stake',
    'deposit',
    'https://github.com/solana-program/stake-pool',
    openOf(key(77)),
    plain(
      'stakePool',
      [14, ...u64(2_000_000_000n)],
      [pool, authority, vaultA, me, ata(key(77)), vaultB, ata(key(77)), key(77)],
    ),
  ],
  [
    'Jito',
    'unstake',
    'withdraw',
    'https://github.com/solana-program/stake-pool',
    plain('stakePool', [16, ...amount], [pool, authority, me, ata(key(77)), vaultA, me, vaultB, key(77)]),
  ],
  [
    'Jito',
    'tip with a transfer',
    'transfer',
    'https://docs.jito.wtf',
    send(friend, 1_000_000_000),
    send(new PublicKey('96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5'), 10_000),
  ],
  [
    'Sanctum',
    'swap of staked tokens',
    'swap',
    'https://github.com/igneous-labs/S',
    plain(
      'sanctum',
      [1, 0, 0, 0, ...least, ...amount],
      [me, key(75), key(77), ata(key(75)), ata(key(77)), vaultA, vaultB],
    ),
  ],
  // Loans and trades.
  [
    'Kamino',
    'deposit',
    'deposit',
    'https://github.com/Kamino-Finance/klend',
    call(
      'kamino',
      'deposit_reserve_liquidity_and_obligation_collateral',
      [state, pool, authority, vaultA, usdc, ownUsdc],
      amount,
    ),
  ],
  [
    'Kamino',
    'loan',
    'loan',
    'https://github.com/Kamino-Finance/klend',
    openOf(jup),
    call('kamino', 'borrow_obligation_liquidity', [state, pool, authority, vaultA, jup, ownJup], amount),
  ],
  [
    'Kamino',
    'repayment',
    'loan',
    'https://github.com/Kamino-Finance/klend',
    call('kamino', 'repay_obligation_liquidity', [state, pool, authority, vaultA, jup, ownJup], amount),
  ],
  [
    'Kamino',
    'withdrawal',
    'withdraw',
    'https://github.com/Kamino-Finance/klend',
    call(
      'kamino',
      'withdraw_obligation_collateral_and_redeem_reserve_collateral',
      [state, pool, authority, vaultA, usdc, ownUsdc],
      amount,
    ),
  ],
  [
    'Solend',
    'deposit',
    'deposit',
    'https://github.com/solendprotocol/solana-program-library',
    plain('solend', [14, ...amount], [ownUsdc, ata(key(78)), pool, vaultA, key(78), state, authority, me]),
  ],
  [
    'MarginFi',
    'deposit',
    'deposit',
    'https://github.com/mrgnlabs/marginfi-v2',
    instruction(
      programs.marginfi,
      [pool, state, me, vaultA, ownUsdc, vaultB, spl],
      anchor('lending_account_deposit', amount),
    ),
  ],
  [
    'MarginFi',
    'withdrawal',
    'withdraw',
    'https://github.com/mrgnlabs/marginfi-v2',
    instruction(
      programs.marginfi,
      [pool, state, me, vaultA, ownUsdc, authority, vaultB, spl],
      anchor('lending_account_withdraw', amount),
    ),
  ],
  [
    'Drift',
    'deposit',
    'deposit',
    'https://github.com/drift-labs/protocol-v2',
    instruction(
      programs.drift,
      [state, pool, key(79), me, vaultA, ownUsdc, spl],
      anchor('deposit', bytes(0, 0), amount, bytes(0)),
    ),
  ],
  [
    'Drift',
    'order',
    'order',
    'https://github.com/drift-labs/protocol-v2',
    instruction(programs.drift, [state, pool, me], anchor('place_perp_order', bytes(0, 1, 0), amount)),
  ],
  [
    'Drift',
    'withdrawal',
    'withdraw',
    'https://github.com/drift-labs/protocol-v2',
    instruction(
      programs.drift,
      [state, pool, key(79), me, vaultA, authority, ownUsdc, spl],
      anchor('withdraw', bytes(0, 0), amount, bytes(0)),
    ),
  ],
  // NFTs.
  [
    'Candy Machine',
    'mint',
    'mint',
    'https://github.com/metaplex-foundation/mpl-candy-machine',
    ...budget,
    instruction(
      programs.candyGuard,
      [pool, state, authority, me, me, key(80), me, ata(key(80))],
      anchor('mint_v2', bytes(0, 0, 0, 0, 0)),
    ),
  ],
  [
    'Metaplex',
    'transfer of a programmable NFT',
    'transfer',
    'https://github.com/metaplex-foundation/mpl-token-metadata',
    plain(
      'metadata',
      [49, 0, ...u64(1n), 0],
      [ata(key(81)), me, ata(key(81), friend), friend, key(81), state, me, me],
    ),
  ],
  [
    'Metaplex',
    'burn of an NFT',
    'close',
    'https://github.com/metaplex-foundation/mpl-token-metadata',
    plain('metadata', [41, 0, ...u64(1n)], [me, state, key(82), ata(key(82))]),
  ],
  [
    'Bubblegum',
    'transfer of a compressed NFT',
    'transfer',
    'https://github.com/metaplex-foundation/mpl-bubblegum',
    instruction(
      programs.bubblegum,
      [authority, me, me, friend, pool, state],
      anchor('transfer', new Uint8Array(96), amount),
    ),
  ],
  [
    'Metaplex Core',
    'transfer of an asset',
    'transfer',
    'https://github.com/metaplex-foundation/mpl-core',
    plain('core', [14, 0], [key(83), key(84), me, me, friend]),
  ],
  [
    'Magic Eden',
    'listing',
    'sale',
    'https://docs.magiceden.io',
    call(
      'magicEden',
      'sell',
      [authority, ata(key(85)), key(85), state, pool],
      bytes(255, 255),
      u64(2_000_000_000n),
      amount,
      bytes(255),
    ),
  ],
  [
    'Magic Eden',
    'purchase',
    'sale',
    'https://docs.magiceden.io',
    ...budget,
    call('magicEden', 'deposit', [authority, pool], bytes(255), u64(2_000_000_000n)),
    call('magicEden', 'buy_v2', [authority, key(85), state, pool], bytes(255), u64(2_000_000_000n)),
    call(
      'magicEden',
      'execute_sale_v2',
      [friend, ata(key(85)), key(85), state],
      bytes(255),
      u64(2_000_000_000n),
    ),
  ],
  [
    'Tensor',
    'purchase',
    'sale',
    'https://github.com/tensor-foundation',
    call('tensor', 'buy_single_listing', [state, pool, ata(key(86)), key(86), friend], u64(2_000_000_000n)),
  ],
  // Votes, bridges and the rest.
  [
    'Realms',
    'vote',
    'vote',
    'https://github.com/Mythic-Project/solana-program-library',
    plain(
      'governance',
      [13, 0, 1, 0, 0, 0, 0, 100],
      [key(87), state, pool, authority, key(88), me, key(89), me, SystemProgram.programId],
    ),
  ],
  [
    'Realms',
    'tokens deposited for votes',
    'deposit',
    'https://github.com/Mythic-Project/solana-program-library',
    plain(
      'governance',
      [1, ...amount],
      [key(87), vaultA, ownJup, me, me, state, me, SystemProgram.programId, spl],
    ),
  ],
  [
    'Squads',
    'proposal approved',
    'vote',
    'https://github.com/Squads-Protocol/v4',
    instruction(programs.squads, [state, me, pool], anchor('proposal_approve', bytes(0))),
  ],
  [
    'Squads',
    'transaction proposed',
    'create',
    'https://github.com/Squads-Protocol/v4',
    instruction(
      programs.squads,
      [state, pool, me, me, SystemProgram.programId],
      anchor('vault_transaction_create', bytes(0, 0, 1, 0, 0, 0, 0, 0)),
    ),
  ],
  [
    'Wormhole',
    'bridge of USDC',
    'bridge',
    'https://github.com/wormhole-foundation/wormhole',
    createApproveCheckedInstruction(ownUsdc, usdc, key(90), me, 1_000_000n, 6),
    plain(
      'tokenBridge',
      [5, 1, 0, 0, 0, ...amount, ...u64(0n), ...new Uint8Array(32), 2, 0],
      [me, state, ownUsdc, usdc, vaultA, key(90)],
    ),
  ],
  [
    'deBridge',
    'bridge of USDC',
    'bridge',
    'https://docs.debridge.finance',
    call('deBridge', 'create_order_with_nonce', [state, ownUsdc, vaultA, usdc], amount, amount),
  ],
  [
    'Circle',
    'bridge of USDC',
    'bridge',
    'https://github.com/circlefin/solana-cctp-contracts',
    call(
      'cctp',
      'deposit_for_burn',
      [me, authority, ownUsdc, state, usdc],
      amount,
      bytes(0, 0, 0, 0),
      new Uint8Array(32),
    ),
  ],
  [
    'SNS',
    'domain registered',
    'create',
    'https://github.com/SolanaNameService',
    plain(
      'names',
      [9, 7, 0, 0, 0, 108, 97, 116, 99, 104],
      [pool, state, key(91), authority, me, ownUsdc, vaultA],
    ),
  ],
  [
    'Solana Merkle distributor',
    'airdrop claimed',
    'claim',
    'https://github.com/jup-ag/merkle-distributor',
    openOf(jup),
    instruction(
      programs.distributor,
      [pool, state, vaultA, ownJup, me, spl, SystemProgram.programId],
      anchor('new_claim', amount, u64(0n), bytes(0, 0, 0, 0)),
    ),
  ],
  [
    'Streamflow',
    'vesting claimed',
    'claim',
    'https://github.com/streamflow-finance',
    instruction(programs.streamflow, [me, me, ownJup, state, vaultA], anchor('withdraw', amount)),
  ],
  [
    'Lighthouse',
    'transfer with a guard',
    'transfer',
    'https://github.com/Jac0xb/lighthouse',
    send(friend, 1_000_000),
    plain('lighthouse', [2, 4, 1, 2, 3], [me]),
  ],
  [
    'Helium',
    'rewards claimed',
    'claim',
    'https://github.com/helium/helium-program-library',
    openOf(key(92)),
    instruction(
      programs.helium,
      [pool, state, authority, vaultA, me, ata(key(92))],
      anchor('distribute_rewards_v0', amount),
    ),
  ],
]

export const ordinarySolana: readonly OrdinarySolana[] = rows.map(
  ([app, title, kind, source, ...instructions]) => ({
    app,
    title: `${app}: ${title}`,
    kind,
    source,
    instructions,
  }),
)
