/** The descriptors that the vault's own server has for a request. docs/protocol.md. */
import * as v from 'valibot'
import {
  createSource,
  type DescriptorSource,
  joinSources,
  loadRegistry,
  readDescriptors,
} from '../../clear-signing/index.ts'
import type { VaultContext } from '../context.ts'
import type { Token } from '../token.ts'

/** What a request may need descriptors of. */
export interface NeededDescriptors {
  readonly chainId: number
  readonly contracts: readonly string[]
  /** Hashes of message types. */
  readonly messages: readonly string[]
  /** Tokens whose symbol and decimals the words of a descriptor need. */
  readonly tokens: readonly string[]
}
export interface ServerDescriptors {
  readonly source: DescriptorSource
  /** The code behind each proxy among the contracts, by address in lower case. */
  readonly implementations: Readonly<Record<string, string>>
}

/**
 * Fetches descriptors of the registry, and those that the app's operator has given to this server. The former are checked here: their
 * hashes, their auditors' signatures, and what they are bound to. The latter count as the app's, and never come from the page. Throws a
 * `VaultError`.
 */
export async function fetchDescriptors(
  cx: VaultContext,
  token: Token,
  { chainId, contracts, messages }: Omit<NeededDescriptors, 'tokens'>,
): Promise<ServerDescriptors> {
  const body = { chain_id: chainId, contracts: contracts.slice(0, MOST), messages: messages.slice(0, MOST) }
  const answer = await cx.api(token, '/embedded_wallets/descriptors', body)
  const registry = loadRegistry(answer.registry, { now: Math.floor(cx.clock.now() / 1_000) })
  const given = v.safeParse(own, answer.own)
  const source = given.success
    ? joinSources([registry, createSource(readDescriptors(given.output, 'app'))])
    : registry
  const found = v.safeParse(implementations, answer.implementations)
  return { source, implementations: found.success ? found.output : {} }
}

const address = v.pipe(v.string(), v.regex(/^0x[\da-f]{40}$/))
const own = v.pipe(v.array(v.record(v.string(), v.unknown())), v.maxLength(256))
const implementations = v.record(address, address)

/** Of each kind, in one request. */
const MOST = 16
