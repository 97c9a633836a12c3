/** The address of a recipient as a user types or pastes it, and what is known of it. */

import { dropInvisible } from '../lib/typed-text.ts'
import { checksumAddress, parseEthereumAddress } from './address.ts'

export type RecipientProblem =
  | 'empty'
  | 'not-an-address'
  | 'wrong-length'
  /** A typing error, or an address that somebody has changed. */
  | 'wrong-checksum'
  /** An address of Solana or Bitcoin. */
  | 'other-chain'
  /** A name, where the app has turned names off. */
  | 'names-off'
  /** The zero address, from which nothing comes back. */
  | 'zero-address'
  /** The contract of a token: what is sent to it is lost. */
  | 'token-contract'
export type Recipient =
  | {
      readonly kind: 'address'
      /** With its checksum. */
      readonly address: string
      /** `own`: a wallet of the user's. `recent`: they have sent to it before. */
      readonly relation: 'own' | 'recent' | 'new'
      /** A known address that begins and ends alike, but is another one. */
      readonly looksLike?: string | undefined
    }
  /** `resolveName` asks for its address. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'invalid'; readonly problem: RecipientProblem }

export interface RecipientContext {
  readonly own?: readonly string[] | undefined
  readonly recent?: readonly string[] | undefined
  /** Contracts of tokens, that of the token to be sent among them. */
  readonly tokens?: readonly string[] | undefined
  /** Whether names are resolved. Off unless the app asks for it. */
  readonly allowsNames?: boolean | undefined
}

const MOST_CHARACTERS = 255
const ZERO = `0x${'0'.repeat(40)}`
/** Digits at either end that people compare. */
const COMPARED = 4

export function parseRecipient(text: string, context: RecipientContext = {}): Recipient {
  const invalid = (problem: RecipientProblem): Recipient => ({ kind: 'invalid', problem })
  if (text.length > MOST_CHARACTERS * 2) return invalid('not-an-address')
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
  if (!isName(typed)) return invalid('not-an-address')
  return context.allowsNames ? { kind: 'name', name: typed } : invalid('names-off')
}

/** An address that is valid, such as one that a name stands for. */
export function assess(address: string, { own = [], recent = [], tokens = [] }: RecipientContext): Recipient {
  if (address === ZERO) return { kind: 'invalid', problem: 'zero-address' }
  const known = [...own, ...recent].map(withChecksum)
  if (tokens.map(withChecksum).includes(address)) return { kind: 'invalid', problem: 'token-contract' }
  if (known.includes(address)) {
    const relation = own.map(withChecksum).includes(address) ? 'own' : 'recent'
    return { kind: 'address', address, relation }
  }
  const looksLike = known.find((each) => looksAlike(each, address))
  return { kind: 'address', address, relation: 'new', ...(looksLike && { looksLike }) }
}

/** Whether two different addresses begin and end with the same digits: somebody may have made one to be taken for the other. */
export function looksAlike(one: string, other: string): boolean {
  const ends = (address: string) => {
    const digits = address.slice(2).toLowerCase()
    return digits.slice(0, COMPARED) + digits.slice(-COMPARED)
  }
  return one.toLowerCase() !== other.toLowerCase() && ends(one) === ends(other)
}

const withChecksum = (address: string) => checksumAddress(address.slice(2))

/** Labels with a dot between them; ENS itself decides which characters it allows. */
const isName = (text: string) =>
  text.length <= MOST_CHARACTERS && /^[^\s./:@?#\\]+(\.[^\s./:@?#\\]+)+$/u.test(text)
