/** The recipient that a user types or pastes, as every chain reads it. */

/** Reasons why a text is no recipient. Not every chain has each of them. */
export type RecipientError =
  | 'empty'
  | 'not-an-address'
  | 'wrong-length'
  /** A typing error, or an address that somebody has changed. */
  | 'wrong-checksum'
  /** An address of another kind of chain. */
  | 'other-chain'
  /** A name, where the app has turned names off. */
  | 'names-off'
  /** The zero address or the system program, from which nothing comes back. */
  | 'zero-address'
  /** The contract or mint of a token: what is sent to it is lost. */
  | 'token-contract'
export type Recipient =
  | {
      readonly kind: 'address'
      /** As its chain writes it, on Ethereum with its checksum. */
      readonly address: string
      /** `own`: a wallet of the user's. `recent`: they have sent to it before. */
      readonly relation: 'own' | 'recent' | 'new'
      /** A known address that begins and ends alike, but is another one. */
      readonly looksLike?: string | undefined
    }
  /** The chain's name service knows its address. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'invalid'; readonly problem: RecipientError }

/** Addresses that are known, as their chain writes them. */
export interface RecipientContext {
  readonly own?: readonly string[]
  readonly recent?: readonly string[]
  /** Contracts and mints of tokens, that of the token to be sent among them. */
  readonly tokens?: readonly string[]
}

/** Characters at either end that people compare. */
const COMPARED = 4

/**
 * Assesses a valid address by those that are known.
 * @param looksAlike see {@link haveSameEnds}
 */
export function assessRecipient(
  address: string,
  { own = [], recent = [], tokens = [] }: RecipientContext,
  looksAlike: (one: string, other: string) => boolean,
): Recipient {
  if (tokens.includes(address)) return { kind: 'invalid', problem: 'token-contract' }
  if (own.includes(address)) return { kind: 'address', address, relation: 'own' }
  if (recent.includes(address)) return { kind: 'address', address, relation: 'recent' }
  const looksLike = [...own, ...recent].find((each) => looksAlike(each, address))
  return { kind: 'address', address, relation: 'new', ...(looksLike && { looksLike }) }
}

/**
 * Whether two addresses begin and end with the same characters: somebody may have made one to be taken for the other. The case of
 * letters is not compared, because users don't.
 */
export function haveSameEnds(one: string, other: string): boolean {
  const ends = (address: string) => (address.slice(0, COMPARED) + address.slice(-COMPARED)).toLowerCase()
  return ends(one) === ends(other)
}
