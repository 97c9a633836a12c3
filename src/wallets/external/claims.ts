import { embeddedClientType } from '../../protocol/user.ts'
import { walletsLimits } from '../limits.ts'

/**
 * Reads what a wallet says. It may lie, throw from a getter, or send a megabyte where a word was expected.
 */

/**
 * A field of an object that a wallet gave: its own or its class's, never one of `Object.prototype`, which the
 * page may have polluted. `undefined` if reading it throws.
 */
export function fieldOf(value: unknown, name: string): unknown {
  try {
    let at = value
    for (let depth = 0; isObject(at) && depth < walletsLimits.walletObjectDepth; depth++) {
      const above: unknown = Object.getPrototypeOf(at)
      if (above === null && at !== value) return undefined
      if (Object.hasOwn(at, name)) return Reflect.get(value as object, name)
      at = above
    }
  } catch {
    // an object that throws when it is read has no fields
  }
  return undefined
}

export const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

/** `instanceof` for what may be a proxy that throws. */
export function isA<T>(value: unknown, type: abstract new (...input: never[]) => T): value is T {
  try {
    return value instanceof type
  } catch {
    return false
  }
}

/** The elements of a list, if it is one, and at most `most` of them. */
export function listOf(value: unknown, most: number): readonly unknown[] | undefined {
  try {
    return Array.isArray(value) ? Array.prototype.slice.call(value, 0, most) : undefined
  } catch {
    return undefined
  }
}

/**
 * What is invisible or moves the text around it: controls, formats, separators, private use, lone surrogates.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{DI}\u2800]/gu
/** Marks piled on a letter until they cover the lines around it. */
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu

/** Text as one visible line of at most `length` characters; empty if there is none. */
export function lineOf(value: unknown, length: number): string {
  if (typeof value !== 'string') return ''
  const line = value
    .slice(0, length * 8)
    .replace(/\s+/g, ' ')
    .replace(UNSEEN, '')
    .replace(/ +/g, ' ')
    .replace(PILED_MARKS, '$1')
    .trim()
  return [...line].slice(0, length).join('').trim()
}

/**
 * Names that no wallet may take as its client type: the embedded wallet's, and those that every object has.
 */
const reserved = new Set([embeddedClientType, '__proto__', 'constructor', 'prototype'])

/** The client type of an announced wallet is its name in lower case, with `_` for spaces. */
export function clientTypeOf(name: string): string {
  const type = name.toLowerCase().replace(/\s+/g, '_')
  return type === '' || reserved.has(type) ? 'unknown' : type
}

/** An announced icon, if it is an image that an `<img>` can draw without a request. */
export function iconOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > walletsLimits.walletIconSize) return undefined
  const url = value.trim()
  return /^data:image\/(svg\+xml|png|webp|gif|jpeg|avif)[;,]/i.test(url) ? url : undefined
}
