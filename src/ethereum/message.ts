import { utf8ToBytes } from '@noble/hashes/utils.js'
import { InvalidRequest } from '../lib/invalid-request.ts'
import { isWellFormed, parseHexBytes } from './hex.ts'

/**
 * The bytes of a message for `personal_sign` or `eth_sign`: `0x` with hex digits means those bytes, all
 * other text means itself. Throws {@link InvalidRequest}.
 */
export function parseMessage(message: unknown): Uint8Array<ArrayBuffer> {
  if (typeof message !== 'string') throw new InvalidRequest('The message is not text')
  if (/^0x[0-9a-f]*$/i.test(message)) {
    // Some wallets complete half a byte at its front, others at its end: nobody should sign what can be read in two ways.
    const bytes = parseHexBytes(message)
    if (!bytes) throw new InvalidRequest('A hex message must be 0x followed by whole bytes')
    return bytes
  }
  if (!isWellFormed(message)) throw new InvalidRequest('The message is not well-formed text')
  return utf8ToBytes(message) as Uint8Array<ArrayBuffer>
}
