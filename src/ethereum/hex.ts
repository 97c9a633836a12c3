import { hexToBytes } from '@noble/hashes/utils.js'

const HEX_BYTES = /^0x[0-9a-fA-F]*$/

/** Whether a value is hex of whole bytes, with `0x`. */
export const isHexBytes = (value: unknown): value is `0x${string}` =>
  typeof value === 'string' && value.length % 2 === 0 && HEX_BYTES.test(value)

/** Reads hex of whole bytes, with `0x`; `undefined` for anything else. */
export const parseHexBytes = (value: unknown): Uint8Array<ArrayBuffer> | undefined =>
  isHexBytes(value) ? (hexToBytes(value.slice(2)) as Uint8Array<ArrayBuffer>) : undefined

/** Whether text has a form in UTF-8. With a lone surrogate, other bytes would be signed than the text that is shown. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)
