/** Paths of descriptors: `#.params.path.[-1]`, `$.metadata.constants.x`, `@.to`, `data.[4:24]`. */

import { toBytes, type Value } from '../ethereum/calls/values.ts'
import { MAX_PATH, MAX_SEGMENTS } from './limits.ts'

export type Segment =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  /** Without a start or an end it reaches to that end; `[]` has neither. */
  | { readonly kind: 'slice'; readonly start: number | undefined; readonly end: number | undefined }
export interface Path {
  /** `''`: relative to the structure that is being described. */
  readonly root: '' | '#' | '$' | '@'
  readonly segments: readonly Segment[]
}

const INDEX = /^\[(-?\d{1,9})\]$/
const SLICE = /^\[(-?\d{1,9})?:(-?\d{1,9})?\]$/
const parsed = new Map<string, Path | undefined>()

/** Reads a path; `undefined` for what is none. */
export function parsePath(text: string): Path | undefined {
  if (parsed.has(text)) return parsed.get(text)
  // Paths of one descriptor come again and again; those of hostile ones must not fill the memory.
  if (parsed.size > 4_096) parsed.clear()
  const path = readPath(text)
  if (text.length <= MAX_PATH) parsed.set(text, path)
  return path
}

function readPath(text: string): Path | undefined {
  if (text.length > MAX_PATH) return undefined
  const root = text[0] === '#' || text[0] === '$' || text[0] === '@' ? text[0] : ''
  if (root && text.length > 1 && text[1] !== '.') return undefined
  const rest = root ? text.slice(2) : text
  if (rest === '') return { root, segments: [] }
  // `recipients[0]`, which the standard's examples have beside `recipients.[0]`, is the same.
  const parts = rest.replace(/([^.])\[/g, '$1.[').split('.')
  if (parts.length > MAX_SEGMENTS) return undefined
  const segments = parts.map(readSegment)
  return segments.every((segment) => segment !== undefined) ? { root, segments } : undefined
}

function readSegment(text: string): Segment | undefined {
  if (text === '[]') return { kind: 'slice', start: undefined, end: undefined }
  const [, index] = INDEX.exec(text) ?? []
  if (index !== undefined) return { kind: 'index', index: Number(index) }
  const slice = SLICE.exec(text)
  if (slice) {
    const [start, end] = [slice[1], slice[2]].map((each) => (each === undefined ? undefined : Number(each)))
    return { kind: 'slice', start, end }
  }
  return text === '' || text.includes('[') ? undefined : { kind: 'name', name: text }
}

export const pathText = (segments: readonly Segment[]): string =>
  segments
    .map((segment) => {
      if (segment.kind === 'name') return segment.name
      if (segment.kind === 'index') return `[${segment.index}]`
      const isAll = segment.start === undefined && segment.end === undefined
      return isAll ? '[]' : `[${segment.start ?? ''}:${segment.end ?? ''}]`
    })
    .join('.')

/** The bounds of a slice in something of this length. */
export function sliceBounds(
  { start, end }: { readonly start: number | undefined; readonly end: number | undefined },
  length: number,
): [number, number] {
  const at = (index: number) => Math.min(Math.max(index < 0 ? length + index : index, 0), length)
  const from = at(start ?? 0)
  return [from, Math.max(from, at(end ?? length))]
}

/** The bytes of a slice of a value, whose type its format says. */
export interface SlicedBytes {
  readonly kind: 'sliced'
  readonly hex: string
}

/**
 * Follows a path from a value. A slice of bytes has to be its last segment; a slice of a list is followed only as a whole list, as
 * its last segment. Whoever goes through the items gives an index for each.
 */
export function follow(
  value: Value | undefined,
  segments: readonly Segment[],
): Value | SlicedBytes | undefined {
  let now = value
  for (let at = 0; at < segments.length; at++) {
    const segment = segments[at] as Segment
    if (!now) return undefined
    if (segment.kind === 'name') {
      if (now.kind !== 'struct') return undefined
      const index = now.names.indexOf(segment.name)
      now = index < 0 ? undefined : now.items[index]
      continue
    }
    if (segment.kind === 'index') {
      if (now.kind === 'list') now = now.items.at(segment.index)
      else {
        // One byte of bytes.
        const sliced = sliceHex(now, segment.index, segment.index + 1 || undefined)
        return sliced && at === segments.length - 1 && sliced.hex.length === 4 ? sliced : undefined
      }
      continue
    }
    if (at < segments.length - 1) return undefined
    if (now.kind === 'list') {
      const [from, to] = sliceBounds(segment, now.items.length)
      return { ...now, items: now.items.slice(from, to) }
    }
    return sliceHex(now, segment.start, segment.end)
  }
  return now
}

function sliceHex(value: Value, start: number | undefined, end: number | undefined): SlicedBytes | undefined {
  const hex = toBytes(value)
  if (hex === undefined) return undefined
  const [from, to] = sliceBounds({ start, end }, (hex.length - 2) / 2)
  return { kind: 'sliced', hex: `0x${hex.slice(2 + 2 * from, 2 + 2 * to)}` }
}
