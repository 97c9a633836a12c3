/** The packed registry of descriptors that comes with this server, and the part of it that a request needs. */
import fs from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import {
  createSource,
  type PackedRegistry,
  readDescriptors,
  type Selection,
  selectDescriptors,
} from '../../../src/clear-signing/index.ts'
import type { Proxies } from './proxies.ts'

export interface Descriptors {
  select(selection: Selection): Promise<PackedRegistry>
}
/** The descriptors of a request, and the code behind each proxy that has none of its own. */
export interface SelectedDescriptors {
  readonly registry: PackedRegistry
  readonly implementations: Readonly<Record<string, string>>
}

/** Selects the descriptors of contracts and message types. A contract without one gets that of the code behind it. */
export async function selectWithProxies(
  { descriptors, proxies }: { descriptors: Descriptors; proxies: Proxies },
  chainId: number,
  { contracts, messages }: { contracts: readonly string[]; messages: readonly string[] },
): Promise<SelectedDescriptors> {
  const calls = contracts.map((address) => ({ chainId, address }))
  const registry = await descriptors.select({ calls, messages })
  const isDescribed = (address: string) =>
    Object.hasOwn(registry.calls, `eip155:${chainId}:${address.toLowerCase()}`)
  const implementations = await proxies.resolve(
    chainId,
    contracts.filter((address) => !isDescribed(address)),
  )
  const behind = Object.values(implementations).map((address) => ({ chainId, address }))
  if (behind.length === 0) return { registry, implementations }
  return { registry: await descriptors.select({ calls: [...calls, ...behind], messages }), implementations }
}

/** The descriptors of an app that are made for these contracts, the code behind them, or these message types. */
export function selectOwn(
  own: readonly object[],
  chainId: number,
  { contracts, messages }: { contracts: readonly string[]; messages: readonly string[] },
): readonly object[] {
  if (own.length === 0) return []
  const source = createSource(readDescriptors(own, 'app'))
  const found = [
    ...contracts.flatMap((address) => source.calls(chainId, address.toLowerCase())),
    ...messages.flatMap((hash) => source.messages(hash, chainId, '')),
  ]
  return [...new Set(found.map(({ descriptor }) => descriptor as object))]
}

/** Reads the snapshot when it is first asked for, and then keeps it. */
export function createDescriptors(file = new URL('./registry.json.gz', import.meta.url)): Descriptors {
  let registry: Promise<PackedRegistry> | undefined
  return {
    async select(selection) {
      registry ??= load(file)
      return selectDescriptors(await registry, selection)
    },
  }
}

async function load(file: URL): Promise<PackedRegistry> {
  const text = await promisify(gunzip)(await fs.readFile(file))
  return JSON.parse(text.toString('utf8'))
}
