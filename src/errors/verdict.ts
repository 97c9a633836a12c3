import type { PlainKey } from '../copy/copy.ts'
import type { ErrorCode } from './codes.ts'
import type { KitError } from './kit-error.ts'

/** Our words by key, or the server's own. */
export type Words = { readonly key: PlainKey } | { readonly server: string }

/** What a failure means for a person and for the host. */
export type Verdict = { readonly hostCode: ErrorCode } & (
  | { readonly show: 'inline'; readonly words: Words }
  /** Back where the address is typed, with the words under it. */
  | { readonly show: 'start'; readonly words: Words }
  | { readonly show: 'gate'; readonly gate: Gate }
  | { readonly show: 'screen'; readonly title: PlainKey; readonly detail: Words; readonly retryable: boolean }
)
export type Gate = 'allowlist' | 'user-limit' | 'account-not-found' | 'link-conflict'

/** A row of a table: the verdict without the code, which is the error's own. */
type Row = Verdict extends infer Each ? (Each extends Verdict ? Omit<Each, 'hostCode'> : never) : never
export type Table = Readonly<Record<string, Row | ((error: KitError) => Row)>>

/** Looks a failure up in a table; a code that the table does not know gets the row `otherwise`. */
export function judge(table: Table & { otherwise: Row }, error: KitError): Verdict {
  const entry = Object.hasOwn(table, error.code) ? table[error.code] : undefined
  const row = entry === undefined ? table.otherwise : typeof entry === 'function' ? entry(error) : entry
  return { ...row, hostCode: error.code } as Verdict
}

/** The server's text, or our words where it sent none. */
export const serverText = (error: KitError, otherwise: PlainKey): Words =>
  error.shortMessage ? { server: error.shortMessage } : { key: otherwise }
