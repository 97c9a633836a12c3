/** What a description leaves out: values of the request that no field of it displays as they are. */

import { isLeaf, rawText, type Value } from '../ethereum/calls/values.ts'
import type { DescribedField, Description } from './description.ts'
import { parsePath, type Segment } from './paths.ts'

/** A value that nobody displays, by where it stands in the request. */
export interface Unsaid {
  readonly path: string
  /** Its type in Solidity. */
  readonly type: string
  readonly text: string
}

/** The words of a format may be anything that the descriptor likes, whatever the value is. */
const free: ReadonlySet<string> = new Set(['enum', 'unit'])

/** All values that no field displays as they are. Those of calls within it are theirs. */
export function unsaidIn({ values, fields }: Pick<Description, 'values' | 'fields'>): readonly Unsaid[] {
  if (!values) return []
  const said = new Set(fields.flatMap((field) => placeOf(field, values)))
  const found: Unsaid[] = []
  const visit = (value: Value, path: string): void => {
    if (said.has(path) || (value.kind === 'bytes' && value.hex === '0x')) return
    if (isLeaf(value) || (isPlainList(value) && !value.items.some((_, at) => said.has(join(path, at)))))
      found.push({ path, type: value.type, text: rawText(value) })
    else
      for (const [at, item] of value.items.entries())
        visit(item, join(path, value.kind === 'struct' ? (value.names[at] ?? '') : at))
  }
  visit(values, '')
  return found
}

/** Whether no value of the request is displayed as it is, although it has some, or nothing at all is displayed. */
export function saysNothing(description: Pick<Description, 'values' | 'fields'>): boolean {
  const { values, fields } = description
  if (fields.length === 0) return true
  const isSaid = values && fields.some((field) => placeOf(field, values).length > 0)
  return !isSaid && unsaidIn(description).length > 0
}

const join = (path: string, next: string | number): string =>
  [path, typeof next === 'number' ? `[${next}]` : next].filter((part) => part !== '').join('.')

/** A list of figures is one value to a reader; each address of a list is one of its own. */
const isPlainList = (value: Value): boolean =>
  value.kind === 'list' &&
  value.items.length > 0 &&
  value.items.every((item) => isLeaf(item) && item.kind !== 'address')

/** The place of a field's value, with the index of each element; nothing for one whose words hide it. */
function placeOf({ path, format, encryption }: DescribedField, values: Value): readonly string[] {
  const parsed = path === undefined || free.has(format) || encryption ? undefined : parsePath(path)
  // What is around the request, such as its sender, is none of its values.
  const isOwn = parsed?.root === '' || parsed?.root === '#'
  const place = parsed && isOwn ? placed(parsed.segments, values) : undefined
  return place === undefined ? [] : [place]
}

/** A path whose indexes count from the start; `undefined` for a part of a value, which isn't all of it. */
function placed(segments: readonly Segment[], values: Value): string | undefined {
  let place = ''
  let now: Value | undefined = values
  for (const segment of segments) {
    if (segment.kind === 'slice' || !now) return undefined
    if (segment.kind === 'name') {
      const at: number = now.kind === 'struct' ? now.names.indexOf(segment.name) : -1
      now = now.kind === 'struct' ? now.items[at] : undefined
      place = join(place, segment.name)
    } else {
      if (now.kind !== 'list') return undefined
      const at: number = segment.index < 0 ? now.items.length + segment.index : segment.index
      now = now.items[at]
      place = join(place, at)
    }
  }
  return place
}
