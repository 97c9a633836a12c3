/** Messages of smart accounts, which put another message into typed data of their own. */

import { hexToBytes } from '@noble/hashes/utils.js'
import { readableText } from '../lib/sign-in-text.ts'
import type { TypedData } from './typed-data.ts'

/** The content of a wrapper: a text, or bytes that nobody can read, such as a hash. */
export type WrappedMessage = { readonly text: string } | 'unreadable'

/** How `personal_sign` begins what it hashes; the length of the message follows. */
const PREFIX = '\x19Ethereum Signed Message:\n'

/**
 * What typed data holds that is one field of bytes, such as `SafeMessage`, `Kernel`, `LightAccountMessage`,
 * `CoinbaseSmartWalletMessage` or `PersonalSign` of ERC-7739: a smart account takes the signature for that of the message within.
 * `undefined` for typed data that shows what it says by itself.
 */
export function wrappedMessage({ fields }: TypedData): WrappedMessage | undefined {
  const [field, ...more] = fields
  if (!field || more.length > 0 || typeof field.value !== 'string' || !/^bytes\d*$/.test(field.type))
    return undefined
  const text = field.type === 'bytes' ? textOf(hexToBytes(field.value.slice(2))) : undefined
  return text === undefined ? 'unreadable' : { text }
}

function textOf(bytes: Uint8Array): string | undefined {
  const whole = new TextDecoder().decode(bytes)
  if (!whole.startsWith(PREFIX)) return bytes.length > 0 ? readableText(bytes) : undefined
  // The digits of the length may run into digits of the message, so the length has to fit.
  for (let digits = 1; digits <= 7; digits++) {
    const message = bytes.subarray(PREFIX.length + digits)
    if (whole.slice(PREFIX.length, PREFIX.length + digits) === String(message.length))
      return readableText(message)
  }
  return undefined
}
