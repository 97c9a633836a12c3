import type { WalletAccount } from '@wallet-standard/base'
import { parseBase58, parseSolanaAddress } from '../../chains/address.ts'
import { solanaChainIds } from '../../chains/caip.ts'
import { limits } from '../../core/limits.ts'
import { fieldOf, isA, listOf } from './claims.ts'
import { solanaChainsOf } from './solana-wallet.ts'

/** An account as the wallet gave it, with what has been checked of it. */
export interface SolanaAccount {
  readonly raw: WalletAccount
  readonly address: string
  /** CAIP-2. */
  readonly chainId: string
}

/** The accounts of a list that are Solana's: a wallet for many chains gives those of all. */
export function solanaAccountsOf(value: unknown, wanted: string): readonly SolanaAccount[] | undefined {
  const found = listOf(value, limits.walletAccounts)?.flatMap((raw) => {
    const address = parseSolanaAddress(fieldOf(raw, 'address'))
    const chains = solanaChainsOf(raw)
    if (!address || chains?.length === 0 || !isKeyOf(address, fieldOf(raw, 'publicKey'))) return []
    return [{ raw: raw as WalletAccount, address, chainId: chainIdOf(chains ?? [], wanted) }]
  })
  return found?.filter(({ address }, at) => found.findIndex((other) => other.address === address) === at)
}

/** What an account says by its name must be what it says by its bytes, where it gives those. */
function isKeyOf(address: string, key: unknown): boolean {
  if (!isA(key, Uint8Array)) return true
  const bytes = parseBase58(address, 32)
  return key.length === 32 && bytes !== undefined && bytes.every((byte, at) => byte === key[at])
}

const clusters: ReadonlyMap<string, string> = new Map([
  ['mainnet-beta', solanaChainIds.mainnet],
  ...Object.entries(solanaChainIds),
])

/** The app's own cluster where the account is on that, else one that it is on. */
function chainIdOf(chains: readonly string[], wanted: string): string {
  const known = chains.flatMap((chain) => clusters.get(chain.slice('solana:'.length)) ?? [])
  const first = clusters.get(wanted) ?? solanaChainIds.mainnet
  return known.includes(first) ? first : (known[0] ?? first)
}
