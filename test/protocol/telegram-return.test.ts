import { describe, expect, test } from 'vitest'
import { takeReturn } from '../../src/protocol/address-bar.ts'
import { readReturn } from '../../src/protocol/returns.ts'
import { insideTelegram } from '../../src/protocol/telegram.ts'
import { dropMiniApp, peekMiniApp, telegramReturnTo } from '../../src/protocol/telegram-return.ts'
import { addressBar } from './address-bar.ts'

const take = (address: string) => {
  const page = addressBar(address)
  const taken = takeReturn(page)
  const found = taken && readReturn(taken)
  return {
    found: found?.kind === 'telegram' ? found : undefined,
    address: page.address(),
    rewritten: page.rewritten,
  }
}
const hash = 'b'.repeat(64)
const good = `id=42&first_name=Ann+M&last_name=L%C3%A9e&username=ann&photo_url=https%3A%2F%2Ft.me%2Fx.jpg&auth_date=1767225600&hash=${hash}`
const home = 'https://host.example/app'

describe('a return from Telegram', () => {
  test('is read, and its seven parameters and the fragment are taken out', () => {
    expect(take(`${home}?a=1&${good}&b=%20x#top`)).toEqual({
      found: {
        kind: 'telegram',
        fields: {
          id: '42',
          first_name: 'Ann M',
          last_name: 'Lée',
          username: 'ann',
          photo_url: 'https://t.me/x.jpg',
          auth_date: '1767225600',
          hash,
        },
      },
      address: `${home}?a=1&b=%20x`,
      rewritten: 1,
    })
  })

  test('is one of the things that the address bar may bring', () => {
    expect(takeReturn(addressBar(`${home}?${good}`))).toMatchObject({ kind: 'telegram' })
  })

  test('needs no more than who, when and the hash', () => {
    expect(take(`${home}?id=1&auth_date=1767225600&hash=${hash}`).found?.fields).toEqual({
      id: '1',
      auth_date: '1767225600',
      hash,
    })
  })

  test('is found once', () => {
    const page = addressBar(`${home}?${good}`)
    takeReturn(page)
    expect(takeReturn(page)).toBeUndefined()
  })

  test.each([
    'id=42',
    'id=42&hash=top&username=ann',
    `id=42&hash=${hash}`,
    `auth_date=1767225600&hash=${hash}`,
    `id=a7&auth_date=1767225600&hash=${hash}`,
    `id=42&auth_date=yesterday&hash=${hash}`,
    `id=42&auth_date=1767225600&hash=${hash.toUpperCase()}`,
    `id=42&auth_date=1767225600&hash=${hash}0`,
    `ID=42&AUTH_DATE=1767225600&HASH=${hash}`,
  ])('a page’s own parameters "%s" are left alone', (query) => {
    const address = `${home}?${query}#/route?x=1`
    expect(take(address)).toEqual({ found: undefined, address, rewritten: 0 })
  })

  test.each(['id', 'hash', 'auth_date', 'username'])('with %s twice it is none, but it goes', (name) => {
    const value = new URLSearchParams(good).get(name)
    expect(take(`${home}?x&${good}&${name}=${value}`)).toEqual({
      found: undefined,
      address: `${home}?x`,
      rewritten: 1,
    })
  })

  test('a person is sent back to where they are, without what is Telegram’s', () => {
    expect(telegramReturnTo(addressBar(`${home}?a=1&${good}&b#f`))).toBe(`${home}?a=1&b`)
    expect(telegramReturnTo(addressBar(home))).toBe(home)
  })
})

