import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Translate } from '../../copy/copy.ts'
import { concernOf } from '../../lib/message-concern.ts'
import { readableText } from '../../lib/sign-in-text.ts'
import type { SignMessageProps } from './sign-message.tsx'

/** Bytes of a hash. */
const HASH_SIZE = 32

/**
 * The preview of a message: text that a host gives stays text, even if it looks like hex; or bytes.
 * @param origin the host page's
 */
export function previewMessage(
  t: Translate,
  message: string | Uint8Array,
  origin: string,
): Pick<SignMessageProps, 'message' | 'description' | 'concern'> {
  const bytes = typeof message === 'string' ? utf8ToBytes(message) : message
  const text = typeof message === 'string' ? message : readableText(message)
  // A text may look like hex, so the screen says which of the two it is.
  // 32 bytes are what programs take for a hash, even where they are valid text.
  const isHash = bytes.length === HASH_SIZE
  if (text === undefined || isHash)
    return { message: hexOf(bytes), description: t('sign.bytes'), concern: isHash ? 'hash' : 'data' }
  const concern = concernOf(text, origin)
  return { message: text, ...(concern && { concern }) }
}

export const hexOf = (bytes: Uint8Array): string => `0x${bytesToHex(bytes)}`
