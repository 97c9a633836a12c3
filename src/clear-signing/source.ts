/** Descriptors by what they are made for. */
import type { Candidate, DescriptorSource, Origin } from './description.ts'
import {
  DescriptorError,
  getMessageFormats,
  getProperty,
  mergeIncludes,
  readDeployments,
} from './descriptor.ts'

const key = (chainId: number, address: string) => `${chainId}:${address}`

/** A source of these descriptors. */
export function createSource(candidates: readonly Candidate[]): DescriptorSource {
  const byContract = new Map<string, Candidate[]>()
  const byType = new Map<string, Candidate[]>()
  /** Those that name no contract, but who creates it. */
  const ofFactories: Candidate[] = []
  const add = (map: Map<string, Candidate[]>, name: string, candidate: Candidate) =>
    map.set(name, [...(map.get(name) ?? []), candidate])
  for (const candidate of candidates) {
    const context = getProperty(candidate.descriptor, 'context')
    const contract = getProperty(context, 'contract')
    for (const { chainId, address } of readDeployments(contract) ?? [])
      add(byContract, key(chainId, address), candidate)
    if (getProperty(contract, 'factory') !== undefined) ofFactories.push(candidate)
    if (getProperty(context, 'eip712') === undefined) continue
    try {
      for (const hash of getMessageFormats(candidate.descriptor).keys()) add(byType, hash, candidate)
    } catch (error) {
      if (!(error instanceof DescriptorError)) throw error
    }
  }
  return {
    calls: (chainId, address) => [...(byContract.get(key(chainId, address)) ?? []), ...ofFactories],
    messages: (hash) => byType.get(hash) ?? [],
  }
}

/** All sources as one. A source that fails has no descriptors. */
export function joinSources(sources: readonly DescriptorSource[]): DescriptorSource {
  const ask = (from: (source: DescriptorSource) => readonly Candidate[]) =>
    sources.flatMap((source) => {
      try {
        return from(source)
      } catch {
        return []
      }
    })
  return {
    calls: (chainId, address) => ask((source) => source.calls(chainId, address)),
    messages: (hash, chainId, address) => ask((source) => source.messages(hash, chainId, address)),
  }
}

/**
 * Reads descriptors as an app hands them over, such as `JSON.parse` gives them. Those that can't be used are left out; `onRefused`
 * hears which.
 * @param load gives the file that a descriptor includes; without it, one that includes another can't be used
 */
export function readDescriptors(
  raw: readonly unknown[],
  origin: Origin,
  load?: Parameters<typeof mergeIncludes>[2],
  onRefused?: (index: number, error: DescriptorError) => void,
): Candidate[] {
  return raw.flatMap((one, index) => {
    try {
      const descriptor = mergeIncludes(one, String(index), load ?? (() => undefined))
      return [{ descriptor, origin, auditors: [] }]
    } catch (error) {
      if (!(error instanceof DescriptorError)) throw error
      onRefused?.(index, error)
      return []
    }
  })
}
