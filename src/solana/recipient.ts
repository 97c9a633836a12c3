/** The address of a Solana recipient as a user types or pastes it, and what is known of it. */

import { dropInvisible } from '../lib/typed-text.ts'
import { parseSolanaAddress } from './base58.ts'

export type SolanaRecipientProblem =
  | 'empty'
  | 'not-an-address'
  /** An address of Ethereum or Bitcoin. */
  | 'other-chain'
  /** The address of the system program, from which nothing comes back. */
  | 'zero-address'
  /** The mint of a token: what is sent to it is lost. */
  | 'token-contract'
export type SolanaRecipient =
  | {
      readonly kind: 'address'
      readonly address: string
      /** `own`: a wallet of the user's. `recent`: they have sent to it before. */
      readonly relation: 'own' | 'recent' | 'new'
      /** A known address that begins and ends alike, but is another one. */
      readonly looksLike?: string | undefined
    }
  | { readonly kind: 'invalid'; readonly problem: SolanaRecipientProblem }

export interface SolanaRecipientContext {
  readonly own?: readonly string[] | undefined
  readonly recent?: readonly string[] | undefined
  /** Mints of tokens, that of the token to be sent among them. */
  readonly tokens?: readonly string[] | undefined
}

const MOST_CHARACTERS = 255
const SYSTEM_PROGRAM = '11111111111111111111111111111111'
/** Characters at either end that people compare. */
const COMPARED = 4

export function parseSolanaRecipient(text: string, context: SolanaRecipientContext = {}): SolanaRecipient {
  const invalid = (problem: SolanaRecipientProblem): SolanaRecipient => ({ kind: 'invalid', problem })
  if (text.length > MOST_CHARACTERS) return invalid('not-an-address')
  const typed = dropInvisible(text).trim()
  if (typed === '') return invalid('empty')
  if (/^(0x[0-9a-f]{40}|bc1[0-9a-z]{20,70})$/i.test(typed)) return invalid('other-chain')
  const address = parseSolanaAddress(typed)
  if (address === undefined) return invalid('not-an-address')
  if (address === SYSTEM_PROGRAM) return invalid('zero-address')
  const { own = [], recent = [], tokens = [] } = context
  if (tokens.includes(address)) return invalid('token-contract')
  if (own.includes(address)) return { kind: 'address', address, relation: 'own' }
  if (recent.includes(address)) return { kind: 'address', address, relation: 'recent' }
  const looksLike = [...own, ...recent].find((each) => looksAlike(each, address))
  return { kind: 'address', address, relation: 'new', ...(looksLike && { looksLike }) }
}

/**
 * Whether two different addresses begin and end with the same characters: somebody may have made one to be taken for the other. The
 * case of letters is not compared, because users don't.
 */
export function looksAlike(one: string, other: string): boolean {
  const ends = (address: string) => (address.slice(0, COMPARED) + address.slice(-COMPARED)).toLowerCase()
  return one !== other && ends(one) === ends(other)
}
