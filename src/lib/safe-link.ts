/** An address that may become a link: http or https only, because other schemes run code or open anything. */
export function safeLink(text: string | undefined | null): string | undefined {
  if (!text) return undefined
  try {
    const url = new URL(text)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined
  } catch {
    return undefined
  }
}
