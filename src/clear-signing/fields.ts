/** The fields of a descriptor's format: groups, lists, visibility, and each value in its format. */
import { checksumAddress } from '../ethereum/address.ts'
import {
  isLeaf,
  type Leaf,
  literalValue,
  matchesLiteral,
  rawText,
  readAddress,
  readNumber,
  type Value,
} from '../ethereum/calls/values.ts'
import { isPlainObject, type Plain, type PlainObject } from '../lib/plain.ts'
import { type DescribedField, type DescriptionWarning, type FieldGroup, warning } from './description.ts'
import { getProperty, lookUp } from './descriptor.ts'
import { asValue, formatRaw, formatValue, isFormat, readChainId, typeSlice } from './formats.ts'
import { MAX_GROUP_DEPTH, MAX_LABEL } from './limits.ts'
import {
  follow,
  type Path,
  parsePath,
  pathText,
  type Segment,
  type SlicedBytes,
  sliceBounds,
} from './paths.ts'
import { createParameters, type Loop, type Parameters, type Place, resolve, type Scope } from './scope.ts'
import { NotDescribed } from './session.ts'
import { hasUnseen, shortText } from './text.ts'

/** Formatted values by the paths that a sentence may name them by; for lists those of all elements. */
export type Rendered = ReadonlyMap<string, ReadonlyMap<string, DescribedField>>

export interface DescribedFields {
  readonly fields: readonly DescribedField[]
  readonly rendered: Rendered
  /** Warnings that belong to no field. */
  readonly warnings: readonly DescriptionWarning[]
}

const refused = (reason: string) => new NotDescribed('descriptor-refused', { reason })

