import { InvalidRequest } from '../../../chains/invalid-request.ts'

/** How the texts of ERC-4361 and of its like for Solana begin. */
const OPENING =
  /^(?:[a-z][a-z\d+.-]*:\/\/)?(\S+) wants you to sign in with your (?:Ethereum|Solana) account:/i

/**
 * Throws an {@link InvalidRequest} for a text that logs somebody in elsewhere: whoever signs it here has lost their
 * account there (ERC-4361, security T15).
 */
export function mustBeForPage(text: string | undefined, origin: string): void {
  const domain = text && OPENING.exec(text)?.[1]
  if (domain && domain.toLowerCase() !== new URL(origin).host)
    throw new InvalidRequest('The message is to sign in at another site than this page')
}

/** Bytes as text, where they are text that a person can read; line ends and tabs are, other controls are not. */
export function readableText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return /[^\P{Cc}\n\r\t]/u.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
