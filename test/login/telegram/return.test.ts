import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../../src/login/redirect/complete.ts'
import '../../../src/login/telegram/service.ts'
import '../../../src/login/telegram/flow.ts'
import { memoryStorage } from '../../../src/lib/storage.ts'
import { takeReturn } from '../../../src/protocol/address-bar.ts'
import { readReturn } from '../../../src/protocol/returns.ts'
import { peekMiniApp } from '../../../src/protocol/telegram-return.ts'
import { appId, sessionBody, wireUser } from '../../support/api.ts'
import { settled, testClock } from '../../support/clock.ts'
import { type KitSetUp, kitWithPerson, paths } from '../../support/kit.ts'
import { soak } from '../../support/soak.ts'
import { telegramAccount, telegramConfig, telegramPage, telegramResult } from '../../support/telegram.ts'

const authenticate = '/api/v1/telegram/authenticate'
const home = 'https://host.example/app?a=1'
const key = `lk:${appId}:telegram`
const brought = `${home}&${new URLSearchParams(
  Object.entries(telegramResult).map(([name, value]) => [name, String(value)]),
)}`
/** What a kit asks for by itself, whoever comes. */
const ownCalls: readonly string[] = [paths.config, paths.analytics]

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

interface Arrival extends KitSetUp {
  address?: string
  /** What this tab has stored of a login that it began. */
  flow?: object
  inside?: 'app' | 'frame' | 'other frame'
}

async function arrive({ address = home, flow, inside, ...more }: Arrival = {}) {
  const telegram = telegramPage({ framed: inside?.includes('frame') ?? false })
  if (inside === 'app') telegram.window.TelegramWebviewProxy = { postEvent() {} }
  if (inside?.includes('frame')) {
    const parent = inside === 'frame' ? 'https://telegram.example' : 'https://evil.example'
    telegram.window.location = { ancestorOrigins: [parent] }
  }
  telegram.page.goTo(address)
  const taken = takeReturn(telegram.page)
  const returned = taken ? readReturn(taken) : peekMiniApp(telegram.page)
  const clock = testClock()
  const tabStorage = more.tabStorage ?? memoryStorage()
  const began = { leftAt: clock.now() - 60_000, disableSignup: false, headless: false }
  if (flow) tabStorage.set(key, JSON.stringify({ ...began, ...flow }))
  const user = wireUser('did:privy:u1', { linked_accounts: [telegramAccount] })
  const set = await kitWithPerson({
    ...more,
    tabStorage,
    page: telegram.page,
    accounts: [telegramAccount],
    returned,
    app: { ...telegramConfig, ...more.app },
    routes: { [authenticate]: { body: await sessionBody(clock, { user }) }, ...more.routes },
  })
  const heard: unknown[] = []
  set.kit.on('login', ({ loginMethod }) => heard.push(loginMethod))
  await set.kit.whenReady()
  await settled()
  await set.clock.advance(2_000)
  await settled()
  const asked = set.api.calls.map(({ path }) => path).filter((path) => !ownCalls.includes(path))
  return { ...set, telegram, heard, asked, address: () => telegram.page.address() }
}

describe('back from Telegram by redirect', () => {
  test('the login goes on where it was, and the address bar is clean', async () => {
    const { heard, api, person, clock, address, tabStorage, kit } = await arrive({
      address: brought,
      flow: {},
    })
    expect(person.trace().join(' ')).toMatch(/^(starting )?telegram telegram/)
    await clock.advance(3_000)
    expect(heard).toEqual(['telegram'])
    expect(kit.user?.telegram?.telegramUserId).toBe('42')
    expect(api.to(authenticate)[0]?.body).toEqual({
      telegram_auth_result: telegramResult,
      mode: 'login-or-sign-up',
    })
    expect(address()).toBe(home)
    expect(tabStorage.get(key)).toBeUndefined()
  })

  test('with the options that it had', async () => {
    const { api } = await arrive({ address: brought, flow: { disableSignup: true } })
    expect(api.to(authenticate)[0]?.body).toMatchObject({ mode: 'no-signup' })
  })

  test('without a dialog where the host draws its own', async () => {
    const { heard, person } = await arrive({ address: brought, flow: { headless: true } })
    expect([heard, person.trace()]).toEqual([['telegram'], []])
  })

  test.each<[string, Arrival]>([
    ['no login', {}],
    ['one that was too long ago', { flow: { leftAt: Date.UTC(2026, 0, 1) - 600_001 } }],
    ['one of the future', { flow: { leftAt: Date.UTC(2026, 0, 1) + 60_000 } }],
    ['something else', { flow: { leftAt: 'now' } }],
  ])('a tab that remembers %s logs nobody in and asks nobody, but cleans up', async (_, arrival) => {
    const { heard, asked, person, address } = await arrive({ address: brought, ...arrival })
    expect([heard, asked, person.trace()]).toEqual([[], [], []])
    expect(address()).toBe(home)
  })
})

