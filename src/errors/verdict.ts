import type { CopyKey, PlainKey } from '../copy/copy.ts'
import type { KitError } from './kit-error.ts'

/** Our words by key, with the values for their placeholders, or the server's own text. */
export type Words =
  | { readonly key: PlainKey }
  | { readonly key: CopyKey; readonly values: Readonly<Record<string, string>> }
  | { readonly server: string }

/**
 * What a failure means for a person: where it shows, and with which words. The host gets the error's own
 * code.
 */
export type Verdict =
  | { readonly show: 'inline'; readonly words: Words }
  /** Back to where the address is typed, with the words under it. */
  | { readonly show: 'start'; readonly words: Words }
  | { readonly show: 'gate'; readonly gate: Gate }
  /**
   * The account belongs to somebody else, from whom it may be transferred; without an offer of the server the
   * words are shown inline.
   */
  | { readonly show: 'conflict'; readonly words: Words }
  | { readonly show: 'screen'; readonly title: PlainKey; readonly detail: Words; readonly retryable: boolean }
export type Gate = 'allowlist' | 'user-limit' | 'account-not-found'

type Row = Verdict | ((error: KitError) => Verdict)
export type Table = Readonly<Record<string, Row>>

/** Looks a failure up in a table; a code that the table does not know gets the row `otherwise`. */
export function judge(table: Table & { otherwise: Row }, error: KitError): Verdict {
  const row = (Object.hasOwn(table, error.code) && table[error.code]) || table.otherwise
  return typeof row === 'function' ? row(error) : row
}

/** The server's text, or our words if it sent none. */
export const serverText = (error: KitError, otherwise: PlainKey): Words =>
  error.shortMessage ? { server: error.shortMessage } : { key: otherwise }
