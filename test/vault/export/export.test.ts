/** What the page of the export frame believes of its address, its host's theme and its port. In a browser: test/e2e. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/lib/clock.ts'
import {
  type ExportView,
  exportColors,
  exportHello,
  exportUrl,
  readExportMessage,
  readExportToken,
} from '../../../src/protocol/frame/export.ts'
import { connectToPage } from '../../../src/vault/export/page-connection.ts'
import { readExportRequest } from '../../../src/vault/export/request.ts'
import { contrast, type HostColors, type Rgb, themeOf } from '../../../src/vault/export/theme.ts'
import { testClock } from '../../support/clock.ts'
import { limit } from '../../support/limit.ts'
import { counted, soak } from '../../support/soak.ts'
import { makeToken } from '../support/backend.ts'
import { createPage, hostOrigin } from '../support/page.ts'

const ethereum = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F'
const solana = '4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA'
const colors = Object.fromEntries(exportColors.map((name) => [name, '#123456'])) as ExportView['colors']
const view: ExportView = {
  appId: 'app',
  ticket: 'one-time',
  rootAddress: ethereum,
  rootChain: 'ethereum',
  address: solana,
  chainType: 'solana',
  walletIndex: 3,
  imported: false,
  colors,
  width: '360px',
}
const searchOf = (more: Partial<ExportView> = {}) =>
  new URL(exportUrl('https://vault.example', { ...view, ...more })).search

describe('the address', () => {
  test('of our own kit says which wallet, for which ticket, and how it looks', () => {
    expect(readExportRequest(searchOf(), '')).toEqual({
      root: { chainType: 'ethereum', address: ethereum.toLowerCase() },
      path: { chainType: 'solana', index: 3 },
      address: solana,
      credential: { ticket: 'one-time' },
      phrase: true,
      colors,
      width: '360px',
    })
    expect(readExportRequest(searchOf({ imported: true }), '')).toMatchObject({ phrase: false })
  })

  test('of a compatible client has the token in the fragment, and may leave things out', () => {
    const query = (more: Record<string, string>) => `?${new URLSearchParams({ address: ethereum, ...more })}`
    const root = { chainType: 'ethereum', address: ethereum.toLowerCase() }
    const plain = { root, path: { chainType: 'ethereum', index: 0 }, credential: { token: 't.o.k' } }
    expect(readExportRequest(query({}), 'token=t.o.k')).toMatchObject(plain)
    expect(readExportRequest(query({ primaryAddress: solana }), 'token=t.o.k')).toMatchObject({
      ...plain,
      root: { chainType: 'solana', address: solana },
    })
  })

  test('with a login token in the query is refused under any name', () => {
    const jwt = makeToken('someone')
    for (const name of ['token', 'Token', 'access_token', 'accessToken', 'auth-token', 'id_token', 'jwt'])
      expect(readExportRequest(`${searchOf()}&${name}=x`, '')).toBe('token')
    for (const name of ['caid', 'x', 'address', 'ticket'])
      expect(readExportRequest(`${searchOf()}&${name}=${jwt}`, 'token=x')).toBe('token')
  })

  test('that is incomplete or contradicts itself is refused', () => {
    const wrong: [string, string][] = [
      ['', ''],
      [searchOf({ ticket: '' }), ''],
      [searchOf(), 'token=both'],
      [searchOf({ address: '0x12' }), ''],
      [searchOf({ rootAddress: 'x' }), ''],
      [searchOf({ chainType: 'ethereum' }), ''],
      [searchOf({ walletIndex: 2 ** 31 }), ''],
    ]
    for (const [search, fragment] of wrong) expect(readExportRequest(search, fragment)).toBe('invalid')
    for (const width of ['1e9px', '10vw', 'calc(1px)', '9'.repeat(9), 'expression(x)', ''])
      expect(readExportRequest(searchOf({ width }), '')).toMatchObject({ width: undefined })
  })

  const addresses = soak(1_000, 100_000)

  test(`${counted(addresses)} random ones throw nothing`, { timeout: limit(120_000) }, () => {
    const name = fc.constantFrom(
      'address',
      'primaryAddress',
      'walletIndex',
      'ticket',
      'width',
      'chain',
      'token',
      'x',
    )
    const value = fc.oneof(
      fc.string({ maxLength: 50 }),
      fc.constantFrom(ethereum, solana, '-1', '1e3', 'constructor'),
    )
    const search = fc
      .array(fc.tuple(name, value), { maxLength: 8 })
      .map((pairs) => `?${new URLSearchParams(pairs)}`)
    let read = 0
    fc.assert(
      fc.property(fc.oneof(search, fc.string()), fc.string(), (text, fragment) => {
        const request = readExportRequest(text, fragment)
        if (typeof request === 'object') read++
        return typeof request === 'object' || ['token', 'invalid'].includes(request)
      }),
      { numRuns: addresses, seed: 20_261_120 },
    )
    console.log(`Random addresses of the export page: ${counted(addresses)}, 0 thrown, ${read} complete`)
  })
})

describe('the theme', () => {
  const rgb = fc.tuple(
    ...[0, 1, 2].map(() => fc.integer({ min: 0, max: 255 })),
  ) as unknown as fc.Arbitrary<Rgb>
  const numbersOf = (text = '') => text.match(/\d+/g)?.map(Number) as unknown as Rgb

  test('is the host’s where it can be read', () => {
    const host: HostColors = {
      background: [255, 255, 255],
      background2: [242, 243, 247],
      foreground3: [91, 96, 112],
      foregroundAccent: [255, 255, 255],
      accent: [79, 70, 229],
      accentDark: [67, 56, 202],
      success: [11, 122, 75],
    }
    expect(themeOf(host)).toEqual({
      'color-scheme': 'light',
      '--background': 'rgb(255 255 255)',
      '--surface': 'rgb(242 243 247)',
      '--text': 'rgb(0 0 0)',
      '--muted': 'rgb(91 96 112)',
      '--accent': 'rgb(79 70 229)',
      '--accent-hover': 'rgb(67 56 202)',
      '--on-accent': 'rgb(255 255 255)',
      '--success': 'rgb(11 122 75)',
    })
    expect(themeOf({ accent: [1, 2, 3] })).toEqual({})
  })

  const themes = soak(300, 20_000)

  test(`never hides a word: of ${counted(themes)} random ones every text can be read`, () => {
    fc.assert(
      fc.property(fc.record(Object.fromEntries(exportColors.map((name) => [name, rgb]))), (host) => {
        const theme = themeOf(host as HostColors)
        const pair = (ink: string, under: string) =>
          contrast(numbersOf(theme[`--${ink}`]), numbersOf(theme[`--${under}`])) >= 4.5
        return [
          ...[pair('text', 'background'), pair('text', 'surface'), pair('muted', 'background')],
          ...[pair('success', 'background'), pair('on-accent', 'accent'), pair('on-accent', 'accent-hover')],
        ].every(Boolean)
      }),
      { numRuns: themes, seed: 7 },
    )
  })
})

describe('the hello', () => {
  const port = () => {
    const sent: unknown[] = []
    return {
      sent,
      onmessage: null as ((event: MessageEvent) => void) | null,
      postMessage: (m: unknown) => sent.push(m),
    }
  }
  const origins = [hostOrigin]
  const say = (to: ReturnType<typeof port>, data: unknown) => to.onmessage?.({ data } as MessageEvent)

  test('counts once, from the parent and an allowed origin, and so does the token', async () => {
    const { page, deliver, hearing } = createPage()
    const met = connectToPage(page, origins, systemClock)
    const wrong = port()
    const [first, second] = [port(), port()]
    await deliver(exportHello, { source: {}, ports: [wrong] })
    await deliver(exportHello, { origin: 'https://evil.example', ports: [wrong] })
    await deliver({ type: exportHello }, { ports: [wrong] })
    await deliver(exportHello)
    await deliver(exportHello, { ports: [wrong, wrong] })
    expect([hearing.size, wrong.onmessage]).toEqual([1, null])
    await deliver(exportHello, { ports: [first] })
    await deliver(exportHello, { ports: [second] })
    await new Promise((resolve) => setImmediate(resolve))
    for (const odd of [null, {}, { type: 'token' }, { type: 'token', accessToken: 5 }, 'token'])
      say(first, odd)
    say(first, { type: 'token', accessToken: 'mine' })
    say(first, { type: 'token', accessToken: 'another' })
    const line = await met
    expect([line.accessToken, hearing.size, first.onmessage, second.onmessage]).toEqual([
      'mine',
      0,
      null,
      null,
    ])
    line.send({ type: 'ready' })
    expect([first.sent, second.sent, wrong.sent]).toEqual([[{ type: 'ready' }], [], []])
  })

  test('is waited for no longer than thirty seconds', async () => {
    const clock = testClock()
    const { page, hearing } = createPage()
    const met = connectToPage(page, origins, clock).catch((cause: Error) => cause.name)
    await clock.advance(30_000)
    expect([await met, hearing.size]).toEqual(['TimedOut', 0])
  })
})

test('messages over the port are read by hand, and what is unknown is nothing', () => {
  const good = [
    { type: 'ready' },
    { type: 'height', height: 44.5 },
    { type: 'failed', error: { type: 'wallet_not_on_device', message: 'x' } },
    { type: 'exported', what: 'key', how: 'copied' },
  ]
  for (const news of good) expect(readExportMessage(news)).toEqual(news)
  expect(readExportMessage({ type: 'failed', error: 'x' })).toEqual({
    type: 'failed',
    error: { type: 'error', message: '' },
  })
  for (const odd of [
    null,
    'ready',
    {},
    { type: 'key' },
    { type: 'height', height: -1 },
    { type: 'height', height: '9' },
  ])
    expect(readExportMessage(odd)).toBeUndefined()
  for (const odd of [
    { type: 'exported', what: 'all', how: 'shown' },
    { type: 'exported', what: 'key', how: 'sent' },
  ])
    expect(readExportMessage(odd)).toBeUndefined()
  expect(readExportToken({ type: 'token', accessToken: 't' })).toEqual({ type: 'token', accessToken: 't' })
  expect(readExportToken({ type: 'token', accessToken: 't', ['__proto__']: { x: 1 } })).toBeUndefined()
})
