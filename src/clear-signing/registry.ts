/**
 * A packed copy of a registry of descriptors: each with all that it includes, by its hash, with the signatures of auditors. A server has
 * the whole; a vault gets the few that one request needs, and believes none of them before it has verified it.
 */
import { isPlainObject, type Plain, readPlain } from '../lib/plain.ts'
import { descriptorHash, verifyAttestation } from './attestation.ts'
import type { Auditor, Candidate, DescriptorSource } from './description.ts'
import {
  DescriptorError,
  getMessageFormats,
  getProperty,
  readDeployments,
  readDescriptor,
} from './descriptor.ts'
import { createSource } from './source.ts'

const FORMAT = 'latchkey-descriptors/1'
/** Descriptors of one packed registry, and signatures of one descriptor. */
const MAX_DESCRIPTORS = 16_384
const MAX_SIGNATURES = 16
const MAX_ATTESTATION = 16_384

/** Auditors whose signature counts unless an operator names others. Anybody may write a profile into a registry. */
export const knownAuditors: Readonly<Record<string, string>> = {
  '0x3846c3A30E62075Fa916216b35EF04B8F53931f6': 'Patrick Collins, Cyfrin',
}

export interface PackedDescriptor {
  /** Its file in the registry. */
  readonly path: string
  readonly descriptor: unknown
  /** Attestations of the file, without the types that are always the same. Only of a file that includes no other: what it includes, nobody has signed. */
  readonly attestations: readonly unknown[]
}
export interface PackedRegistry {
  readonly format: typeof FORMAT
  readonly source: { readonly repository: string; readonly commit?: string; readonly licence: string }
  /** By the hash of the descriptor with its includes (ERC-8176). */
  readonly descriptors: Readonly<Record<string, PackedDescriptor>>
  /** Hashes by contract: `eip155:<chain>:<address in lower case>`. */
  readonly calls: Readonly<Record<string, readonly string[]>>
  /** Hashes by the hash of a message's type text (EIP-712 `encodeType`). */
  readonly messages: Readonly<Record<string, readonly string[]>>
}

/** Packs candidates, each with its attestations. */
export function packRegistry(
  source: PackedRegistry['source'],
  entries: readonly (Candidate & { readonly path: string; readonly attestations: readonly unknown[] })[],
): PackedRegistry {
  const descriptors: Record<string, PackedDescriptor> = {}
  const calls: Record<string, string[]> = {}
  const messages: Record<string, string[]> = {}
  const add = (table: Record<string, string[]>, key: string, hash: string) => {
    const list = table[key] ?? []
    if (!list.includes(hash)) table[key] = [...list, hash]
  }
  for (const { descriptor, path, attestations } of entries) {
    const hash = descriptorHash(descriptor)
    if (!hash) continue
    const context = getProperty(descriptor, 'context')
    const places = readDeployments(getProperty(context, 'contract')) ?? []
    for (const { chainId, address } of places) add(calls, `eip155:${chainId}:${address}`, hash)
    const types =
      getProperty(context, 'eip712') === undefined ? [] : [...getMessageFormats(descriptor).keys()]
    for (const type of types) add(messages, type, hash)
    // What is bound to nothing can't be found; it was included by others.
    if (places.length + types.length === 0) continue
    const same = descriptors[hash]
    descriptors[hash] = same
      ? { ...same, attestations: [...same.attestations, ...attestations] }
      : { path, descriptor, attestations }
  }
  return {
    format: FORMAT,
    source,
    descriptors: sorted(descriptors),
    calls: sorted(calls),
    messages: sorted(messages),
  }
}

const sorted = <T>(table: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(table).sort(([one], [other]) => (one < other ? -1 : 1)))

/** What one request may need of a registry. */
export interface Selection {
  /** Contracts, and implementations behind them. */
  readonly calls?: readonly { readonly chainId: number; readonly address: string }[]
  /** Hashes of message types. */
  readonly messages?: readonly string[]
}

