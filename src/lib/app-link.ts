import { safeLink } from './safe-link.ts'

/** Schemes that a browser runs, reads or shows itself, and those that hand over to any app. */
const refused =
  /^(javascript|vbscript|data|blob|file|filesystem|about|view-source|intent|android-app|chrome[\w-]*|https?|wss?|ftp|mailto|tel|sms)$/

/**
 * An address that opens an app: https, an app's own scheme (`metamask://…`), or a WalletConnect address. The
 * registry says which schemes a wallet may have; this refuses what no app has.
 */
export function appLink(text: string | undefined): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a browser drops them, and reads another scheme then
  if (!text || /[\u0000-\u0020\u007f]/.test(text)) return undefined
  if (/^wc:[\da-f-]+@\d+\?/i.test(text)) return text
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase()
  if (scheme === 'https') return safeLink(text)
  return scheme && !refused.test(scheme) ? text : undefined
}
