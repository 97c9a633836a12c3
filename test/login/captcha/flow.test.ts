import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../../src/login/captcha/service.ts'
import '../../../src/login/guest/service.ts'
import type { KitError } from '../../../src/errors/kit-error.ts'
import '../../../src/login/captcha/flow.ts'
import { appId, sessionBody, wireUser } from '../../support/api.ts'
import { settled, testClock } from '../../support/clock.ts'
import { type KitSetUp, kitWithPerson, paths } from '../../support/kit.ts'
import { testPage } from '../../support/page.ts'
import { captchaPage, conducts } from '../../support/turnstile.ts'

const { passes, fails, silent, asks } = conducts
const app = { captcha_enabled: true, captcha_site_key: 't:0xSiteKey' }

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

async function setUp({ vendor, ...more }: KitSetUp & { vendor?: Parameters<typeof captchaPage>[0] } = {}) {
  const captcha = captchaPage(vendor)
  const set = await kitWithPerson({ app, page: testPage({ window: captcha.window }), ...more })
  const shown = () =>
    ({ id: set.person.scene?.screen.id, ...set.person.scene?.props }) as Record<string, unknown>
  const sent = () => set.api.to(paths.init).map(({ body }) => body?.token)
  /** Opens the dialog and gives an address. */
  const begin = async (wishes = {}) => {
    const outcome = set.kit.login(wishes).then(
      () => undefined,
      (error: KitError) => error,
    )
    await set.person.follow([['landing', { email: 'ada@example.com' }]])
    return { outcome }
  }
  return { ...set, captcha, shown, sent, begin }
}

