/** The address of a Solana recipient as a user types or pastes it, and what is known of it. */

import {
  assessRecipient,
  haveSameEnds,
  type Recipient,
  type RecipientContext,
  type RecipientError,
} from '../lib/recipient.ts'
import { dropInvisible } from '../lib/typed-text.ts'
import { parseSolanaAddress } from './base58.ts'

const MOST_CHARACTERS = 255
const SYSTEM_PROGRAM = '11111111111111111111111111111111'

export function parseSolanaRecipient(text: string, context: RecipientContext = {}): Recipient {
  const invalid = (problem: RecipientError): Recipient => ({ kind: 'invalid', problem })
  if (text.length > MOST_CHARACTERS) return invalid('not-an-address')
  const typed = dropInvisible(text).trim()
  if (typed === '') return invalid('empty')
  if (/^(0x[0-9a-f]{40}|bc1[0-9a-z]{20,70})$/i.test(typed)) return invalid('other-chain')
  const address = parseSolanaAddress(typed)
  if (address === undefined) return invalid('not-an-address')
  if (address === SYSTEM_PROGRAM) return invalid('zero-address')
  return assessRecipient(address, context, looksAlike)
}

/** Whether two different addresses begin and end with the same characters. */
export const looksAlike = (one: string, other: string): boolean => one !== other && haveSameEnds(one, other)