/** Describes all fields of a format. Throws {@link NotDescribed} if the descriptor does not fit the request after all. */
export function describeFields(scope: Scope, list: Plain | undefined): DescribedFields {
  const fields: DescribedField[] = []
  const warnings: DescriptionWarning[] = []
  const rendered = new Map<string, Map<string, DescribedField>>()
  let groups = 0

  function describeAll(place: Place, specs: Plain | undefined): void {
    if (specs === undefined) return
    if (!Array.isArray(specs)) throw refused('fields')
    for (const spec of specs) describeOne(place, readSpec(spec))
  }

  function readSpec(spec: Plain): PlainObject {
    if (!isPlainObject(spec)) throw refused('field')
    return withDefinition(scope, spec)
  }

  /** `only`: the one element of its first list that is described. */
  function describeOne(place: Place, spec: PlainObject, only?: number): void {
    if ('fields' in spec) describeGroup(place, spec, only)
    else describeField(place, spec, only)
  }

  function describeGroup(place: Place, spec: PlainObject, only: number | undefined): void {
    if (place.depth >= MAX_GROUP_DEPTH) throw refused('groups-too-deep')
    const group = openGroup(spec, place.group)
    const inner: Place = { ...place, group, depth: place.depth + 1 }
    const children = spec.fields
    if (!Array.isArray(children)) throw refused('fields')
    const describeChildren = (where: Place) =>
      spec.iteration === 'bundled' ? describeBundle(where, children) : describeAll(where, children)
    if (spec.path === undefined) {
      describeChildren(inner)
      return
    }
    const path = dataPath(spec.path)
    const { prefix, written } = locate(inner, path)
    goThrough(prefix, 0, only, (concrete, loops) => {
      scope.session.spendStep()
      const index = loops.at(-1)?.index
      describeChildren({
        ...inner,
        prefix: concrete,
        written,
        loops: [...(path.root === '#' ? [] : place.loops), ...loops],
        group: index === undefined ? group : { ...group, index },
      })
    })
  }

  function openGroup(spec: PlainObject, parent: FieldGroup | undefined): FieldGroup {
    const label = typeof spec.label === 'string' ? shortText(spec.label, MAX_LABEL) : ''
    return { id: String(++groups), label, ...(parent && { parent }) }
  }

  /** The first elements of all lists, then the second ones, and so on. */
  function describeBundle(place: Place, specs: readonly Plain[]): void {
    const children = specs.map(readSpec)
    const lengths = children.map((spec) => firstListLength(place, spec))
    const known = lengths.filter((length) => length !== undefined)
    if (known.length === 0) {
      describeAll(place, specs)
      return
    }
    if (new Set(known).size > 1) throw refused('bundle-lengths')
    const [length = 0] = known
    if (length === 0) warnings.push(warning('empty-list', { path: place.group?.label ?? '' }))
    for (let index = 0; index < length; index++) {
      scope.session.spendStep()
      for (const [child, spec] of children.entries())
        describeOne(place, spec, lengths[child] === undefined ? undefined : index)
    }
  }

  function firstListLength(place: Place, spec: PlainObject): number | undefined {
    const path = typeof spec.path === 'string' ? parsePath(spec.path) : undefined
    if (!path || path.root === '@' || path.root === '$') return undefined
    const { prefix } = locate(place, path)
    return nextList(prefix, place.prefix.length)?.length
  }

  /** The first list of a path that has to be gone through. */
  function nextList(segments: readonly Segment[], start: number) {
    for (let where = start; where <= segments.length; where++) {
      const segment = segments[where]
      if (segment && segment.kind !== 'slice') continue
      const value = follow(scope.root, segments.slice(0, where))
      if (value?.kind !== 'list') continue
      const [from, to] = segment ? sliceBounds(segment, value.items.length) : [0, value.items.length]
      return { where, from, length: to - from, isWhole: !segment }
    }
    return undefined
  }

  /** Calls `visit` for every element of every list in a path, with an index in place of each `[]`. */
  function goThrough(
    segments: readonly Segment[],
    start: number,
    only: number | undefined,
    visit: (concrete: readonly Segment[], loops: readonly Loop[]) => void,
    loops: readonly Loop[] = [],
  ): void {
    const list = nextList(segments, start)
    if (!list) {
      visit(segments, loops)
      return
    }
    const { where, from, length } = list
    if (length === 0) warnings.push(warning('empty-list', { path: pathText(segments) }))
    for (let index = only ?? 0; index < (only === undefined ? length : only + 1); index++) {
      scope.session.spendStep()
      const concrete = [
        ...segments.slice(0, where),
        { kind: 'index', index: from + index } as const,
        ...segments.slice(where + 1),
      ]
      goThrough(concrete, where + 1, undefined, visit, [...loops, { index, length }])
    }
  }

  function locate(place: Place, path: Path): { prefix: readonly Segment[]; written: readonly Segment[] } {
    if (path.root === '#') return { prefix: path.segments, written: path.segments }
    return { prefix: [...place.prefix, ...path.segments], written: [...place.written, ...path.segments] }
  }

  function describeField(place: Place, spec: PlainObject, only: number | undefined): void {
    if (spec.visible === 'never') return
    if (spec.value !== undefined) {
      const parameters = createParameters(scope, place, { value: spec.value }, [])
      const value = literalValue(parameters.constant('value'))
      if (!value) throw refused('value')
      const key = typeof spec.value === 'string' && spec.value.startsWith('$.') ? spec.value : undefined
      addField(place, spec, value, [], key, key)
      return
    }
    const path = typeof spec.path === 'string' ? parsePath(spec.path) : undefined
    if (!path) throw refused('path')
    if (path.root === '@' || path.root === '$') {
      const value = resolve(scope, place, path, [])
      const key = `${path.root}.${pathText(path.segments)}`
      if (!value) throw new NotDescribed('descriptor-refused', { reason: 'missing-value', path: key })
      addField(place, spec, value, [], key, key)
      return
    }
    const { prefix, written } = locate(place, path)
    const base = path.root === '#' ? 0 : place.prefix.length
    goThrough(prefix, base, only, (concrete, loops) => {
      const value = follow(scope.root, concrete)
      const text = pathText(concrete)
      if (!value) throw new NotDescribed('descriptor-refused', { reason: 'missing-value', path: text })
      addField(place, spec, value, loops, text, pathText(written))
    })
  }

  function addField(
    place: Place,
    spec: PlainObject,
    found: Value | SlicedBytes,
    loops: readonly Loop[],
    path: string | undefined,
    written: string | undefined,
  ): void {
    scope.session.spendField()
    const isKnown = isFormat(spec.format)
    const format = isFormat(spec.format) ? spec.format : 'raw'
    const value = found.kind === 'sliced' ? typeSlice(found, format) : found
    if (!isLeaf(value)) throw refused('no-single-value')
    const params = isPlainObject(spec.params) ? spec.params : undefined
    const parameters = createParameters(scope, place, params, loops)
    const label = typeof spec.label === 'string' ? spec.label : ''
    if (!isShown(spec.visible, value, label)) return
    const field =
      encrypted(spec, value) ?? (format === 'calldata' ? describeCall(value, parameters) : plain(value))

    function plain(leaf: Leaf): Partial<DescribedField> & Pick<DescribedField, 'value'> {
      const {
        text,
        warnings: own = [],
        ...more
      } = formatValue(format as Exclude<typeof format, 'calldata'>, leaf, parameters)
      return { value: text, ...more, warnings: own }
    }

    const separator = separatorOf(spec, loops.at(-1) ?? place.loops.at(-1))
    const described: DescribedField = {
      label: shortText(label, MAX_LABEL),
      format,
      type: value.type,
      raw: rawText(value),
      ...(path !== undefined && !path.startsWith('$') && { path }),
      ...(spec.visible === 'optional' && { isOptional: true }),
      ...(place.group && { group: place.group }),
      ...(separator !== undefined && { separator }),
      ...field,
      value:
        separator !== undefined && typeof field.value === 'string'
          ? `${separator} ${field.value}`
          : field.value,
      warnings: [
        ...(field.warnings ?? []),
        ...(isKnown
          ? []
          : [
              warning('unknown-format', {
                format: shortText(typeof spec.format === 'string' ? spec.format : '', MAX_LABEL),
              }),
            ]),
        ...(hasUnseen(label) ? [warning('hidden-characters')] : []),
      ],
    }
    fields.push(described)
    // A sentence may only name what is always displayed.
    const isAlways = spec.visible === undefined || spec.visible === null || spec.visible === 'always'
    if (isAlways && path !== undefined) remember(path, written ?? path, described)
  }

  function remember(path: string, written: string, field: DescribedField): void {
    for (const key of new Set([path, written, written.replace(/\.\[\]$/, '')])) {
      const all = rendered.get(key) ?? new Map<string, DescribedField>()
      all.set(path, field)
      rendered.set(key, all)
    }
  }

  function isShown(visible: Plain | undefined, value: Leaf, label: string): boolean {
    const ifNotIn = getProperty(visible, 'ifNotIn')
    if (Array.isArray(ifNotIn)) return !ifNotIn.some((literal: Plain) => matches(value, literal))
    const mustMatch = getProperty(visible, 'mustMatch')
    if (!Array.isArray(mustMatch)) return true
    if (!mustMatch.some((literal: Plain) => matches(value, literal)))
      throw new NotDescribed('must-match', { label: shortText(label, MAX_LABEL) })
    return false
  }

  function matches(value: Leaf, literal: Plain): boolean {
    const constant =
      typeof literal === 'string' && literal.startsWith('$.') ? lookUp(scope.descriptor, literal) : literal
    return matchesLiteral(value, constant)
  }

  /** A call within the request: described on its own, or else its bytes. */
  function describeCall(
    value: Leaf,
    parameters: Parameters,
  ): Partial<DescribedField> & Pick<DescribedField, 'value'> {
    if (value.kind !== 'bytes')
      return {
        value: formatRaw(value).text,
        warnings: [warning('wrong-type', { format: 'calldata', type: value.type })],
      }
    const to = readAddress(asValue(parameters.value('callee', 'calleePath')))
    const chainId = readChainId(parameters)
    if (!to || chainId === undefined)
      return {
        value: value.hex,
        warnings: [warning('unresolved-parameter', { parameter: to ? 'chainId' : 'callee' })],
      }
    const selector = parameters.has('selector', 'selectorPath')
      ? asValue(parameters.value('selector', 'selectorPath'))
      : undefined
    const first = selector?.kind === 'bytes' ? selector.hex.slice(2, 10) : ''
    const data = `0x${first}${value.hex.slice(2)}`
    const nested = scope.describeCall({
      chainId,
      to,
      data,
      value: parameters.has('amount', 'amountPath')
        ? readNumber(asValue(parameters.value('amount', 'amountPath')))
        : undefined,
      from: parameters.has('spender', 'spenderPath')
        ? readAddress(asValue(parameters.value('spender', 'spenderPath')))
        : undefined,
    })
    return {
      value: nested.isDescribed ? nested : data,
      raw: data,
      callee: { chainId, address: checksumAddress(to.slice(2)) },
      warnings: nested.isDescribed ? [] : nested.warnings,
    }
  }

  describeAll({ prefix: [], written: [], loops: [], depth: 0 }, list)
  return { fields, rendered, warnings }
}

