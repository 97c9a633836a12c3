import { InvalidRequest } from './invalid-request.ts'

/** How the texts of ERC-4361 and of its Solana counterpart begin. */
const OPENING =
  /^(?:[a-z][a-z\d+.-]*:\/\/)?(\S+) wants you to sign in with your (?:Ethereum|Solana) account:/i

/**
 * Throws an {@link InvalidRequest} for a text that logs in at another site: signing it here would give
 * somebody the person's account there (ERC-4361).
 */
export function mustBeForPage(text: string | undefined, origin: string): void {
  const domain = text && OPENING.exec(text)?.[1]
  if (domain && domain.toLowerCase() !== new URL(origin).host)
    throw new InvalidRequest('The message signs in to another site')
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
