import { type AddressBar, queryText } from './address-bar.ts'

/** What Telegram's page brought back in the address bar. */
export interface TelegramReturn {
  readonly kind: 'telegram'
  readonly fields: Readonly<Record<string, string>>
}

/** The data with which a mini app was started, decoded once. */
export interface MiniAppReturn {
  readonly kind: 'mini-app'
  readonly data: string
}

const names = ['id', 'hash', 'auth_date', 'first_name', 'last_name', 'username', 'photo_url']
const miniApp = /^#tgWebAppData=([^&]*)/

/** What the page was started with as a mini app. It stays in the address bar. */
export function peekMiniApp(page: Pick<AddressBar, 'address'>): MiniAppReturn | undefined {
  const data = miniApp.exec(split(page.address()).fragment)?.[1]
  return data ? { kind: 'mini-app', data: queryText(data) } : undefined
}

/** Takes the fragment of a mini app out of the address bar. */
export function dropMiniApp(page: AddressBar): void {
  const address = page.address()
  const { fragment } = split(address)
  if (miniApp.test(fragment)) page.rewrite(address.slice(0, address.length - fragment.length))
}

/** An address without a return and without its fragment: where Telegram is to send the person back to. */
export function telegramReturnTo(page: Pick<AddressBar, 'address'>): string {
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
