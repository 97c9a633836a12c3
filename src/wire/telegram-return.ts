/** What Telegram's page brought back in the address bar, as it stood there. */
export interface TelegramReturn {
  readonly kind: 'telegram'
  readonly fields: Readonly<Record<string, string>>
}

/** What is read and written of a page. */
interface Bar {
  address(): string
  rewrite(address: string): void
}

const names = ['id', 'hash', 'auth_date', 'first_name', 'last_name', 'username', 'photo_url']
/** What must be there, and what it looks like: these names are too common to be taken for Telegram's by themselves. */
const marks: Readonly<Record<string, RegExp>> = {
  id: /^[1-9]\d{0,15}$/,
  auth_date: /^[1-9]\d{8,10}$/,
  hash: /^[0-9a-f]{64}$/,
}

/**
 * Wire 6.3, redirect: reads what Telegram's page brought back, once, and takes it out of the address bar: exactly its
 * seven parameters and the fragment. A page whose own parameters merely have the same names is left alone.
 */
export function takeTelegram(page: Bar): TelegramReturn | undefined {
  const { before, parts } = split(page.address())
  const found = parts.filter(([name]) => names.includes(name))
  const has = (name: string) => {
    const values = found.filter(([each]) => each === name).map(([, value]) => value)
    return values.length > 0 && values.every((value) => marks[name]?.test(value))
  }
  if (!Object.keys(marks).every(has)) return undefined
  const kept = parts.filter(([name]) => !names.includes(name)).map(([, , text]) => text)
  page.rewrite(before + (kept.length > 0 ? `?${kept.join('&')}` : ''))
  if (new Set(found.map(([name]) => name)).size !== found.length) return undefined
  return { kind: 'telegram', fields: Object.fromEntries(found.map(([name, value]) => [name, value])) }
}

const miniApp = /^#tgWebAppData=([^&]*)/

/** Wire 6.3, seamless: what a mini app was started with, decoded once. It stays in the address bar. */
export const peekMiniApp = (page: Bar): string | undefined => {
  const { fragment } = split(page.address())
  const data = miniApp.exec(fragment)?.[1]
  return data && plain(data)
}

/** Takes the fragment of a mini app out of the address bar. */
export function dropMiniApp(page: Bar): void {
  const address = page.address()
  const { fragment } = split(address)
  if (miniApp.test(fragment)) page.rewrite(address.slice(0, address.length - fragment.length))
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
    return [plain(text.slice(0, at)), plain(text.slice(at + 1)), text] as const
  })
  return { before, parts, fragment }
}

/** Text as it was before it went into a query; what is no proper escape stays as it is. */
function plain(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '))
  } catch {
    return text
  }
}
