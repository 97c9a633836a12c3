import { queryText } from './query-text.ts'
import type { Returned, Taken } from './returns.ts'
import { readWalletBrowser } from './wallet-browser.ts'

/** Reads what was taken out of the address bar; a part that is missing or stands there twice makes it no return. */
export function readReturn({ kind, query }: Taken): Returned | undefined {
  const fields: Record<string, string> = Object.create(null)
  for (const part of query.split('&')) {
    const at = `${part}=`.indexOf('=')
    const name = queryText(part.slice(0, at))
    if (name in fields) return undefined
    fields[name] = queryText(part.slice(at + 1))
  }
  if (kind === 'wallet-browser') return readWalletBrowser(fields)
  if (kind === 'telegram') return { kind, fields: { ...fields } }
  const { privy_oauth_code: code, privy_oauth_state: state, privy_oauth_provider: provider } = fields
  return code && state && provider ? { kind, code, state, provider } : undefined
}
