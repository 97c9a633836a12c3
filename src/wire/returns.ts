import { queryText } from './query-text.ts'
import { type TelegramReturn, takeTelegram } from './telegram-return.ts'

/** What the address bar brought back from another page. */
export type Returned = OAuthReturn | TelegramReturn
/** Wire 6.1. The code is `undefined` (as text) when the person declined, and `error` when the server failed. */
export interface OAuthReturn {
  readonly kind: 'oauth'
  readonly code: string
  readonly state: string
  readonly provider: string
}

/** What is read and written of a page. */
interface Bar {
  address(): string
  rewrite(address: string): void
}

/**
 * Reads what a login brought back in the address bar, once, and takes it out of there: exactly its own parameters; all
 * else stays byte for byte. What is found is a claim of whoever made the link: it counts only beside what this tab has
 * stored of a login that it began (security S9).
 */
export function takeReturn(page: Bar): Returned | undefined {
  return takeOAuth(page) ?? takeTelegram(page)
}

const own = /^privy_oauth_(code|state|provider)$/

function takeOAuth(page: Bar): OAuthReturn | undefined {
  const [, before = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(page.address()) ?? []
  if (!query) return undefined
  const found: Record<string, string> = {}
  let twice = false
  const kept = query.split('&').filter((part) => {
    const at = `${part}=`.indexOf('=')
    const name = own.exec(queryText(part.slice(0, at)))?.[1]
    if (!name) return true
    twice ||= name in found
    found[name] = queryText(part.slice(at + 1))
    return false
  })
  if (Object.keys(found).length === 0) return undefined
  page.rewrite(before + (kept.length > 0 ? `?${kept.join('&')}` : '') + fragment)
  const { code, state, provider } = found
  return code && state && provider && !twice ? { kind: 'oauth', code, state, provider } : undefined
}