/** The part of a packed registry that a selection needs. */
export function selectDescriptors(
  packed: PackedRegistry,
  { calls = [], messages = [] }: Selection,
): PackedRegistry {
  const pick = (table: PackedRegistry['calls'], keys: readonly string[]) =>
    Object.fromEntries(keys.flatMap((key) => (Object.hasOwn(table, key) ? [[key, table[key] ?? []]] : [])))
  const found = {
    calls: pick(
      packed.calls,
      calls.map(({ chainId, address }) => `eip155:${chainId}:${address.toLowerCase()}`),
    ),
    messages: pick(packed.messages, messages),
  }
  const hashes = new Set([...Object.values(found.calls), ...Object.values(found.messages)].flat())
  const descriptors = Object.fromEntries(
    [...hashes].flatMap((hash) => {
      const entry = Object.hasOwn(packed.descriptors, hash) ? packed.descriptors[hash] : undefined
      return entry ? [[hash, entry]] : []
    }),
  )
  return { format: FORMAT, source: packed.source, descriptors, ...found }
}

export interface LoadedRegistry extends DescriptorSource {
  readonly candidates: readonly Candidate[]
  /** Descriptors that were left out: changed since they were packed, or not usable. */
  readonly refused: readonly string[]
}

/**
 * Loads a packed registry, or a part of one. Every descriptor has to have its hash, and only signatures that are verified here make it an
 * audited one. What a descriptor is for is read from itself: the tables are for finding it alone.
 * @param options.auditors names by address of those whose signatures count
 * @param options.now seconds since 1970, for signatures that end
 */
export function loadRegistry(
  raw: unknown,
  options: { readonly auditors?: Readonly<Record<string, string>>; readonly now?: number } = {},
): LoadedRegistry {
  const { auditors = knownAuditors, now } = options
  const { format, descriptors } = (raw ?? {}) as Partial<PackedRegistry>
  const candidates: Candidate[] = []
  const refused: string[] = []
  const entries =
    format === FORMAT && typeof descriptors === 'object' && descriptors !== null
      ? Object.entries(descriptors)
      : []
  for (const [hash, entry] of entries.slice(0, MAX_DESCRIPTORS)) {
    const descriptor = readPacked(entry?.descriptor, hash)
    if (!descriptor) {
      refused.push(hash)
      continue
    }
    const signatures = Array.isArray(entry.attestations) ? entry.attestations.slice(0, MAX_SIGNATURES) : []
    candidates.push({
      descriptor,
      origin: 'registry',
      hash,
      ...(typeof entry.path === 'string' && { path: entry.path }),
      auditors: verifiedAuditors(signatures, hash, auditors, now),
    })
  }
  return { ...createSource(candidates), candidates, refused }
}

function readPacked(raw: unknown, hash: string) {
  try {
    const descriptor = readDescriptor(raw)
    return descriptorHash(descriptor) === hash ? descriptor : undefined
  } catch (error) {
    if (error instanceof DescriptorError) return undefined
    throw error
  }
}

function verifiedAuditors(
  attestations: readonly unknown[],
  hash: string,
  known: Readonly<Record<string, string>>,
  now: number | undefined,
): readonly Auditor[] {
  const names = new Map(Object.entries(known).map(([address, name]) => [address.toLowerCase(), name]))
  const found = new Map<string, Auditor>()
  for (const raw of attestations) {
    const attestation = verifyAttestation(raw, hash, now)
    const name = attestation && names.get(attestation.auditor.toLowerCase())
    if (attestation && name !== undefined)
      found.set(attestation.auditor, { address: attestation.auditor, name })
  }
  return [...found.values()]
}

/** An attestation without its types, which are the same for all. */
export function compactAttestation(raw: unknown): Plain | undefined {
  const plain = readPlain(raw, MAX_ATTESTATION)
  const sig = getProperty(plain, 'sig')
  if (!isPlainObject(plain) || !isPlainObject(sig)) return undefined
  const part = (object: Plain | undefined, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, getProperty(object, name) ?? null]))
  return { sig: part(sig, ['domain', 'message', 'signature']), signer: plain.signer ?? null }
}
