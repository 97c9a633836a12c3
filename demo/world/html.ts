/** Pages of stand-ins: their texts, and the policies under which they run a script or a style of their own. */
import { createHash } from 'node:crypto'

/** The source of an inline style or script, for a content security policy. */
export const cspHash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** A text as HTML that shows it. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
