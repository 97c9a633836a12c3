/** ERC-7730 descriptors: reading one, merging what it includes, and its parts ready for use. All of it is hostile input. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { MAX_SIGNATURE } from '../ethereum/calls/limits.ts'
import { type FunctionSignature, parseSignature } from '../ethereum/calls/signature.ts'
import { isAddress } from '../ethereum/calls/values.ts'
import { isPlainObject, type Plain, type PlainObject, readPlain } from '../lib/plain.ts'
import { MAX_DESCRIPTOR, MAX_FORMATS, MAX_INCLUDES } from './limits.ts'
import { parsePath } from './paths.ts'

/** The major version of the schema that this room implements. */
const MAJOR = 2
const SCHEMA = /erc7730-v(\d+)(?:[.-][\w.-]*)?\.schema\.json(?:[?#].*)?$/i

/** A descriptor with all that it includes, as plain data. */
export type Descriptor = PlainObject
/** Why a descriptor can't be used. */
export type DescriptorProblem =
  | 'not-readable'
  | 'other-version'
  | 'include-missing'
  | 'include-cycle'
  | 'too-many-includes'
  | 'too-many-formats'
  | 'same-function-twice'

/** A descriptor that can't be used, with the reason. */
export class DescriptorError extends Error {
  override name = 'DescriptorError'
  readonly problem: DescriptorProblem
  constructor(problem: DescriptorProblem) {
    super(`The descriptor can't be used: ${problem}`)
    this.problem = problem
  }
}

/**
 * Copies a descriptor into plain data. Newer minor and patch versions of the schema are read as this one.
 * @throws DescriptorError for anything else than a descriptor, and for another major version of the schema
 */
export function readDescriptor(raw: unknown): Descriptor {
  const plain = readPlain(raw, MAX_DESCRIPTOR)
  if (!isPlainObject(plain)) throw new DescriptorError('not-readable')
  assertVersion(plain)
  return plain
}

function assertVersion({ $schema }: PlainObject): void {
  const [, major] = typeof $schema === 'string' ? (SCHEMA.exec($schema) ?? []) : []
  if (major !== undefined && Number(major) !== MAJOR) throw new DescriptorError('other-version')
}

/**
 * Merges all that a descriptor includes into it. `load` gets the address of an included file, as it is written, and the place
 * of the file that includes it; it gives the file and its own place, which tells a cycle.
 */
export function mergeIncludes(
  raw: unknown,
  place: string,
  load: (include: string, from: string) => { readonly raw: unknown; readonly place: string } | undefined,
): Descriptor {
  const visit = (one: unknown, at: string, seen: readonly string[]): Descriptor => {
    const descriptor = readDescriptor(one)
    const { includes, ...rest } = descriptor
    if (includes === undefined || includes === null || includes === '') return toPlain(rest)
    if (typeof includes !== 'string') throw new DescriptorError('not-readable')
    const next = load(includes, at)
    if (!next) throw new DescriptorError('include-missing')
    if (seen.includes(next.place)) throw new DescriptorError('include-cycle')
    if (seen.length > MAX_INCLUDES) throw new DescriptorError('too-many-includes')
    return mergeDescriptors(toPlain(rest), visit(next.raw, next.place, [...seen, next.place]))
  }
  return readDescriptor(visit(raw, place, [place]))
}

/** A copy without a prototype, which destructuring gives it. */
const toPlain = (object: PlainObject): PlainObject => Object.assign(Object.create(null), object)

/** The keys of both; where both have one, the including descriptor's counts. Fields are merged by their paths. */
export function mergeDescriptors(including: PlainObject, included: PlainObject): PlainObject {
  const merged: Record<string, Plain | undefined> = Object.assign(Object.create(null), included)
  for (const [key, value] of Object.entries(including)) {
    const other = merged[key]
    if (isPlainObject(value) && isPlainObject(other)) merged[key] = mergeDescriptors(value, other)
    else if (key === 'fields' && Array.isArray(value) && Array.isArray(other))
      merged[key] = mergeFields(value, other)
    else merged[key] = value
  }
  return merged
}

function mergeFields(including: readonly Plain[], included: readonly Plain[]): Plain[] {
  const result = [...included]
  const byPath = new Map(included.map((field, at) => [pathOf(field), at]))
  for (const field of including) {
    const path = pathOf(field)
    const at = path === undefined ? undefined : byPath.get(path)
    const other = at === undefined ? undefined : result[at]
    if (at !== undefined && isPlainObject(field) && isPlainObject(other))
      result[at] = mergeDescriptors(field, other)
    else result.push(field)
  }
  return result
}
const pathOf = (field: Plain) =>
  isPlainObject(field) && typeof field.path === 'string' ? field.path : undefined

/** A property of an object that may be none. */
export const getProperty = (value: Plain | undefined, key: string): Plain | undefined =>
  isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

/** What a path with the root `$` leads to. */
export function lookUp(descriptor: Descriptor, reference: string): Plain | undefined {
  const path = parsePath(reference)
  if (path?.root !== '$') return undefined
  let value: Plain | undefined = descriptor
  for (const segment of path.segments) {
    if (segment.kind === 'name') value = getProperty(value, segment.name)
    else if (segment.kind === 'index' && Array.isArray(value)) value = value.at(segment.index)
    else return undefined
  }
  return value
}

export interface CallFormat {
  readonly signature: FunctionSignature
  readonly format: PlainObject
}

const callFormats = new WeakMap<Descriptor, ReadonlyMap<string, CallFormat> | DescriptorError>()
/** The functions that a descriptor describes, by selector. Throws if two of its keys are the same function. */
export function getCallFormats(descriptor: Descriptor): ReadonlyMap<string, CallFormat> {
  let known = callFormats.get(descriptor)
  if (!known) {
    try {
      known = readCallFormats(descriptor)
    } catch (error) {
      if (!(error instanceof DescriptorError)) throw error
      known = error
    }
    callFormats.set(descriptor, known)
  }
  if (known instanceof DescriptorError) throw known
  return known
}

function readCallFormats(descriptor: Descriptor): ReadonlyMap<string, CallFormat> {
  const found = new Map<string, CallFormat>()
  for (const [key, format] of formatsOf(descriptor)) {
    const signature = parseSignature(key)
    if (!signature) continue
    if (found.has(signature.selector)) throw new DescriptorError('same-function-twice')
    found.set(signature.selector, { signature, format })
  }
  return found
}

const messageFormats = new WeakMap<Descriptor, ReadonlyMap<string, PlainObject>>()
/** The message types that a descriptor describes, by the hash of the type's text. */
export function getMessageFormats(descriptor: Descriptor): ReadonlyMap<string, PlainObject> {
  let known = messageFormats.get(descriptor)
  if (!known) {
    known = new Map(formatsOf(descriptor).map(([key, format]) => [typeHash(key), format]))
    messageFormats.set(descriptor, known)
  }
  return known
}

export const typeHash = (encodeType: string): string =>
  `0x${bytesToHex(keccak_256(utf8ToBytes(encodeType.slice(0, MAX_SIGNATURE))))}`

function formatsOf(descriptor: Descriptor): [string, PlainObject][] {
  const formats = getProperty(getProperty(descriptor, 'display'), 'formats')
  if (!isPlainObject(formats)) return []
  const entries = Object.entries(formats)
  if (entries.length > MAX_FORMATS) throw new DescriptorError('too-many-formats')
  return entries.flatMap(([key, format]) =>
    isPlainObject(format) && key.length <= MAX_SIGNATURE ? [[key, format] as [string, PlainObject]] : [],
  )
}

export interface Deployment {
  readonly chainId: number
  /** In lower case. */
  readonly address: string
}

/** The places of `context.contract` or `context.eip712`; `undefined` if it names none. */
export function readDeployments(context: Plain | undefined): readonly Deployment[] | undefined {
  const list = getProperty(context, 'deployments')
  if (!Array.isArray(list)) return undefined
  return list.flatMap((entry: Plain) => {
    const chainId = getProperty(entry, 'chainId')
    const address = getProperty(entry, 'address')
    return Number.isSafeInteger(chainId) && isAddress(typeof address === 'string' ? address.trim() : address)
      ? [{ chainId: chainId as number, address: (address as string).trim().toLowerCase() }]
      : []
  })
}