describe('a captcha that is passed', () => {
  test('begins after half a second, is seen for one, and gives its token to the server', async () => {
    const { begin, clock, captcha, shown, sent } = await setUp()
    await begin()
    expect(shown()).toMatchObject({ id: 'captcha', state: 'checking' })
    await clock.advance(499)
    expect(captcha.widgets).toHaveLength(0)
    await clock.advance(1)
    expect(captcha.widgets).toMatchObject([{ executed: 1 }])
    await clock.advance(499)
    expect(shown()).toMatchObject({ id: 'captcha', state: 'checking' })
    await clock.advance(1)
    expect(shown()).toMatchObject({ id: 'captcha', state: 'passed' })
    expect(sent()).toEqual([])
    await clock.advance(900)
    expect(sent()).toEqual(['token-1'])
    expect(shown().id).toBe('enter-code')
    expect(captcha.widgets).toMatchObject([{ removed: true }])
  })

  test('asks the vendor with the key behind t: and for this app', async () => {
    const { begin, clock, captcha } = await setUp({
      app: { captcha_enabled: true, captcha_site_key: 'h:other,t:0xSiteKey' },
    })
    await begin()
    await clock.advance(500)
    expect(captcha.tags).toMatchObject([
      { src: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit' },
    ])
    expect(captcha.widgets[0]?.parameters).toMatchObject({
      sitekey: '0xSiteKey',
      action: appId,
      execution: 'execute',
      appearance: 'interaction-only',
      retry: 'never',
    })
  })

  test.each([
    [320, 'compact'],
    [347, 'compact'],
    [360, undefined],
    [1280, undefined],
  ])('in a window of %i pixels asks for a box that fits it: %s', async (innerWidth, size) => {
    const { begin, clock, captcha } = await setUp()
    Object.assign(captcha.window, { innerWidth })
    await begin()
    await clock.advance(500)
    expect(captcha.widgets[0]?.parameters.size).toBe(size)
  })

  test('loads the script from where the host wants it', async () => {
    const config = { captcha: { scriptUrl: 'https://captcha.host.example/api.js?v=1' } }
    const { begin, clock, captcha } = await setUp({ options: { config } })
    await begin()
    await clock.advance(500)
    expect(captcha.tags).toMatchObject([{ src: 'https://captcha.host.example/api.js?v=1&render=explicit' }])
  })

  test('each code that is sent takes a token of its own', async () => {
    const { begin, clock, person, sent } = await setUp()
    await begin()
    await clock.advance(2_000)
    await person.follow([{ wait: 30_000 }, ['enter-code', 'resend'], { wait: 2_000 }])
    expect(sent()).toEqual(['token-1', 'token-2'])
  })

  test('a slow one is waited for', async () => {
    const { begin, clock, captcha, shown, sent } = await setUp({ vendor: { tries: [silent] } })
    await begin()
    await clock.advance(19_000)
    captcha.widgets[0]?.parameters.callback?.('late')
    await clock.advance(200)
    expect(shown().state).toBe('passed')
    await clock.advance(900)
    expect(sent()).toEqual(['late'])
  })
})

describe('where there is none', () => {
  test('no screen is shown and nothing is loaded', async () => {
    const { begin, captcha, shown, sent } = await setUp({ app: {} })
    await begin()
    expect(shown().id).toBe('enter-code')
    expect(sent()).toEqual([undefined])
    expect(captcha.tags).toEqual([])
  })

  test('is not needed where somebody is already logged in, such as a guest', async () => {
    const guest = wireUser('did:privy:u1', { linked_accounts: [], is_guest: true })
    const { kit, begin, captcha, shown, sent } = await setUp({
      routes: { '/api/v1/guest/authenticate': { body: await sessionBody(testClock(), { user: guest }) } },
    })
    await kit.guest.create()
    await begin()
    expect(shown().id).toBe('enter-code')
    expect(sent()).toEqual([undefined])
    expect(captcha.tags).toEqual([])
  })

  test('the host can’t switch off what the server demands', async () => {
    const { begin, shown } = await setUp({ options: { config: { captchaEnabled: false } } })
    await begin()
    expect(shown().id).toBe('captcha')
  })

  test('the host can switch one on for which the app has a key', async () => {
    const { begin, shown } = await setUp({
      app: { captcha_site_key: 't:0xSiteKey' },
      options: { config: { captchaEnabled: true } },
    })
    await begin()
    expect(shown().id).toBe('captcha')
  })
})

describe('a captcha that is not passed', () => {
  test('says so, and tells the host why', async () => {
    const { begin, clock, shown, errors, sent } = await setUp({ vendor: { tries: [fails] } })
    await begin()
    await clock.advance(1_000)
    expect(shown()).toMatchObject({
      id: 'captcha',
      state: 'failed',
      title: 'Something went wrong',
      detail: 'You did not pass CAPTCHA. Please try again.',
      retryable: true,
    })
    expect(shown().advice).toBeUndefined()
    expect(errors).toMatchObject([{ code: 'captcha_failure', shortMessage: 'Captcha failed' }])
    expect(sent()).toEqual([])
  })

  test('after three retries it is said what may help, and another try is still there', async () => {
    const { begin, clock, person, shown, sent, captcha, errors } = await setUp({
      vendor: { tries: [fails, fails, fails, fails, passes] },
    })
    await begin()
    const advice: unknown[] = []
    for (let failure = 1; failure <= 4; failure++) {
      await clock.advance(1_200)
      advice.push(shown().advice)
      await person.follow([['captcha', 'retry']])
    }
    expect(advice).toEqual([
      undefined,
      undefined,
      undefined,
      'If you use an adblocker or a VPN, turn it off and try again.',
    ])
    await clock.advance(2_000)
    expect(sent()).toEqual(['token-5'])
    expect(captcha.widgets).toMatchObject([{ executed: 5, resets: 4 }])
    expect(errors).toHaveLength(4)
  })

  test('is given up after 20 seconds', async () => {
    const { begin, clock, shown, errors, person, sent } = await setUp({ vendor: { tries: [silent, passes] } })
    await begin()
    await clock.advance(19_900)
    expect(shown().state).toBe('checking')
    await clock.advance(200)
    expect(shown()).toMatchObject({
      state: 'failed',
      title: 'Something went wrong!',
      detail: 'Please try again later.',
    })
    expect(errors).toMatchObject([{ code: 'captcha_timeout', shortMessage: 'Captcha failed' }])
    await person.follow([['captcha', 'retry'], { wait: 2_000 }])
    expect(sent()).toEqual(['token-2'])
  })

  test.each([
    ['blocked', 'fails', 1_000],
    ['loaded for ever', 'hangs', 15_000],
  ] as const)('a script that is %s ends with the advice, and can be tried again', async (_, fate, after) => {
    const { begin, clock, shown, errors, person, sent, captcha } = await setUp({
      vendor: { scripts: [fate, 'loads'] },
    })
    await begin()
    await clock.advance(after + 200)
    expect(shown()).toMatchObject({ state: 'failed', advice: expect.stringContaining('adblocker') })
    expect(errors).toMatchObject([{ code: 'captcha_failure' }])
    await person.follow([['captcha', 'retry'], { wait: 2_000 }])
    expect(captcha.tags).toMatchObject([{ removed: true }, { removed: false }])
    expect(sent()).toEqual(['token-1'])
  })

  test.each([['h:0xOther'], [''], ['0xPlain'], ['t:']])('a site key "%s" is not supported', async (key) => {
    const { begin, clock, shown, errors, captcha } = await setUp({
      app: { captcha_enabled: true, captcha_site_key: key },
    })
    await begin()
    await clock.advance(1_000)
    expect(shown()).toMatchObject({ state: 'failed', retryable: false })
    expect(errors).toMatchObject([
      { code: 'invalid_configuration', shortMessage: 'Unsupported captcha site key' },
    ])
    expect(captcha.tags).toEqual([])
  })

  test('a token that the server refuses: another one is fetched', async () => {
    const refusal = { status: 400, body: { error: 'no', code: 'invalid_captcha' } }
    const { begin, clock, shown, person, sent, captcha } = await setUp({
      routes: { [paths.init]: [refusal, { body: { success: true } }] },
    })
    await begin()
    await clock.advance(2_000)
    expect(shown()).toMatchObject({
      id: 'failure',
      title: 'Something went wrong',
      detail: 'Please try again.',
      action: 'retry',
    })
    await person.follow([['failure', 'retry'], { wait: 2_000 }])
    expect(sent()).toEqual(['token-1', 'token-2'])
    expect(captcha.widgets).toMatchObject([{ removed: true }, { removed: true }])
  })
})

describe('a token that expires', () => {
  test('before it is used: the widget is reset, and the next one is used', async () => {
    const { begin, clock, captcha, shown, sent } = await setUp()
    await begin()
    await clock.advance(1_000)
    expect(shown().state).toBe('passed')
    captcha.widgets[0]?.parameters['expired-callback']?.()
    await clock.advance(2_500)
    expect(captcha.widgets).toMatchObject([{ resets: 1, executed: 2 }])
    expect(sent()).toEqual(['token-2'])
  })

  test('where the reset fails: an error that says so, and a new widget with the next try', async () => {
    const { begin, clock, captcha, shown, errors, person, sent } = await setUp({
      vendor: { resetFails: true },
    })
    await begin()
    await clock.advance(1_000)
    captcha.widgets[0]?.parameters['expired-callback']?.()
    await clock.advance(2_500)
    expect(shown().state).toBe('failed')
    expect(errors).toMatchObject([{ code: 'captcha_failure', details: 'expired_and_failed_reset' }])
    await person.follow([['captcha', 'retry'], { wait: 2_000 }])
    expect(captcha.widgets).toMatchObject([{ removed: true }, { executed: 1 }])
    expect(sent()).toEqual(['token-2'])
  })

  test('after it was used: nothing', async () => {
    const { begin, clock, captcha, sent } = await setUp()
    await begin()
    await clock.advance(2_000)
    captcha.widgets[0]?.parameters['expired-callback']?.()
    await clock.advance(2_000)
    expect(captcha.widgets).toMatchObject([{ resets: 0 }])
    expect(sent()).toEqual(['token-1'])
  })
})

describe('a vendor that asks the person something', () => {
  test('has its box shown, and all the time that people need', async () => {
    const { begin, clock, captcha, shown, sent } = await setUp({ vendor: { tries: [asks] } })
    await begin()
    await clock.advance(600)
    expect(shown()).toMatchObject({ state: 'asking', box: captcha.boxes[0] })
    await clock.advance(100_000)
    expect(shown().state).toBe('asking')
    captcha.widgets[0]?.parameters['after-interactive-callback']?.()
    captcha.widgets[0]?.parameters.callback?.('pressed')
    await clock.advance(1_200)
    expect(sent()).toEqual(['pressed'])
  })

  test('gives up: the captcha times out', async () => {
    const { begin, clock, captcha, shown, errors } = await setUp({ vendor: { tries: [asks] } })
    await begin()
    await clock.advance(30_000)
    captcha.widgets[0]?.parameters['timeout-callback']?.()
    await clock.advance(200)
    expect(shown().state).toBe('failed')
    expect(errors).toMatchObject([{ code: 'captcha_timeout' }])
  })

  test('never gives up: the captcha times out as well', async () => {
    const { begin, clock, shown, errors } = await setUp({ vendor: { tries: [asks] } })
    await begin()
    await clock.advance(301_000)
    expect(shown().state).toBe('failed')
    expect(errors).toMatchObject([{ code: 'captcha_timeout' }])
  })
})

describe('leaving', () => {
  test('back while it checks leads to the landing screen, and nothing is sent', async () => {
    const { begin, clock, person, captcha, shown, sent } = await setUp({ vendor: { tries: [silent] } })
    await begin()
    await clock.advance(700)
    await person.follow([['captcha', 'back']])
    expect(shown()).toMatchObject({ id: 'landing', email: { value: 'ada@example.com' } })
    expect(captcha.widgets).toMatchObject([{ removed: true }])
    captcha.widgets[0]?.parameters.callback?.('late')
    await clock.advance(1_000)
    expect(clock.sleeping).toBe(0)
    expect(shown().id).toBe('landing')
    expect(sent()).toEqual([])
  })

  test('back from the captcha of another sending leads to the code that was sent', async () => {
    const { begin, person, shown, sent } = await setUp({ vendor: { tries: [passes, silent] } })
    await begin()
    await person.follow([
      { wait: 35_000 },
      ['enter-code', 'resend'],
      { wait: 700 },
      ['captcha', 'back'],
      { on: 'enter-code' },
    ])
    expect(shown()).toMatchObject({ to: 'ada@example.com', resendIn: 0 })
    expect(sent()).toEqual(['token-1'])
  })

  test('back from the failure leads to the landing screen', async () => {
    const { begin, clock, person, shown } = await setUp({ vendor: { tries: [fails] } })
    await begin()
    await clock.advance(1_000)
    await person.follow([['captcha', 'back']])
    expect(shown().id).toBe('landing')
  })

  test.each([
    ['before the script is there', 100],
    ['while it checks', 700],
    ['when it was passed', 1_300],
  ])('closing %s ends the login, and nothing is left', async (_, when) => {
    const tries = when > 1_000 ? [passes] : [silent]
    const { begin, clock, person, captcha, kit, sent, errors } = await setUp({ vendor: { tries } })
    const { outcome } = await begin()
    await clock.advance(when)
    person.close()
    expect((await outcome)?.code).toBe('exited_auth_flow')
    await clock.advance(60_000)
    expect(captcha.widgets.every(({ removed }) => removed)).toBe(true)
    expect(clock.sleeping).toBe(0)
    expect([kit.isModalOpen, sent(), errors]).toEqual([false, [], []])
  })
})

describe('without our screens', () => {
  test('gives a token to a host that asks for one', async () => {
    const { kit, clock, captcha, api } = await setUp()
    const token = kit.captcha.token()
    await settled()
    expect(kit.captcha.state.get()).toEqual({ status: 'loading' })
    await clock.advance(700)
    expect(await token).toBe('token-1')
    expect(kit.captcha.state.get()).toEqual({ status: 'done' })
    expect(captcha.widgets).toMatchObject([{ removed: true }])
    expect(captcha.boxes).toMatchObject([{ gone: 1 }])
    await kit.email.sendCode({ email: 'ada@example.com', captchaToken: await token })
    expect(api.to(paths.init)[0]?.body).toMatchObject({ token: 'token-1' })
  })

  test('says why there is none', async () => {
    const { kit, clock } = await setUp({ vendor: { tries: [fails] } })
    const token = kit.captcha.token().catch((error: KitError) => error)
    await clock.advance(1_000)
    expect(await token).toMatchObject({ code: 'captcha_failure' })
    expect(kit.captcha.state.get()).toMatchObject({ status: 'error', error: { code: 'captcha_failure' } })
  })

  test('where the app has none: captcha_disabled', async () => {
    const { kit, clock } = await setUp({ app: {} })
    const token = kit.captcha.token().catch((error: KitError) => error)
    await clock.advance(100)
    expect(await token).toMatchObject({ code: 'captcha_disabled' })
  })

  test('stops when the host no longer wants it', async () => {
    const { kit, clock, captcha } = await setUp({ vendor: { tries: [silent] } })
    const stop = new AbortController()
    const token = kit.captcha.token({ signal: stop.signal }).catch((error: unknown) => error)
    await clock.advance(1_000)
    stop.abort()
    await clock.advance(1_000)
    expect(await token).toBeInstanceOf(Error)
    expect(captcha.widgets).toMatchObject([{ removed: true }])
    expect(clock.sleeping).toBe(0)
  })
})
