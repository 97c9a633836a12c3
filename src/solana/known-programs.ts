/**
 * Programs that many apps use. Being known is no trust: it only makes a completed trial run enough where it shows nothing unexplained.
 *
 * A trial run compares accounts of the system, of tokens, of stakes and of votes. What a program keeps for the wallet in accounts of its own
 * it can't compare: a loan, a position, an order or a vote goes to somebody else without a trace. So a program is known by those instructions
 * alone whose effect on the wallet is in accounts that are compared, or that put something in and take nothing out. Each address is the one
 * that its makers publish, as of November 2026.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

interface KnownProgram {
  readonly name: string
  /** Methods as Anchor names them, or first bytes. Without them all instructions are known: it keeps nothing for a wallet. */
  readonly only?: readonly (string | number)[]
}

const programs: Readonly<Record<string, KnownProgram>> = {
  // dev.jup.ag/docs
  JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4: { name: 'Jupiter' },
  JUP4Fb2cqiRUcaTHdrPC8h2gNsA2ETXiPDD33WcGuJB: { name: 'Jupiter v4' },
  // dev.jup.ag/docs/old/dca/integration
  DCA265Vj8a9CEuX1eb1LWRnDT7uK6q1xMipnNyatn23M: { name: 'Jupiter DCA', only: ['open_dca_v2'] },
  // github.com/orca-so/whirlpools
  whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc: {
    name: 'Orca Whirlpools',
    only: [
      ...['swap', 'swap_v2', 'two_hop_swap', 'two_hop_swap_v2', 'open_position'],
      ...['open_position_with_metadata', 'open_position_with_token_extensions'],
      ...['increase_liquidity', 'increase_liquidity_v2'],
    ],
  },
  // github.com/raydium-io
  '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8': { name: 'Raydium AMM' },
  CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK: {
    name: 'Raydium CLMM',
    only: ['swap', 'swap_v2', 'swap_router_base_in', 'open_position_v2', 'increase_liquidity_v2'],
  },
  CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C: {
    name: 'Raydium CPMM',
    only: ['swap_base_input', 'swap_base_output', 'deposit', 'withdraw'],
  },
  // github.com/MeteoraAg/dlmm-sdk
  LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo: {
    name: 'Meteora DLMM',
    only: [
      ...['swap', 'swap2', 'swap_exact_out', 'swap_exact_out2', 'initialize_position'],
      ...['add_liquidity', 'add_liquidity2', 'add_liquidity_by_strategy', 'add_liquidity_by_strategy2'],
    ],
  },
  // github.com/pump-fun/pump-public-docs
  '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P': { name: 'Pump.fun', only: ['buy', 'sell'] },
  // github.com/Ellipsis-Labs/phoenix-v1; the first is a swap, which leaves no order.
  PhoeNiXZ8ByJGLkxNfZRnkUfjvmuYqLR89jjFHGqdXY: { name: 'Phoenix', only: [0] },
  // github.com/openbook-dex/openbook-v2
  opnb2LAfJYbRMAHHvqjCwQxanZn7ReEHp1k81EohpZb: { name: 'OpenBook', only: ['place_take_order'] },
  // github.com/marinade-finance/liquid-staking-program
  MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD: { name: 'Marinade' },
  // github.com/solana-program/stake-pool
  SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy: { name: 'SPL Stake Pool' },
  // github.com/Kamino-Finance/klend; what is borrowed or withdrawn goes to any token account.
  KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD: {
    name: 'Kamino Lend',
    only: [
      ...['refresh_reserve', 'refresh_obligation', 'init_user_metadata', 'init_obligation'],
      ...['deposit_reserve_liquidity_and_obligation_collateral', 'repay_obligation_liquidity'],
    ],
  },
  // github.com/solendprotocol/public: refresh of a reserve and of a loan, repayment, deposit.
  So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo: { name: 'Solend', only: [3, 7, 11, 14] },
  // github.com/mrgnlabs/marginfi-v2
  MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA: {
    name: 'MarginFi',
    only: ['marginfi_account_initialize', 'lending_account_deposit', 'lending_account_repay'],
  },
  // github.com/metaplex-foundation/mpl-token-metadata: burn, mint, transfer.
  metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s: { name: 'Metaplex Token Metadata', only: [41, 43, 49] },
  // github.com/metaplex-foundation/mpl-candy-machine
  Guard1JwRhJkVH6XZhzoYxeBVQe872VH6QggF4BWmS9g: { name: 'Candy Guard', only: ['mint', 'mint_v2'] },
  // docs.magiceden.io; a listing has a price that nobody can read.
  M2mx93ekt1fmXSVkTrUL9xVFHkmME8HTUi5Cyc5aF7K: {
    name: 'Magic Eden',
    only: ['deposit', 'buy_v2', 'execute_sale_v2'],
  },
  // github.com/tensor-foundation/escrow
  TSWAPaqyCSx2KABk68Shruf4rp7CxcNi8hAsbdwmHbN: { name: 'TensorSwap', only: ['buy_single_listing'] },
  // github.com/Mythic-Project/solana-program-library: tokens in, a vote, a vote taken back.
  GovER5Lthms3bLBqWub97yVrMmEogzX7xNjdXpPPCVZw: { name: 'SPL Governance', only: [1, 13, 15] },
  // github.com/wormhole-foundation/wormhole-sdk-ts
  wormDTUJ6AWPNvk59vGQbDvGJmqbDTdgWgAqcLBCgUb: { name: 'Wormhole Token Bridge', only: [4, 5] },
  // docs.debridge.com/dln-details/overview/deployed-contracts
  src5qyZHqTqecJV4aY6Cb6zDZLMDzrDKKezs22MPHr4: { name: 'deBridge', only: ['create_order_with_nonce'] },
  // github.com/circlefin/solana-cctp-contracts
  CCTPiPYPc6AsJuwueEnWgSgucamXDZwBd53dQ11YiKX3: { name: 'Circle CCTP', only: ['deposit_for_burn'] },
  // github.com/SolanaNameService/sns-sdk: a name that nobody has yet.
  jCebN34bUfdeUYJT13J1yG16XWQpt5PDx6Mse9GUqhR: { name: 'Solana Name Service', only: [9, 13] },
  // github.com/helium/helium-program-library; rewards go to the destination that was set before.
  '1azyuavdMyvsivtNxPoz6SucD18eDHeXzFCUPq5XU7w': {
    name: 'Helium Lazy Distributor',
    only: ['distribute_rewards_v0', 'distribute_compression_rewards_v0'],
  },
}

/** The name of the program of an instruction that is known; `undefined` for any other. */
export function nameOfProgram({
  program,
  data,
}: {
  readonly program: string
  readonly data: Uint8Array
}): string | undefined {
  const found = Object.hasOwn(programs, program) ? programs[program] : undefined
  const isKnown = found?.only?.some((method) => beginsWith(data, method)) ?? true
  return isKnown ? found?.name : undefined
}

const METHOD_SIZE = 8

function beginsWith(data: Uint8Array, method: string | number): boolean {
  if (typeof method === 'number') return data[0] === method
  const named = sha256(utf8ToBytes(`global:${method}`)).subarray(0, METHOD_SIZE)
  return data.length >= METHOD_SIZE && named.every((byte, at) => data[at] === byte)
}
