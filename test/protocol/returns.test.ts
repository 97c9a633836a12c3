import { describe, expect, test } from 'vitest'
import { takeReturn } from '../../src/protocol/address-bar.ts'
import { readReturn } from '../../src/protocol/returns.ts'
import { addressBar } from './address-bar.ts'

const take = (address: string) => {
  const page = addressBar(address)
  const taken = takeReturn(page)
  return { found: taken && readReturn(taken), address: page.address(), rewritten: page.rewritten }
}
const good = 'privy_oauth_code=c0de&privy_oauth_state=st4te&privy_oauth_provider=google'

test('what a provider brought back is read and taken out', () => {
  expect(take(`https://host.example/app?${good}`)).toEqual({
    found: { kind: 'oauth', code: 'c0de', state: 'st4te', provider: 'google' },
    address: 'https://host.example/app',
    rewritten: 1,
  })
})

test('a page without any of it is left alone', () => {
  for (const address of [
    'https://host.example/',
    'https://host.example/?code=1&state=2#x?privy_oauth_code=3',
    `https://host.example/#${good}`,
    'https://host.example/?xprivy_oauth_code=1&privy_oauth_codes=2&privy_oauth_=3',
  ])
    expect(take(address)).toEqual({ found: undefined, address, rewritten: 0 })
})

test.each(['code', 'state', 'provider'])('without the %s there was no return, but the rest goes', (name) => {
  const some = good
    .split('&')
    .filter((part) => !part.includes(`_${name}=`))
    .join('&')
  expect(take(`https://host.example/?a=1&${some}#f`)).toEqual({
    found: undefined,
    address: 'https://host.example/?a=1#f',
    rewritten: 1,
  })
})

test('one that comes twice is no return', () => {
  for (const name of ['code', 'state', 'provider'])
    expect(take(`https://host.example/?${good}&privy_oauth_${name}=other`)).toMatchObject({
      found: undefined,
      address: 'https://host.example/',
    })
})

test('values are read as a form would send them', () => {
  const { found } = take(
    'https://host.example/?privy_oauth_code=a%2Bb+c%3D&privy_oauth_state=%E0%A4%A&privy_oauth_provider=x=y',
  )
  expect(found).toEqual({ kind: 'oauth', code: 'a+b c=', state: '%E0%A4%A', provider: 'x=y' })
})

test('a second look finds nothing', () => {
  const page = addressBar(`https://host.example/?${good}`)
  takeReturn(page)
  expect(takeReturn(page)).toBeUndefined()
  expect(page.rewritten).toBe(1)
})

describe('of 200 crafted addresses', () => {
  const names = ['privy_oauth_code', 'privy_oauth_state', 'privy_oauth_provider']
  const disguises = [
    (name: string) => name,
    (name: string) => name.replace('_', '%5F'),
    (name: string) => name.replace('p', '%70'),
    (name: string) => [...name].map((c) => `%${c.charCodeAt(0).toString(16)}`).join(''),
  ]
  const values = [
    '',
    'x',
    'undefined',
    'error',
    '%',
    '%zz',
    'a=b=c',
    '%26privy_oauth_code%3D1',
    'ü🌍',
    '%00',
    '+',
  ]
  const strangers = [
    ...[
      '',
      'a',
      'a=',
      '=a',
      'q=a%20b+c',
      'privy_oauth',
      'code=1',
      'PRIVY_OAUTH_CODE=1',
      'next=/%3Fprivy_oauth_code',
    ],
    ...[
      'u=https://host.example/?a=1',
      'ü=ö',
      '%F0%9F%8C%8D',
      '%ud83c=%',
      'a[]=1',
      'a;b=2',
      '__proto__=1',
      '%',
    ],
  ]
  const fragments = [
    '',
    '#',
    '#top',
    '#/route?privy_oauth_code=1&privy_oauth_state=2&privy_oauth_provider=3',
    '#a#b?c',
  ]

  /** The same numbers each time: a failing address can be looked at. */
  let seed = 7
  const upTo = (end: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % end
  }
  const one = <T>(list: readonly T[]) => list[upTo(list.length)] as T

  const crafted = Array.from({ length: 200 }, (_, i) => {
    const parts = Array.from({ length: 1 + upTo(7) }, () =>
      upTo(2) ? { text: one(strangers), ours: false } : { text: '', ours: true },
    )
    for (const part of parts)
      if (part.ours) part.text = `${one(disguises)(one(names))}${upTo(9) ? `=${one(values)}` : ''}`
    const before = one([
      'https://host.example/',
      'https://host.example/a%20b/ü',
      'http://localhost:4800/x;y=1',
    ])
    const fragment = one(fragments)
    const kept = parts.filter(({ ours }) => !ours).map(({ text }) => text)
    const touched = parts.some(({ ours }) => ours)
    const query = parts.map(({ text }) => text).join('&')
    const address = `${before}?${query}${fragment}`
    return {
      name: `${i}: ${address}`,
      address,
      expected: touched ? `${before}${kept.length > 0 ? `?${kept.join('&')}` : ''}${fragment}` : address,
    }
  })

  test('all lose what is ours and keep the rest byte for byte', () => {
    for (const { address, expected } of crafted) expect(take(address).address, address).toBe(expected)
  })
  test('none gives more than one claim, complete and of text', () => {
    for (const { address } of crafted) {
      const { found } = take(address)
      if (found) expect(Object.values(found).every((value) => typeof value === 'string' && value)).toBe(true)
    }
  })
  test('they are 200, most of them touched', () => {
    expect(crafted).toHaveLength(200)
    expect(crafted.filter(({ address, expected }) => address !== expected).length).toBeGreaterThan(150)
  })
})

test('a purchase that a provider leads back with is read, and its provider’s own fields go with it', () => {
  expect(
    take('https://host.example/app?a=1&lk_purchase=lk0a&transactionId=t1&transactionStatus=pending#x'),
  ).toEqual({
    found: { kind: 'purchase', id: 'lk0a' },
    address: 'https://host.example/app?a=1#x',
    rewritten: 1,
  })
  const address = 'https://host.example/?transactionId=t1&transactionStatus=pending'
  expect(take(address)).toEqual({ found: undefined, address, rewritten: 0 })
  expect(take('https://host.example/?lk_purchase=a%20b').found).toBeUndefined()
})
