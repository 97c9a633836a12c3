import { describe, expect, test } from 'vitest'
import { takeReturn } from '../../src/protocol/address-bar.ts'
import { readReturn } from '../../src/protocol/returns.ts'
import { walletBrowserQuery, withoutWalletBrowser } from '../../src/protocol/wallet-browser.ts'

function take(address: string) {
  const page = {
    address: () => address,
    rewrite(next: string) {
      address = next
    },
  }
  const taken = takeReturn(page)
  return { found: taken && readReturn(taken), address, kind: taken?.kind }
}
const token = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE'
const host = 'https://host.example/app?a=1'

describe('what a link into a wallet’s browser brings', () => {
  test('is read and taken out, and the rest stays byte for byte', () => {
    const query = walletBrowserQuery({ connector: 'solana_adapter', client: 'phantom', token })
    expect(query).toBe(`privy_connector=solana_adapter&privy_wallet_client=phantom&privy_token=${token}`)
    expect(take(`https://host.example/app?q=a%20b+c&${query}&=x#/route?privy_token=1`)).toEqual({
      kind: 'wallet-browser',
      found: {
        kind: 'wallet-browser',
        connector: 'solana_adapter',
        client: 'phantom',
        token,
        connectOnly: false,
      },
      address: 'https://host.example/app?q=a%20b+c&=x#/route?privy_token=1',
    })
  })

  test('may be the wish to connect only', () => {
    const query = walletBrowserQuery({ connector: 'injected', client: 'metamask', connectOnly: true })
    expect(take(`${host}&${query}`)).toMatchObject({
      found: { kind: 'wallet-browser', connector: 'injected', client: 'metamask', connectOnly: true },
      address: host,
    })
  })

  test('may be the wallet alone, of somebody who was not logged in', () => {
    const query = walletBrowserQuery({ connector: 'injected', client: 'okx_wallet' })
    const { found } = take(`${host}&${query}`)
    expect(found).toEqual({
      kind: 'wallet-browser',
      connector: 'injected',
      client: 'okx_wallet',
      connectOnly: false,
    })
  })

  test('names the wallet as older links do, too', () => {
    const { found } = take(`${host}&privy_connector=solana_adapter&privy_wallet_client=phantom_solana`)
    expect(found).toMatchObject({ client: 'phantom', connector: 'solana_adapter' })
  })

  test.each([
    ['without a connector', 'privy_wallet_client=phantom'],
    ['with a connector of another kind', 'privy_connector=wallet_connect_v2&privy_wallet_client=phantom'],
    ['without a wallet', `privy_connector=injected&privy_token=${token}`],
    ['with no name of a wallet', 'privy_connector=injected&privy_wallet_client='],
    ['with markup for a name', 'privy_connector=injected&privy_wallet_client=%3Cimg%20onerror%3D1%3E'],
    ['with an endless name', `privy_connector=injected&privy_wallet_client=${'x'.repeat(65)}`],
    ['with a token alone', `privy_token=${token}`],
    ['with an empty token', 'privy_connector=injected&privy_wallet_client=phantom&privy_token='],
    ['with a token of other signs', 'privy_connector=injected&privy_wallet_client=phantom&privy_token=a%20b'],
    [
      'with an endless token',
      `privy_connector=injected&privy_wallet_client=phantom&privy_token=${'x'.repeat(513)}`,
    ],
    [
      'with a token and the wish to connect only',
      `privy_connector=injected&privy_wallet_client=phantom&privy_token=${token}&privy_connect_only=true`,
    ],
    ['twice', 'privy_connector=injected&privy_wallet_client=phantom&privy_wallet_client=metamask'],
  ])('%s is nothing, and goes all the same', (_, query) => {
    expect(take(`${host}&${query}#top`)).toEqual({
      found: undefined,
      address: `${host}#top`,
      kind: 'wallet-browser',
    })
  })

  test.each([
    'privy_connectors=injected',
    'xprivy_token=1',
    'privy_token_=1',
    'PRIVY_TOKEN=1',
    'privy_=1',
    'token=1',
  ])('is not %s', (query) => {
    const address = `${host}&${query}`
    expect(take(address)).toEqual({ found: undefined, address, kind: undefined })
  })

  test('hidden by escapes goes too, token and all', () => {
    const hidden = `%70rivy_token=${token}&privy%5Fconnector=injected&privy_wallet_cl%69ent=phantom`
    expect(take(`${host}&${hidden}`)).toMatchObject({ found: { client: 'phantom', token }, address: host })
  })

  test('comes after a login that is back, which goes first', () => {
    const oauth = 'privy_oauth_code=c&privy_oauth_state=s&privy_oauth_provider=google'
    expect(take(`${host}&${oauth}`)).toMatchObject({ kind: 'oauth', address: host })
  })
})

test('a link is made from an address without what another link put there', () => {
  const query = walletBrowserQuery({ connector: 'injected', client: 'phantom', token })
  expect(withoutWalletBrowser(`https://host.example/?${query}&a=1#f`)).toBe('https://host.example/?a=1#f')
  expect(withoutWalletBrowser(`https://host.example/?${query}`)).toBe('https://host.example/')
  expect(withoutWalletBrowser('https://host.example/a?b=%20+#c?d')).toBe('https://host.example/a?b=%20+#c?d')
})

test('200 crafted addresses lose what is ours, and keep the rest byte for byte', () => {
  const ours = ['privy_connector', 'privy_wallet_client', 'privy_token', 'privy_connect_only']
  const values = ['', 'injected', 'phantom', token, '%', '%zz', 'a=b', '%26', 'ü🌍', '+']
  const strangers = [
    '',
    'a',
    'a=',
    '=a',
    'q=a%20b+c',
    'privy',
    'PRIVY_TOKEN=1',
    'u=?privy_token=1',
    '__proto__=1',
    '%',
  ]
  const fragments = ['', '#', '#/x?privy_token=1']
  let seed = 11
  const upTo = (end: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return (seed >> 8) % end
  }
  const one = <T>(list: readonly T[]) => list[upTo(list.length)] as T
  let touched = 0
  for (let i = 0; i < 200; i++) {
    const parts = Array.from({ length: 1 + upTo(6) }, () =>
      upTo(2) ? { text: one(strangers), own: false } : { text: `${one(ours)}=${one(values)}`, own: true },
    )
    const fragment = one(fragments)
    const kept = parts.filter(({ own }) => !own).map(({ text }) => text)
    const address = `https://host.example/a%20b?${parts.map(({ text }) => text).join('&')}${fragment}`
    const isTouched = kept.length < parts.length
    if (isTouched) touched++
    const rest = kept.join('&')
    const expected = isTouched ? `https://host.example/a%20b${rest && `?${rest}`}${fragment}` : address
    expect(take(address).address, address).toBe(expected)
  }
  expect(touched).toBeGreaterThan(120)
})
