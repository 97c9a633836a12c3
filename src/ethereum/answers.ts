/** Readers for the answers of nodes. Each returns a checked value, or throws a `NodeError` that names what was expected. */

import { INTERNAL_ERROR, NodeError } from '../lib/node-errors.ts'
import { parseEthereumAddress } from './address.ts'
import { isHexBytes } from './hex.ts'
import { parseQuantity } from './integer.ts'

type Hex = `0x${string}`

export const unusable = (what: string): NodeError =>
  new NodeError(INTERNAL_ERROR, `The node did not return ${what}`)

/** @param most the largest number that can be meant */
export const quantity =
  (what: string, most?: bigint) =>
  (answer: unknown): bigint => {
    const value = parseQuantity(answer)
    if (value === undefined || (most !== undefined && value > most)) throw unusable(what)
    return value
  }

/** The fields of an object, without what a prototype adds. */
export function readFields(answer: unknown, what: string): ReadonlyMap<string, unknown> {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) throw unusable(what)
  return new Map(Object.entries(answer))
}

export function readList(answer: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(answer)) throw unusable(what)
  return answer
}

/** Hex of whole bytes in lower case. @param size the exact number of bytes */
export const bytes =
  (what: string, size?: number) =>
  (answer: unknown): Hex => {
    if (!isHexBytes(answer) || (size !== undefined && answer.length !== 2 + size * 2)) throw unusable(what)
    return answer.toLowerCase() as Hex
  }

export const address =
  (what: string) =>
  (answer: unknown): Hex => {
    const read = parseEthereumAddress(typeof answer === 'string' ? answer.toLowerCase() : undefined)
    if (!read) throw unusable(what)
    return read as Hex
  }
