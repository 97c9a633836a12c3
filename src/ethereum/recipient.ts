/** The address of a recipient as a user types or pastes it, and what is known of it. */

import {
  assessRecipient,
  haveSameEnds,
  type Recipient,
  type RecipientContext,
  type RecipientError,
} from '../lib/recipient.ts'
import { dropInvisible, trimCopied } from '../lib/typed-text.ts'
import { checksumAddress, parseEthereumAddress } from './address.ts'

export interface EthereumRecipientContext extends RecipientContext {
  /** Whether names are resolved. Off unless the app asks for it. */
  readonly allowsNames?: boolean | undefined
}

const MOST_CHARACTERS = 255
const ZERO = `0x${'0'.repeat(40)}`

export function parseRecipient(text: string, context: EthereumRecipientContext = {}): Recipient {
  const invalid = (problem: RecipientError): Recipient => ({ kind: 'invalid', problem })
  if (text.length > MOST_CHARACTERS * 2) return invalid('not-an-address')
  // A joiner makes another name, whose owner is somebody else: only ENS may leave characters of a name out.
  const name = trimCopied(text)
  if (isName(name)) return context.allowsNames ? { kind: 'name', name } : invalid('names-off')
  const typed = dropInvisible(text).trim()
  if (typed === '') return invalid('empty')
  if (/^0x/i.test(typed)) {
    const digits = typed.slice(2)
    if (!/^[0-9a-f]*$/i.test(digits)) return invalid('not-an-address')
    if (digits.length !== 40) return invalid('wrong-length')
    const address = parseEthereumAddress(`0x${digits}`)
    return address ? assess(address, context) : invalid('wrong-checksum')
  }
  if (/^([1-9A-HJ-NP-Za-km-z]{32,44}|bc1[0-9a-z]{20,70})$/.test(typed)) return invalid('other-chain')
  return invalid('not-an-address')
}

/** Assesses an address that is valid, such as one that a name stands for. */
export function assess(address: string, { own = [], recent = [], tokens = [] }: RecipientContext): Recipient {
  if (address === ZERO) return { kind: 'invalid', problem: 'zero-address' }
  const known = {
    own: own.map(withChecksum),
    recent: recent.map(withChecksum),
    tokens: tokens.map(withChecksum),
  }
  return assessRecipient(address, known, looksAlike)
}

/** Whether two different addresses begin and end with the same digits. */
export const looksAlike = (one: string, other: string): boolean =>
  one.toLowerCase() !== other.toLowerCase() && haveSameEnds(one.slice(2), other.slice(2))

const withChecksum = (address: string) => checksumAddress(address.slice(2))

/** Labels with a dot between them; ENS itself decides which characters it allows. */
const isName = (text: string) =>
  text.length <= MOST_CHARACTERS && /^[^\s./:@?#\\]+(\.[^\s./:@?#\\]+)+$/u.test(text)