const webAppUser = JSON.stringify({ id: 42, first_name: 'Ann' })
const startData = `query_id=AAE&user=${encodeURIComponent(webAppUser)}&auth_date=1767225600&hash=${'c'.repeat(64)}`
const started = `${home}#tgWebAppData=${encodeURIComponent(startData)}&tgWebAppVersion=8.0`

describe('a mini app', () => {
  test.each(['app', 'frame'] as const)('inside of Telegram (%s) logs in by itself', async (inside) => {
    const { heard, api, clock, address, kit } = await arrive({ address: started, inside })
    await clock.advance(3_000)
    expect(heard).toEqual(['telegram'])
    expect(kit.user?.telegram?.telegramUserId).toBe('42')
    expect(api.to(authenticate)[0]?.body).toEqual({
      telegram_web_app_data: {
        query_id: 'AAE',
        user: webAppUser,
        auth_date: 1_767_225_600,
        hash: 'c'.repeat(64),
      },
      mode: 'login-or-sign-up',
    })
    expect(address()).toBe(home)
  })

  test('that is loaded again after a logout stays out', async () => {
    const first = await arrive({ address: started, inside: 'app' })
    await first.clock.advance(3_000)
    await first.kit.logout()
    const again = await arrive({ address: started, inside: 'app', tabStorage: first.tabStorage })
    expect([again.heard, again.asked]).toEqual([[], []])
  })

  test('that is loaded again while somebody is in does not log in once more', async () => {
    const first = await arrive({ address: started, inside: 'app' })
    await first.clock.advance(3_000)
    const again = await arrive({ address: started, inside: 'app', storage: first.storage })
    expect(again.kit.authenticated).toBe(true)
    expect(again.asked).toEqual([paths.me])
  })

  test.each<[string, Arrival, string]>([
    ['outside of Telegram', {}, home],
    ['in somebody else’s frame', { inside: 'other frame' }, home],
    ['with data that are none', { address: `${home}#tgWebAppData=user%3Dx`, inside: 'app' }, home],
  ])('%s logs nobody in, and is cleaned up', async (_, arrival, expected) => {
    const { heard, api, address, person } = await arrive({ address: started, ...arrival })
    expect([heard, api.to(authenticate), person.trace()]).toEqual([[], [], []])
    expect(address()).toBe(expected)
  })

  test.each([
    [
      'seamless login off',
      { telegram_auth_config: { ...telegramConfig.telegram_auth_config, seamless_auth_enabled: false } },
    ],
    ['the method off', { telegram_auth: false }],
    ['no bot', { telegram_auth_config: undefined }],
  ])('of an app with %s is none of ours: its fragment is the page’s own', async (_, app) => {
    const { heard, asked, address, person } = await arrive({ address: started, inside: 'app', app })
    expect([heard, asked, person.trace()]).toEqual([[], [], []])
    expect(address()).toBe(started)
  })

  test('sends the same data again when the server could not be reached, and asks anew when they are no good', async () => {
    const ok = { body: await sessionBody(testClock(), { user: wireUser('did:privy:u1') }) }
    const busy = { status: 429, body: { error: 'Wait', code: 'too_many_requests' } }
    const used = { status: 401, body: { error: 'Used', code: 'invalid_credentials' } }
    const { person, api, telegram, clock } = await arrive({
      address: started,
      inside: 'app',
      routes: { [authenticate]: [busy, used, ok] },
    })
    await person.follow([
      { on: 'telegram', expect: (props) => expect(props).toMatchObject({ asks: false }), answer: 'retry' },
    ])
    await settled()
    expect(api.to(authenticate).map(({ body }) => Object.keys(body ?? {})[0])).toEqual([
      ...['telegram_web_app_data', 'telegram_web_app_data'],
    ])
    expect(telegram.windows).toHaveLength(0)
    await person.follow([
      { on: 'telegram', expect: (props) => expect(props).toMatchObject({ asks: true }), answer: 'retry' },
    ])
    await settled()
    telegram.asked[0]?.answer(telegramResult)
    await clock.advance(3_000)
    expect(Object.keys(api.to(authenticate)[2]?.body ?? {})[0]).toBe('telegram_auth_result')
  })
})

const crafted = soak(40, 200)
test(`of ${crafted} crafted addresses none logs anybody in or asks for anything`, async () => {
  const names = Object.keys(telegramResult)
  let seed = 5
  const upTo = (end: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % end
  }
  for (let i = 0; i < crafted; i++) {
    const fields = Object.entries(telegramResult).map(
      ([name, value]) => [name, String(value)] as [string, string],
    )
    if (upTo(2)) fields.push(...fields.slice(upTo(names.length), names.length))
    if (upTo(2)) fields.splice(upTo(fields.length), 1)
    const fragment = upTo(3) ? '' : started.slice(started.indexOf('#'))
    const { heard, asked, person } = await arrive({
      address: `${home}&${new URLSearchParams(fields)}${fragment}`,
      ...(upTo(2) && { inside: 'other frame' as const }),
    })
    expect([heard, asked, person.trace()]).toEqual([[], [], []])
  }
})
