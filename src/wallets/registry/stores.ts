import { isMobile } from '../../lib/device.ts'

/** Where a browser gets its extensions. */
export type Store = 'chrome' | 'firefox'

const chrome: ReadonlyMap<string, string> = new Map([
  ['phantom', 'bfnaelmomeimhlpmgjnjophhpkkoljpa'],
  ['solflare', 'bhhhlbepdkbapadjdnnojkbgioiodbic'],
  ['backpack', 'aflkmfhebedbjioipglgcbcmnbpgliof'],
  ['okx_wallet', 'mcohilncbfahbmgdjkbpemcciiolgcge'],
])
const firefox: ReadonlyMap<string, string> = new Map([
  ['phantom', 'phantom-app'],
  ['solflare', 'solflare-wallet'],
])

/** The store of this browser; phones and Safari have none. */
export function storeOf(userAgent: string): Store | undefined {
  if (isMobile(userAgent)) return undefined
  return /firefox\//i.test(userAgent) ? 'firefox' : /chrome\//i.test(userAgent) ? 'chrome' : undefined
}

/** A wallet's page in a store. */
export function storePage(id: string, store: Store | undefined): string | undefined {
  const extension = store && { chrome, firefox }[store].get(id)
  if (!extension) return undefined
  return store === 'firefox'
    ? `https://addons.mozilla.org/firefox/addon/${extension}`
    : `https://chromewebstore.google.com/detail/${extension}`
}
