import type { Plain } from '../../wire/frame/plain.ts'
import { type Bytes, utf8 } from '../bytes.ts'
import { readBytes } from './hex.ts'
import { invalid } from './invalid.ts'

/** The bytes that a message stands for: `0x` and hex digits mean those bytes, all else is text. */
export function messageBytes(message: Plain | undefined): Bytes {
  if (typeof message !== 'string') throw invalid('The message is not text')
  if (/^0x[0-9a-f]*$/i.test(message)) {
    // Wallets differ on half a byte: one pads in front, another behind. Nobody should sign what can be read twice.
    const bytes = readBytes(message)
    if (!bytes) throw invalid('The hex message has half a byte')
    return bytes
  }
  if (!isWellFormed(message)) throw invalid('The message is not well-formed text')
  return utf8(message)
}

/** A lone surrogate has no UTF-8: another text than the one shown would be signed. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)
