import type { WalletAccount } from '@wallet-standard/base'
import { toByteArray } from '../../../lib/byte-array.ts'
import { solanaChainIds } from '../../../lib/caip.ts'
import { parseBase58, parseSolanaAddress } from '../../../solana/base58.ts'
import { walletsLimits } from '../../limits.ts'
import { fieldOf, listOf } from '../claims.ts'
import { solanaChainsOf } from './wallet.ts'

/** An account as the wallet gave it, with what has been checked of it. */
export interface SolanaAccount {
  readonly raw: WalletAccount
  readonly address: string
  /** CAIP-2. */
  readonly chainId: string
}

/** The accounts of a list that are Solana's: a wallet for many chains lists those of all. */
export function solanaAccountsOf(value: unknown, preferred: string): readonly SolanaAccount[] | undefined {
  const found = listOf(value, walletsLimits.walletAccounts)?.flatMap((raw) => {
    const address = parseSolanaAddress(fieldOf(raw, 'address'))
    const chains = solanaChainsOf(raw)
    if (!address || chains?.length === 0 || !isKeyOf(address, fieldOf(raw, 'publicKey'))) return []
    return [{ raw: raw as WalletAccount, address, chainId: chainIdOf(chains ?? [], preferred) }]
  })
  return found?.filter(({ address }, at) => found.findIndex((other) => other.address === address) === at)
}

/** An account's address must match its public key, if it has one. */
function isKeyOf(address: string, given: unknown): boolean {
  const key = toByteArray(given)
  if (!key) return true
  const bytes = parseBase58(address, 32)
  return key.length === 32 && bytes !== undefined && bytes.every((byte, at) => byte === key[at])
}

const clusters: ReadonlyMap<string, string> = new Map([
  ['mainnet-beta', solanaChainIds.mainnet],
  ...Object.entries(solanaChainIds),
])

/** The app's own cluster if the account is on it, else one of the account's. */
function chainIdOf(chains: readonly string[], preferred: string): string {
  const known = chains.flatMap((chain) => clusters.get(chain.slice('solana:'.length)) ?? [])
  const first = clusters.get(preferred) ?? solanaChainIds.mainnet
  return known.includes(first) ? first : (known[0] ?? first)
}
