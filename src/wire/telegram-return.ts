import { queryText } from './query-text.ts'

/** What Telegram's page brought back in the address bar. */
export interface TelegramReturn {
  readonly kind: 'telegram'
  readonly fields: Readonly<Record<string, string>>
}

/** What a mini app was started with, decoded once. */
export interface MiniAppReturn {
  readonly kind: 'mini-app'
  readonly data: string
}

/** What is read and written of a page. */
interface Bar {
  address(): string
  rewrite(address: string): void
}

const names = ['id', 'hash', 'auth_date', 'first_name', 'last_name', 'username', 'photo_url']
const miniApp = /^#tgWebAppData=([^&]*)/

/** Wire 6.3, seamless: what the page was started with as a mini app. It stays in the address bar. */
export function peekMiniApp(page: Pick<Bar, 'address'>): MiniAppReturn | undefined {
  const data = miniApp.exec(split(page.address()).fragment)?.[1]
  return data ? { kind: 'mini-app', data: queryText(data) } : undefined
}

/** Takes the fragment of a mini app out of the address bar. */
export function dropMiniApp(page: Bar): void {
  const address = page.address()
  const { fragment } = split(address)
  if (miniApp.test(fragment)) page.rewrite(address.slice(0, address.length - fragment.length))
}

/**
 * Whether the page really runs inside Telegram: its own clients put an object into it, and its client for the browser
 * shows it in a frame. A link with somebody's data in it, opened elsewhere, logs nobody in (security T11).
 */
export function insideTelegram(
  page: { window: object; framed: boolean },
  clients: readonly string[],
): boolean {
  const {
    TelegramWebviewProxy: proxy,
    location,
    document,
  } = page.window as {
    TelegramWebviewProxy?: { postEvent?: unknown }
    location?: { ancestorOrigins?: ArrayLike<string> }
    document?: { referrer?: string }
  }
  if (typeof proxy?.postEvent === 'function') return true
  if (!page.framed) return false
  const referrer = document?.referrer
  const parent =
    location?.ancestorOrigins?.[0] ?? (referrer && URL.canParse(referrer) ? new URL(referrer).origin : '')
  return clients.includes(parent)
}

/** An address without a return and without its fragment: where Telegram is to send the person back to. */
export function telegramReturnTo(page: Pick<Bar, 'address'>): string {
  const { before, parts } = split(page.address())
  const kept = parts.filter(([name]) => !names.includes(name)).map(([, , text]) => text)
  return before + (kept.length > 0 ? `?${kept.join('&')}` : '')
}

function split(address: string) {
  const [, before = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? []
  const parts = (query ? query.split('&') : []).map((text) => {
    const at = `${text}=`.indexOf('=')
    return [queryText(text.slice(0, at)), queryText(text.slice(at + 1)), text] as const
  })
  return { before, parts, fragment }
}
