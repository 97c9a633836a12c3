import { InvalidRequest } from './invalid-request.ts'

/**
 * The words by which a text logs in (ERC-4361 and its Solana counterpart), wherever they stand: some servers trim a text, or look for
 * its lines, before they read it.
 */
const SIGN_IN = /wants you to sign in/i
/** Everything that some reader of a text takes for the end of a line. */
const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/
/** Characters that nobody sees: format characters, fillers, variation selectors, and the blank of Braille. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}|\p{Cf}|\u2800/gu
/** An address as RFC 3986 writes it: two programs could read any other text as two addresses. */
const URI = /^https?:\/\/[\w.~:/?#[\]!$&'()*+,;=%-]+$/i

/**
 * Throws an {@link InvalidRequest} for a text that logs in at another site: signing it here would give
 * somebody the person's account there (ERC-4361).
 */
export function assertSignInMatchesOrigin(text: string | undefined, origin: string): void {
  if (text === undefined) return
  const lines = linesOf(text)
  // The words may also be spread over lines.
  const parts = lines.join(' ').split(SIGN_IN)
  if (parts.length < 2) return
  const uris = lines.flatMap((line) => /(?:^|\s)uri ?: ?(.*)$/i.exec(line)?.[1] ?? [])
  const isOwn =
    parts.slice(0, -1).every((before) => isOwnDomain(lastWord(before), origin)) &&
    uris.every((uri) => isOwnUri(uri, origin))
  if (!isOwn) throw new InvalidRequest('The message signs in to another site')
}

/** Whether a text logs somebody in by the words of ERC-4361 or its Solana counterpart. */
export const isSignIn = (text: string): boolean => SIGN_IN.test(linesOf(text).join(' '))

/** The lines of a text as a reader sees them: without what can't be seen, and with one blank for several. */
export const linesOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .split(LINE_END)
    .map((line) => line.replace(/\s+/gu, ' ').trim())

const lastWord = (text: string) => text.trimEnd().slice(text.trimEnd().lastIndexOf(' ') + 1)

/** `domain` is the authority of ERC-4361, perhaps with its scheme. */
function isOwnDomain(domain: string, origin: string): boolean {
  const page = new URL(origin)
  const [, scheme, authority = ''] = /^(?:([a-z][a-z\d+.-]*):\/\/)?(.*)$/i.exec(domain) ?? []
  if (scheme !== undefined && `${scheme.toLowerCase()}:` !== page.protocol) return false
  return authority.toLowerCase() === page.host
}

function isOwnUri(uri: string, origin: string): boolean {
  if (!URI.test(uri) || !URL.canParse(uri)) return false
  return new URL(uri).origin === origin
}

/**
 * Bytes as text, if they are text that a person can read; line ends and tabs are allowed, other controls are
 * not.
 */
export function readableText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return /[^\P{Cc}\n\r\t]/u.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:\\d\\d)'
/** The statement, where there is one, in a line of its own; some programs write one empty line less where there is none. */
const STATEMENT = '(?:[\\x20-\\x7e]+\\n\\n|\\n)?'
/** The fields that both standards leave out where they have no value. */
const LAST_FIELDS =
  `(?:\\nExpiration Time: ${TIME})?(?:\\nNot Before: ${TIME})?(?:\\nRequest ID: [\\x21-\\x7e]*)?` +
  '(?:\\nResources:(?:\\n- [\\x21-\\x7e]+)*)?'
/** The whole grammar of ERC-4361. */
const WHOLE_ETHEREUM = new RegExp(
  `^(?<domain>\\S+) wants you to sign in with your Ethereum account:\\n(?<account>0x[\\da-fA-F]{40})\\n\\n${STATEMENT}` +
    `URI: (?<uri>\\S+)\\nVersion: 1\\nChain ID: \\d+\\nNonce: [\\da-zA-Z]{8,}\\nIssued At: ${TIME}${LAST_FIELDS}$`,
)
/**
 * That of its Solana counterpart, which requires a domain and an address alone. A text without a nonce is none here: whoever has it
 * signed once could log in with it for good.
 */
const WHOLE_SOLANA = new RegExp(
  `^(?<domain>\\S+) wants you to sign in with your Solana account:\\n(?<account>[1-9A-HJ-NP-Za-km-z]{32,44})\\n\\n${STATEMENT}` +
    '(?:URI: (?<uri>\\S+)\\n)?(?:Version: 1\\n)?(?:Chain ID: [\\w:-]+\\n)?Nonce: [\\da-zA-Z]{8,}' +
    `(?:\\nIssued At: ${TIME})?${LAST_FIELDS}$`,
)

/**
 * Whether a text logs in the account that signs it at the page's own origin, is well-formed to its last line, and is nothing else. Only such
 * a text is harmless.
 */
export function isOwnSignIn(text: string, { origin, address }: { origin: string; address: string }): boolean {
  const ethereum = WHOLE_ETHEREUM.exec(text)
  const { domain, account, uri } = (ethereum ?? WHOLE_SOLANA.exec(text))?.groups ?? {}
  if (domain === undefined || account === undefined || !isOwnDomain(domain, origin)) return false
  // Base58 is case-sensitive; of an Ethereum address the case is only a checksum.
  const isSigner = ethereum ? account.toLowerCase() === address.toLowerCase() : account === address
  return isSigner && (uri === undefined || isOwnUri(uri, origin)) && !/urn:recap:/i.test(text)
}
