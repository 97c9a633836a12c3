/** The parts of ERC-7730 that a case of a fixture uses, so that a table can say of each how many pass. */
import type { Description } from '../../src/clear-signing/index.ts'
import { parseSignature } from '../../src/ethereum/calls/signature.ts'
import type { CheckoutDescriptor } from './checkout.ts'

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** In the order of the table. */
export const partNames = [
  'request: call',
  'request: typed data (EIP-712)',
  'format: raw',
  'format: amount',
  'format: tokenAmount',
  'format: nftName',
  'format: date',
  'format: duration',
  'format: unit',
  'format: enum',
  'format: chainId',
  'format: addressName',
  'format: tokenTicker',
  'format: calldata',
  'format: interoperableAddressName',
  'path: #. of the data',
  'path: @. of the request',
  'path: $. of the descriptor',
  'path: list',
  'path: negative index',
  'path: slice',
  'visible: never',
  'visible: optional',
  'visible: ifNotIn',
  'visible: mustMatch',
  'group',
  'group: bundled',
  'group: separator',
  'intent of several parts',
  'interpolatedIntent',
  'nested call',
  'definitions ($ref)',
  'includes',
  'map',
  'encryption',
  'proxy',
  'factory',
  'no descriptor',
] as const
export type Part = (typeof partNames)[number]

/**
 * @param description what came of the case
 * @param descriptor the one that it was described with
 * @param primaryType of typed data; `undefined` for a call
 */
export function readParts(
  description: Description,
  descriptor: CheckoutDescriptor | undefined,
  primaryType: string | undefined,
): ReadonlySet<Part> {
  const parts = new Set<Part>([primaryType === undefined ? 'request: call' : 'request: typed data (EIP-712)'])
  if (!descriptor || !description.isDescribed) return parts.add('no descriptor')
  const { display, context, includes } = descriptor.descriptor as Json
  if (descriptor.includes || includes !== undefined) parts.add('includes')
  if (description.descriptor?.throughProxy) parts.add('proxy')
  if (JSON.stringify(context ?? {}).includes('"factory"')) parts.add('factory')
  const { formats, definitions } = isObject(display) ? display : {}
  for (const [key, format] of Object.entries(isObject(formats) ? formats : {})) {
    const isUsed =
      primaryType === undefined
        ? parseSignature(key)?.selector === description.selector
        : key.startsWith(`${primaryType}(`)
    if (isUsed && isObject(format)) addFormat(parts, format, isObject(definitions) ? definitions : {})
  }
  if (description.fields.some(({ value }) => typeof value !== 'string')) parts.add('nested call')
  return parts
}

function addFormat(parts: Set<Part>, format: Json, definitions: Json): void {
  if (isObject(format.intent)) parts.add('intent of several parts')
  if (typeof format.interpolatedIntent === 'string') parts.add('interpolatedIntent')
  for (const field of listOf(format.fields)) addField(parts, field, definitions)
}

function addField(parts: Set<Part>, field: Json, definitions: Json): void {
  const name = typeof field.$ref === 'string' ? field.$ref.replace('$.display.definitions.', '') : undefined
  const definition = name === undefined ? undefined : definitions[name]
  if (isObject(definition)) {
    parts.add('definitions ($ref)')
    addField(parts, definition, {})
  }
  if (Array.isArray(field.fields)) {
    parts.add('group')
    for (const inner of listOf(field.fields)) addField(parts, inner, definitions)
  }
  if (field.iteration === 'bundled') parts.add('group: bundled')
  if (field.separator !== undefined) parts.add('group: separator')
  const named = partNames.find((part) => part === `format: ${field.format}`)
  if (named) parts.add(named)
  if (field.visible === 'never') parts.add('visible: never')
  if (field.visible === 'optional') parts.add('visible: optional')
  if (isObject(field.visible)) {
    if ('ifNotIn' in field.visible) parts.add('visible: ifNotIn')
    if ('mustMatch' in field.visible) parts.add('visible: mustMatch')
  }
  const text = JSON.stringify({ ...field, fields: undefined })
  if (text.includes('"map"')) parts.add('map')
  if (field.encryption !== undefined || text.includes('"encryption"')) parts.add('encryption')
  addPath(parts, field.path)
  const { params } = field
  if (isObject(params))
    for (const [key, value] of Object.entries(params)) if (/path$/i.test(key)) addPath(parts, value)
}

function addPath(parts: Set<Part>, path: unknown): void {
  if (typeof path !== 'string') return
  parts.add(
    path.startsWith('@.')
      ? 'path: @. of the request'
      : path.startsWith('$.')
        ? 'path: $. of the descriptor'
        : 'path: #. of the data',
  )
  if (path.includes('[]')) parts.add('path: list')
  if (/\[-\d+\]/.test(path)) parts.add('path: negative index')
  if (/\[-?\d*:-?\d*\]/.test(path)) parts.add('path: slice')
}

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** A line for each part: how many of the cases that use it pass. */
export function tableOfParts(
  outcomes: readonly { readonly passes: boolean; readonly parts: ReadonlySet<Part> }[],
): string[] {
  return partNames.map((part) => {
    const using = outcomes.filter(({ parts }) => parts.has(part))
    const passed = using.filter(({ passes }) => passes).length
    const figures = using.length === 0 ? 'no case' : `${passed} of ${using.length}`
    return `  ${part.padEnd(34)}${figures.padStart(12)}`
  })
}
