import { bytesToHex } from '@noble/hashes/utils.js'
import type { Translate } from '../../copy/copy.ts'
import { readableText } from '../../lib/sign-in-text.ts'
import type { SignMessageProps } from './sign-message.tsx'

/** What a person reads of a message: text that a host gives stays text, even if it looks like hex; or bytes. */
export function shownMessage(
  t: Translate,
  message: string | Uint8Array,
): Pick<SignMessageProps, 'message' | 'description'> {
  if (typeof message === 'string') return { message }
  const text = readableText(message)
  // A text may look like hex, so the screen says which of the two it is.
  return text === undefined ? { message: hexOf(message), description: t('sign.bytes') } : { message: text }
}

export const hexOf = (bytes: Uint8Array): string => `0x${bytesToHex(bytes)}`
