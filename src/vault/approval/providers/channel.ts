/** Messages between the vault's window and the popup in which it sends a user to a provider: two pages of one origin, on a channel. */

export const visitChannel = 'latchkey:visits'

/** The page of the popup, before the provider and after it. */
export const returnPath = '/embedded-wallets/return'

export type VisitMessage = { readonly state: string } & (
  | { readonly type: 'hello' }
  | { readonly type: 'go'; readonly url: string }
  | { readonly type: 'returned'; readonly fields: Readonly<Record<string, string>> }
  | { readonly type: 'received' }
)

/** Gives `undefined`, and never throws, for what this version does not know. */
export function readVisitMessage(raw: unknown): VisitMessage | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined
  const { state, type, url, fields } = raw as Record<string, unknown>
  if (typeof state !== 'string' || state === '') return undefined
  if (type === 'hello' || type === 'received') return { state, type }
  if (type === 'go') return typeof url === 'string' ? { state, type, url } : undefined
  if (type !== 'returned' || typeof fields !== 'object' || fields === null) return undefined
  const texts = Object.entries(fields).filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  )
  return { state, type, fields: Object.fromEntries(texts) }
}
