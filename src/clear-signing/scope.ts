/** What the fields of one call or message are described with, and how their paths and parameters are followed. */

import { isAddress, literalValue, parseNumber, rawText, type Value } from '../ethereum/calls/values.ts'
import { isPlainObject, type Plain, type PlainObject } from '../lib/plain.ts'
import type { Container, InnerCall } from './call.ts'
import type { Description, FieldGroup } from './description.ts'
import { type Descriptor, getProperty, lookUp } from './descriptor.ts'
import { follow, type Path, parsePath, type Segment, type SlicedBytes, sliceBounds } from './paths.ts'
import { NotDescribed, type Session } from './session.ts'

export interface Scope {
  readonly session: Session
  readonly descriptor: Descriptor
  readonly container: Container
  /** The decoded arguments or message. */
  readonly root: Value
  describeCall(call: InnerCall): Description
}

/** A format's parameters, each resolved when it is asked for. */
export interface Parameters {
  readonly scope: Scope
  /** As the descriptor has it. */
  literal(name: string): Plain | undefined
  /** A constant: a literal, a reference into the descriptor, or an entry of a map. */
  constant(name: string): Plain | undefined
  /** A value that one of two parameters gives: the first a constant or a path, the second a path. */
  value(constantName: string, pathName: string): Value | SlicedBytes | undefined
  /** All values of a parameter that is one or a list: constants or paths. */
  values(name: string): readonly (Value | SlicedBytes)[]
  has(...names: readonly string[]): boolean
}

/** Where in the data, and in which group, fields stand. */
export interface Place {
  /** With an index for every list that a group goes through. */
  readonly prefix: readonly Segment[]
  /** The same as the descriptor writes it. */
  readonly written: readonly Segment[]
  readonly loops: readonly Loop[]
  readonly group?: FieldGroup | undefined
  readonly depth: number
}
/** A list that is being gone through, and where. */
export interface Loop {
  readonly index: number
  readonly length: number
}

/** Follows a path of a field or of a parameter. */
export function resolve(
  scope: Scope,
  place: Place,
  path: Path,
  own: readonly Loop[],
): Value | SlicedBytes | undefined {
  if (path.root === '@') return containerValue(scope.container, path)
  if (path.root === '$')
    return literalValue(lookUp(scope.descriptor, `$.${path.segments.map(nameOf).join('.')}`))
  if (path.root === '#') return followLoops(scope.root, path.segments, [...place.loops, ...own])
  return followLoops(follow(scope.root, place.prefix), path.segments, own)
}

const nameOf = (segment: Segment) =>
  segment.kind === 'name' ? segment.name : segment.kind === 'index' ? `[${segment.index}]` : ''

function containerValue(
  { chainId, to, from, value }: Container,
  { segments }: Path,
): Value | SlicedBytes | undefined {
  const [first, ...rest] = segments
  const address = (hex: string | undefined): Value | undefined =>
    hex === undefined ? undefined : { kind: 'address', type: 'address', hex }
  const number = (amount: bigint | undefined): Value | undefined =>
    amount === undefined ? undefined : { kind: 'number', type: 'uint256', value: amount }
  switch (first?.kind === 'name' ? first.name : '') {
    case 'from':
      return follow(address(from), rest)
    case 'to':
      return follow(address(to), rest)
    case 'value':
      return follow(number(value), rest)
    case 'chainId':
      return follow(number(chainId === undefined ? undefined : BigInt(chainId)), rest)
    default:
      return undefined
  }
}

/** Follows a path whose lists are gone through together with those of the field: `[]` is the element with the same index. */
function followLoops(
  root: Value | SlicedBytes | undefined,
  segments: readonly Segment[],
  loops: readonly Loop[],
): Value | SlicedBytes | undefined {
  if (root?.kind === 'sliced') return segments.length === 0 ? root : undefined
  let now: Value | undefined = root
  let rest = segments
  const lists = segments.filter(({ kind }) => kind === 'slice').length
  const left = loops.slice(-Math.min(lists, loops.length) || loops.length)
  for (;;) {
    const slice = rest.findIndex(({ kind }) => kind === 'slice')
    const [loop] = left
    const base = slice < 0 || !loop ? undefined : follow(now, rest.slice(0, slice))
    const segment = rest[slice]
    if (base?.kind !== 'list' || !loop || segment?.kind !== 'slice') return follow(now, rest)
    const [from, to] = sliceBounds(segment, base.items.length)
    if (to - from !== loop.length)
      throw new NotDescribed('descriptor-refused', { reason: 'parameter-list-length' })
    now = base.items[from + loop.index]
    rest = rest.slice(slice + 1)
    left.shift()
  }
}

/** The parameters of a field, for the element that is being formatted. */
export function createParameters(
  scope: Scope,
  place: Place,
  params: PlainObject | undefined,
  own: readonly Loop[],
): Parameters {
  const literal = (name: string): Plain | undefined => getProperty(params, name)

  /** References and maps in place of a constant. */
  function constantOf(spec: Plain | undefined, hops = 0): Plain | undefined {
    if (hops > 4) return undefined
    if (typeof spec === 'string' && spec.startsWith('$.'))
      return constantOf(lookUp(scope.descriptor, spec), hops + 1)
    if (isPlainObject(spec) && 'map' in spec) return constantOf(mapEntry(spec), hops + 1)
    return spec
  }

  function mapEntry({ map, keyPath }: PlainObject): Plain {
    const values = typeof map === 'string' ? getProperty(lookUp(scope.descriptor, map), 'values') : undefined
    const path = typeof keyPath === 'string' ? parsePath(keyPath) : undefined
    const found = path && resolve(scope, place, path, own)
    const key = found && (found.kind === 'sliced' ? found.hex : rawText(found))
    const entry =
      key === undefined || !isPlainObject(values)
        ? undefined
        : (getProperty(values, key) ??
          Object.entries(values).find(([each]) => each.toLowerCase() === key.toLowerCase())?.[1])
    // The standard: no entry, no descriptor for this request.
    if (entry === undefined) throw new NotDescribed('descriptor-refused', { reason: 'no-map-entry' })
    return entry
  }

  /** A literal stands for itself; any other text is a path. */
  function resolveValue(spec: Plain | undefined): Value | SlicedBytes | undefined {
    const constant = constantOf(spec)
    if (typeof constant !== 'string' || isAddress(constant) || parseNumber(constant) !== undefined)
      return literalValue(constant)
    if (/^0x/i.test(constant)) return literalValue(constant)
    const path = parsePath(constant)
    return path && resolve(scope, place, path, own)
  }

  return {
    scope,
    has: (...names) => names.some((name) => literal(name) !== undefined && literal(name) !== null),
    literal,
    constant: (name) => constantOf(literal(name)),
    value: (constantName, pathName) => resolveValue(literal(constantName) ?? literal(pathName)),
    values(name) {
      const spec = constantOf(literal(name))
      const all = Array.isArray(spec) ? spec : spec === undefined ? [] : [spec]
      return all.slice(0, 64).flatMap((each: Plain) => resolveValue(each) ?? [])
    },
  }
}
