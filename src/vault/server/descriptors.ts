/** The descriptors that the vault's own server has for a request. docs/protocol.md. */
import { type DescriptorSource, loadRegistry } from '../../clear-signing/index.ts'
import type { VaultContext } from '../context.ts'
import type { Token } from '../token.ts'

/** What a request may need descriptors of. */
export interface NeededDescriptors {
  readonly chainId: number
  readonly contracts: readonly string[]
  /** Hashes of message types. */
  readonly messages: readonly string[]
}

/**
 * Fetches descriptors of the registry. Each is checked here: its hash, its auditors' signatures, and what it is bound to. Throws a
 * `VaultError`.
 */
export async function fetchDescriptors(
  cx: VaultContext,
  token: Token,
  { chainId, contracts, messages }: NeededDescriptors,
): Promise<DescriptorSource> {
  const body = { chain_id: chainId, contracts: contracts.slice(0, MOST), messages: messages.slice(0, MOST) }
  const { registry } = await cx.api(token, '/embedded_wallets/descriptors', body)
  return loadRegistry(registry, { now: Math.floor(cx.clock.now() / 1_000) })
}

/** Of each kind, in one request. */
const MOST = 16
