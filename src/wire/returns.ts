import { queryText } from './query-text.ts'
import type { TelegramReturn } from './telegram-return.ts'
import type { WalletBrowserReturn } from './wallet-browser.ts'

/** What the address bar brought back from another page, read (wire/read-return). */
export type Returned = LoginReturn | WalletBrowserReturn
/** Of these, what belongs to a login that this tab has left the page with. */
export type LoginReturn = OAuthReturn | TelegramReturn
/** Wire 6.1. The code is `undefined` (as text) when the person declined, and `error` when the server failed. */
export interface OAuthReturn {
  readonly kind: 'oauth'
  readonly code: string
  readonly state: string
  readonly provider: string
}
/** What was taken out of the address bar, as it stood there. */
export interface Taken {
  readonly kind: Returned['kind']
  readonly query: string
}

/** What is read and written of a page. */
interface Bar {
  address(): string
  rewrite(address: string): void
}

const oauth = /^privy_oauth_(code|state|provider)$/
const walletBrowser = /^privy_(connector|wallet_client|token|connect_only)$/
const telegram = /^(id|hash|auth_date|first_name|last_name|username|photo_url)$/
/** What must be there: Telegram's names are too common to be taken for Telegram's by themselves. */
const telegramMarks = [/^id=[1-9]\d{0,15}$/, /^auth_date=[1-9]\d{8,10}$/, /^hash=[0-9a-f]{64}$/]

const nameOf = (part: string) => queryText(part.replace(/=.*/s, ''))

/**
 * Takes what a login brought back out of the address bar, once: exactly its own parameters, of Telegram the fragment as
 * well (wire 6.1, 6.3, 6.4); all else stays byte for byte. What is found is a claim of whoever made the link: it counts only
 * beside what this tab has stored of a login that it began (security S9). Carried by every page, so it does no more.
 */
export function takeReturn(page: Bar): Taken | undefined {
  const [, before = '', query, fragment = ''] = /^([^?#]*)\?([^#]*)(#.*)?$/s.exec(page.address()) ?? []
  const parts = query?.split('&') ?? []
  const take = (kind: Taken['kind'], names: RegExp, rest: string) => {
    const isOwn = (part: string) => names.test(nameOf(part))
    const own = parts.filter(isOwn)
    if (own.length === 0) return undefined
    // Of the others no name stays either: one of them may carry a session.
    const kept = parts.filter((part) => !isOwn(part) && !walletBrowser.test(nameOf(part))).join('&')
    page.rewrite(before + (kept && `?${kept}`) + rest)
    return { kind, query: own.join('&') }
  }
  const plain = parts.map(queryText)
  const isTelegram = telegramMarks.every((mark) => plain.some((part) => mark.test(part)))
  return (
    take('oauth', oauth, fragment) ??
    take('wallet-browser', walletBrowser, fragment) ??
    (isTelegram ? take('telegram', telegram, '') : undefined)
  )
}
