import { isSignIn, linesOf } from './sign-in-text.ts'

/**
 * Why a readable text may be more than plain text. `key`: protocols make keys from its signature. `grant`: it lets somebody act for the
 * user. `site`: it speaks of another site. `data`: it is meant for programs, or is no text at all. `hash`: it stands for what nobody
 * can read, such as an order or a transaction of an account.
 */
export type MessageConcern = 'key' | 'grant' | 'site' | 'data' | 'hash'

/** Protocols that make a key from a signature of a fixed text say so, or tell users to sign it nowhere else. */
const KEYS = [
  /\b(keys?|seeds?|mnemonic|secrets?|derive[sd]?|deriving|derivation|encrypt\w*|decrypt\w*|unlock\w*)\b/,
  /\b(only|never|not|don['’]t) sign\b|\btrusted\b|\byou['’ha]*ve initiated\b/,
  /\b(stark\w*|zk\w*|l2|layer ?2|rollup|trading)\b/,
  /^(access|open|enable|activate|recover|restore) .{0,60}\b(account|wallet|vault)\b/,
]
const GRANTS = /urn:recap:|\b(authori[sz]\w*|delegat\w*|allowance|permit2?|operator|on my behalf)\b/
/** A word of a digest's length, or what programs write for programs, wherever it stands. */
const DATA = /^\S{40,}$|(?:^|\s)[^\s/]{43,}(?:\s|$)|[0-9a-f]{64}|[[{]\s*["[{].*[\]}]/s
/** A host with or without its scheme. */
const SITE = /\bhttps?:\/\/([^\s/?#"'<>()]+)|(?<![\w@.])((?:[a-z\d-]+\.)+[a-z]{2,})(?![\w.]*\w)/g
/** A word of several scripts looks like another word. */
const MIXED =
  /\p{Script=Latin}[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}][\p{L}\p{M}]*\p{Script=Latin}/u

/** Why a text is not plainly harmless, if it isn't. Sign-ins have been checked by `assertSignInMatchesOrigin` before. */
export function concernOf(text: string, origin: string): MessageConcern | undefined {
  const plain = linesOf(text).join(' ').trim().toLowerCase()
  // A sign-in has a fresh nonce, so no key can be made from its signature, and it lists resources of other sites.
  if (isSignIn(text)) return plain.includes('urn:recap:') ? 'grant' : undefined
  if (KEYS.some((pattern) => pattern.test(plain))) return 'key'
  if (GRANTS.test(plain)) return 'grant'
  if (DATA.test(plain) || MIXED.test(plain)) return 'data'
  const { host } = new URL(origin)
  return [...plain.matchAll(SITE)].some(([, named, bare]) => (named ?? bare) !== host) ? 'site' : undefined
}