/** Nobody here can decrypt: a text in place of the value, which stays within reach as `raw`. */
function encrypted(
  spec: PlainObject,
  value: Leaf,
): (Partial<DescribedField> & Pick<DescribedField, 'value'>) | undefined {
  const { encryption } = spec
  if (!isPlainObject(encryption)) return undefined
  const text = (name: string) => {
    const found = getProperty(encryption, name)
    return typeof found === 'string' ? shortText(found, MAX_LABEL) : ''
  }
  return {
    value: text('fallbackLabel') || `[Encrypted] ${rawText(value)}`,
    encryption: { scheme: text('scheme'), plaintextType: text('plaintextType') },
    warnings: [warning('encrypted')],
  }
}

function separatorOf({ separator }: PlainObject, loop: Loop | undefined): string | undefined {
  if (typeof separator !== 'string' || separator === '' || !loop) return undefined
  return shortText(separator.replaceAll('{index}', String(loop.index)), MAX_LABEL)
}

function dataPath(text: Plain): Path {
  const path = typeof text === 'string' ? parsePath(text) : undefined
  if (!path || path.root === '@' || path.root === '$') throw refused('group-path')
  return path
}

/** Definitions that refer to others, one after the other. */
const MAX_REFERENCES = 8

/** A field with the definition that it refers to; its own keys count before those of the definition. */
function withDefinition(scope: Scope, field: PlainObject): PlainObject {
  let merged = field
  for (let hops = 0; typeof merged.$ref === 'string'; hops++) {
    const definition = merged.$ref.startsWith('$.display.definitions.')
      ? lookUp(scope.descriptor, merged.$ref)
      : undefined
    if (!isPlainObject(definition) || hops === MAX_REFERENCES) throw refused('definition')
    const params = { ...objectOf(definition.params), ...objectOf(merged.params) }
    const { $ref: _, ...own } = merged
    merged = { ...definition, ...own, params }
  }
  return merged
}
const objectOf = (value: Plain | undefined) => (isPlainObject(value) ? value : {})
