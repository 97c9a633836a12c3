/** Parameters that other pages have left in the address bar for a login or a purchase that began here. The shell of every page carries this. */

/** Text as it was before it went into a query; what is no proper escape stays as it is. */
export function queryText(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '))
  } catch {
    return text
  }
}

/** What was taken out of the address bar, as it stood there. */
export interface Taken {
  readonly kind: 'oauth' | 'wallet-browser' | 'telegram' | 'purchase'
  readonly query: string
}

/** What is read and written of a page. */
export interface AddressBar {
  address(): string
  rewrite(address: string): void
}

const oauth = /^privy_oauth_(code|state|provider)$/
const walletBrowser = /^privy_(connector|wallet_client|token|connect_only)$/
const telegram = /^(id|hash|auth_date|first_name|last_name|username|photo_url)$/
/** Its own mark must be there: what the provider adds has names of any page's. */
const purchase = /^(lk_purchase|transactionId|transactionStatus)$/
const purchaseMark = /^lk_purchase=/
/** What must be there: Telegram's names are too common to be taken for Telegram's by themselves. */
const telegramMarks = [/^id=[1-9]\d{0,15}$/, /^auth_date=[1-9]\d{8,10}$/, /^hash=[0-9a-f]{64}$/]

const nameOf = (part: string) => queryText(part.replace(/=.*/s, ''))

/**
 * Takes what a login or a purchase brought back out of the address bar, once: exactly its own parameters, of Telegram the fragment as
 * well; everything else stays byte for byte. What is found is only a claim by the link's author: it counts only together with what this
 * tab has stored of a login that it began. `readReturn` says what it means.
 */
export function takeReturn(bar: AddressBar): Taken | undefined {
  const [, before = '', query, fragment = ''] = /^([^?#]*)\?([^#]*)(#.*)?$/s.exec(bar.address()) ?? []
  const parts = query?.split('&') ?? []
  const take = (kind: Taken['kind'], names: RegExp, rest: string) => {
    const isOwn = (part: string) => names.test(nameOf(part))
    const own = parts.filter(isOwn)
    if (own.length === 0) return undefined
    // Of the others no name stays either: one of them may carry a session.
    const kept = parts.filter((part) => !isOwn(part) && !walletBrowser.test(nameOf(part))).join('&')
    bar.rewrite(before + (kept && `?${kept}`) + rest)
    return { kind, query: own.join('&') }
  }
  const plain = parts.map(queryText)
  const isTelegram = telegramMarks.every((mark) => plain.some((part) => mark.test(part)))
  return (
    take('oauth', oauth, fragment) ??
    take('wallet-browser', walletBrowser, fragment) ??
    (isTelegram ? take('telegram', telegram, '') : undefined) ??
    (plain.some((part) => purchaseMark.test(part)) ? take('purchase', purchase, fragment) : undefined)
  )
}