describe('the start of a mini app', () => {
  const data = 'query_id=AAE&user=%7B%22id%22%3A42%7D&auth_date=1&hash=x'
  const fragment = `#tgWebAppData=${encodeURIComponent(data)}&tgWebAppVersion=8.0`

  test('is read without being taken, and then taken with the whole fragment', () => {
    const page = addressBar(`${home}?a=1${fragment}`)
    expect(peekMiniApp(page)).toEqual({ kind: 'mini-app', data })
    expect(page.rewritten).toBe(0)
    dropMiniApp(page)
    expect(page.address()).toBe(`${home}?a=1`)
    expect(peekMiniApp(page)).toBeUndefined()
  })

  test.each(['', '#', '#top', '#tgWebAppVersion=8.0&tgWebAppData=x', '#/tgWebAppData=x', '#tgWebAppData='])(
    'the fragment "%s" is none',
    (other) => {
      const page = addressBar(home + other)
      expect(peekMiniApp(page)).toBeUndefined()
      if (other !== '#tgWebAppData=') dropMiniApp(page)
      expect(page.address()).toBe(home + other)
    },
  )

  test('counts only inside of Telegram', () => {
    const clients = ['https://web.telegram.org']
    const framed = (origin: string, more = {}) => ({
      framed: true,
      window: { location: { ancestorOrigins: [origin] }, ...more },
    })
    expect(
      insideTelegram({ framed: false, window: { TelegramWebviewProxy: { postEvent() {} } } }, clients),
    ).toBe(true)
    expect(insideTelegram(framed('https://web.telegram.org'), clients)).toBe(true)
    const referred = (referrer: string) => ({
      framed: true,
      window: { location: {}, document: { referrer } },
    })
    expect(insideTelegram(referred('https://web.telegram.org/k/'), clients)).toBe(true)
    for (const page of [
      { framed: false, window: {} },
      { framed: false, window: { TelegramWebviewProxy: {} } },
      { framed: false, window: { location: { ancestorOrigins: ['https://web.telegram.org'] } } },
      { framed: true, window: {} },
      framed('https://evil.example'),
      framed('https://web.telegram.org.evil.example'),
      framed('http://web.telegram.org'),
      framed('null', { document: { referrer: 'https://web.telegram.org/' } }),
      referred('https://evil.example/https://web.telegram.org'),
      referred('no address'),
    ])
      expect(insideTelegram(page, clients)).toBe(false)
  })
})

describe('of 200 crafted addresses', () => {
  const names = ['id', 'hash', 'auth_date', 'first_name', 'last_name', 'username', 'photo_url']
  const right: Record<string, string> = { id: '42', hash, auth_date: '1767225600' }
  const values = [
    '',
    '0',
    'x',
    '%',
    '%zz',
    '%00',
    'ü🌍',
    'a=b',
    '%26id%3D1',
    `${hash}a`,
    '-42',
    '1e3',
    '４２',
  ]
  const disguises = [
    (name: string) => name,
    (name: string) => [...name].map((c) => `%${c.charCodeAt(0).toString(16)}`).join(''),
    (name: string) => name.replace(/[a-z]/, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
  ]
  const strangers = [
    'a=1',
    'x',
    '=',
    'hash_=1',
    'ids=1',
    'ID=2',
    '__proto__=1',
    'next=/?id=1',
    '%F0%9F%8C%8D',
    '%ud83c=%',
  ]
  const fragments = ['', '#', '#top', '#/r?id=1', '#tgWebAppData=x']

  let seed = 11
  const upTo = (end: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % end
  }
  const one = <T>(list: readonly T[]) => list[upTo(list.length)] as T

  const crafted = Array.from({ length: 200 }, () => {
    const whole = upTo(3) === 0 ? ['id', 'hash', 'auth_date'] : []
    const parts = [...whole, ...Array.from({ length: upTo(6) }, () => (upTo(2) ? one(names) : ''))].map(
      (name) => {
        if (!name) return { name, value: '', text: one(strangers) }
        const value = (whole.includes(name) || upTo(3) === 0) && right[name] ? right[name] : one(values)
        return { name, value, text: `${one(disguises)(name)}=${value}` }
      },
    )
    parts.sort(() => upTo(3) - 1)
    const isTelegrams = Object.entries(right).every(([name, value]) => {
      const own = parts.filter((part) => part.name === name)
      return own.length > 0 && own.every((part) => part.value === value)
    })
    const kept = parts.filter(({ name }) => !name).map(({ text }) => text)
    const address = `${home}?${parts.map(({ text }) => text).join('&')}${one(fragments)}`
    return {
      address,
      isTelegrams,
      expected: isTelegrams ? `${home}${kept.length > 0 ? `?${kept.join('&')}` : ''}` : address,
    }
  })

  test('those that are Telegram’s lose what is, and all others stay byte for byte', () => {
    for (const { address, expected } of crafted) expect(take(address).address, address).toBe(expected)
  })
  test('a claim is complete, and each of its fields came once', () => {
    for (const { address, isTelegrams } of crafted) {
      const { found } = take(address)
      if (!found) continue
      expect(isTelegrams, address).toBe(true)
      expect(Object.keys(found.fields).every((name) => names.includes(name))).toBe(true)
    }
  })
  test('there are some of each', () => {
    const telegrams = crafted.filter(({ isTelegrams }) => isTelegrams).length
    expect(telegrams).toBeGreaterThan(30)
    expect(telegrams).toBeLessThan(170)
  })
})
