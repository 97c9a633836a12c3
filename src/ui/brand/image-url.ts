import { safeLink } from '../../lib/safe-link.ts'

/** An address for an `<img>`: http(s), relative to the page, or an image in a data URL; nothing else. */
export function imageUrl(text: string | undefined): string | undefined {
  if (!text) return undefined
  if (/^data:image\/(png|jpeg|webp|gif|avif|svg\+xml)[;,]/i.test(text)) return text
  return URL.canParse(text, document.baseURI) ? safeLink(new URL(text, document.baseURI).href) : undefined
}
