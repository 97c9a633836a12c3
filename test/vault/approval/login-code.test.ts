import { afterEach, describe, expect, test, vi } from 'vitest'
import { createTranslate } from '../../../src/copy/copy.ts'
import { Closed, createStage } from '../../../src/dialog/stage.ts'
import { createStore } from '../../../src/lib/store.ts'
import type { ApprovalAnswers, ApprovalRequests } from '../../../src/protocol/frame/approval.ts'
import { loginCode } from '../../../src/vault/approval/login-code/flow.ts'
import type { ApprovalContext } from '../../../src/vault/approval/purpose.ts'
import { createContext } from '../../../src/vault/create-context.ts'
import { apiUrl } from '../support/backend.ts'
import { createDevice, partsOf, quickClock, settings } from '../support/device.ts'

type Asked = ApprovalRequests['login-code']
type Answer = ApprovalAnswers['login-code']
const boxes: Asked = {
  via: 'email',
  to: 'a@example.com',
  shown: 'a@example.com',
  mode: 'login-or-sign-up',
  resendIn: 0,
}
const session = { user: { id: 'u' }, token: 'access', refresh_token: 'the-refresh-token' }

/** What a server does that answers nothing. */
const silences = {
  dropped: () => Promise.reject(new TypeError('Failed to fetch')),
  silent: () => new Promise<never>(() => {}),
}

/** The flow in a frame. The page asks `asked`, one after the other, and `answers` is what it is told. */
function frame(
  asked: readonly [Asked, ...Asked[]],
  replies: Record<string, [number, object]>,
  token?: string,
  network: { is?: keyof typeof silences } = {},
) {
  const sent: {
    path: string
    init: RequestInit
    body: Record<string, unknown>
    proof: Record<string, unknown>
  }[] = []
  const vault = createContext({
    settings,
    clock: quickClock,
    ...partsOf(createDevice()),
    async fetch(url, init = {}) {
      const path = url.slice(`${apiUrl}/api/v1`.length)
      const dpop = new Headers(init.headers).get('dpop') ?? ''
      const proof = JSON.parse(Buffer.from(dpop.split('.')[1] ?? '', 'base64url').toString())
      sent.push({ path, init, body: JSON.parse(String(init.body)), proof })
      if (network.is) return silences[network.is]()
      const [status, body] = replies[path] ?? [500, {}]
      return new Response(JSON.stringify(body), { status })
    },
  })
  const stage = createStage({ clock: quickClock })
  const answers: Answer[] = []
  const shown: unknown[] = []
  const left = [...asked.slice(1)]
  let failed: unknown
  const over = new Promise<void>((resolve) => {
    const cx = {
      vault,
      stage,
      origin: 'https://host.example',
      asked: createStore<Asked>(asked[0]),
      t: createTranslate(),
      tokenText: async () => token,
      shown: (failure: unknown) => shown.push(failure),
      turn(answer: Answer) {
        answers.push(answer)
        const next = left.shift()
        if (next) return Promise.resolve(next)
        resolve()
        return new Promise<never>(() => {})
      },
    } as unknown as ApprovalContext<'login-code'>
    const flow = loginCode(cx)
    flow.catch((cause) => {
      failed = cause
      resolve()
    })
  })
  const seen: Record<string, unknown>[] = []
  /** Answers a screen as soon as it is asked. */
  const on = (id: string) => async (answer: unknown) => {
    await expect.poll(() => stage.scene.get()?.screen.id === id && stage.scene.get()?.busy).toBe(undefined)
    seen.push({ ...stage.scene.get()?.props })
    stage.scene.get()?.answer(answer)
  }
  const type = on('enter-code')
  const told = on('failure')
  return { sent, answers, over, type, told, seen, shown, stage, failure: () => failed }
}

describe('the boxes of a login in the vault', () => {
  test('have the code sent with the proof of this browser, and show nothing meanwhile', async () => {
    const { sent, answers, over, stage } = frame([{ ...boxes, send: { captchaToken: 'human' } }], {
      '/passwordless/init': [200, { success: true }],
    })
    await over
    expect(stage.scene.get()).toBe(undefined)
    expect(answers).toEqual([{ sent: { status: 200, text: '{"success":true}' } }])
    expect(sent.map(({ path, body }) => ({ path, body }))).toEqual([
      { path: '/passwordless/init', body: { email: 'a@example.com', token: 'human' } },
    ])
    expect(sent[0]?.proof).toMatchObject({ htm: 'POST', htu: `${apiUrl}/api/v1/passwordless/init` })
  })

  test('log in with the cookie of the page around, and give the page no refresh token', async () => {
    const { sent, answers, over, type } = frame(
      [boxes],
      { '/passwordless/authenticate': [200, session] },
      'token-of-a-guest',
    )
    await type({ code: '123456' })
    await over
    const [call] = sent
    expect(call?.init.credentials).toBe('include')
    const headers = new Headers(call?.init.headers)
    expect([headers.get('latchkey-session'), headers.get('authorization')]).toEqual([
      'cookie',
      'Bearer token-of-a-guest',
    ])
    // The proof is of the browser alone: the token is somebody's whom the login may end.
    expect(call?.proof).not.toHaveProperty('ath')
    expect(call?.body).toEqual({ email: 'a@example.com', code: '123456', mode: 'login-or-sign-up' })
    expect(JSON.stringify(answers)).not.toContain('the-refresh-token')
    expect(answers).toMatchObject([{ login: { status: 200 } }])
  })

  test('tell the person in the vault’s own words what the page lets them read', async () => {
    const refusal = { error: 'No', code: 'invalid_credentials' }
    const { answers, over, type, seen } = frame([boxes, { ...boxes, failed: true }], {
      '/passwordless/authenticate': [422, refusal],
    })
    await type({ code: '000000' })
    await type('back')
    await over
    expect(seen.map(({ error }) => error)).toEqual([undefined, 'Invalid or expired verification code'])
    expect(answers).toEqual([{ login: { status: 422, text: JSON.stringify(refusal) } }, { wants: 'back' }])
  })

  test('use the paths of messages to phones for numbers', async () => {
    const phone: Asked = { ...boxes, via: 'sms', to: '+4915112345678', shown: '+49 1511 2345678' }
    const { sent, over, type } = frame([{ ...phone, send: {} }, phone], {
      '/passwordless_sms/init': [200, { success: true }],
      '/passwordless_sms/authenticate': [200, session],
    })
    await type({ code: '123456' })
    await over
    expect(sent.map(({ path, body }) => [path, body.phoneNumber])).toEqual([
      ['/passwordless_sms/init', '+4915112345678'],
      ['/passwordless_sms/authenticate', '+4915112345678'],
    ])
  })

  test.each([
    ['mail', { ...boxes, shown: 'somebody.else@example.com' }],
    ['mail', { ...boxes, shown: 'a@example.com, as you asked' }],
    ['a number', { ...boxes, via: 'sms', to: '+4915112345678', shown: '+49 1511 2345679' }],
    ['a number', { ...boxes, via: 'sms', to: '+4915112345678', shown: '+49 1511 2345678 (yours)' }],
  ] as const)('name the address that the code goes to, and none else: %s, %o', async (_, told) => {
    for (const asked of [told, { ...told, send: {} }]) {
      const { sent, answers, over, stage, failure } = frame([asked], { '/passwordless/init': [200, {}] })
      await over
      expect(failure()).toMatchObject({ type: 'invalid_request_arguments' })
      expect([sent, answers, stage.scene.get()]).toEqual([[], [], undefined])
    }
  })

  test('take no other address in the midst of it under the name of the first', async () => {
    const other = { ...boxes, to: 'attacker@example.com' }
    const { sent, over, failure } = frame([{ ...boxes, send: {} }, other], {
      '/passwordless/init': [200, { success: true }],
    })
    await over
    expect(failure()).toMatchObject({ type: 'invalid_request_arguments' })
    expect(sent).toHaveLength(1)
  })
})

describe('a code that the server has not answered to', () => {
  afterEach(() => vi.unstubAllGlobals())
  const goods: Record<string, [number, object]> = { '/passwordless/authenticate': [200, session] }
  const codesIn = (sent: { body: Record<string, unknown> }[]) => [
    ...new Set(sent.map(({ body }) => body.code)),
  ]

  test.each([
    [
      'of a network that the browser knows to be gone',
      'dropped',
      false,
      'network_unavailable',
      'You seem to be offline',
    ],
    ['of a connection that drops unnoticed', 'dropped', true, 'network_unavailable', 'Something went wrong'],
    ['of a server that is silent', 'silent', true, 'client_request_timeout', 'Timed out'],
  ] as const)(
    'is sent off again by the vault itself, which tells the page only that it was not judged, because %s',
    async (_, is, onLine, type, title) => {
      vi.stubGlobal('navigator', { onLine })
      const network: { is?: keyof typeof silences } = { is }
      const at = frame([boxes], goods, undefined, network)
      await at.type({ code: '123456' })
      await at.told('retry')
      await expect.poll(() => at.shown.length).toBe(2)
      expect([at.answers, JSON.stringify(at.shown)]).toEqual([[], expect.not.stringContaining('123456')])
      delete network.is
      await at.told('retry')
      await at.over
      expect(at.shown).toMatchObject([{ type }, { type }])
      expect(at.seen.slice(1)).toMatchObject(Array(2).fill({ title, action: 'retry', back: true }))
      expect(codesIn(at.sent)).toEqual(['123456'])
      expect(at.answers).toMatchObject([{ login: { status: 200 } }])
    },
  )

  test('is forgotten by whoever goes back, and asked for anew', async () => {
    const network: { is?: keyof typeof silences } = { is: 'dropped' }
    const at = frame([boxes, boxes], goods, undefined, network)
    await at.type({ code: '123456' })
    await at.told('back')
    await expect.poll(() => at.answers).toEqual([{ wants: 'back' }])
    delete network.is
    const before = at.sent.length
    await at.type({ code: '654321' })
    await at.over
    expect(codesIn(at.sent.slice(before))).toEqual(['654321'])
    expect(JSON.stringify(at.seen)).not.toContain('123456')
  })

  test('is forgotten once it was judged to be wrong', async () => {
    const network: { is?: keyof typeof silences } = { is: 'dropped' }
    const refusal = { error: 'No', code: 'invalid_credentials' }
    const wrong: typeof goods = { '/passwordless/authenticate': [422, refusal] }
    const at = frame([boxes, { ...boxes, failed: true }, boxes], wrong, undefined, network)
    await at.type({ code: '000000' })
    await expect.poll(() => at.shown.length).toBe(1)
    delete network.is
    await at.told('retry')
    await at.type('resend')
    await expect.poll(() => at.answers.length).toBe(2)
    expect(at.seen.at(-1)).toMatchObject({ error: 'Invalid or expired verification code' })
    expect(JSON.stringify([at.stage.scene.get(), at.seen, at.answers])).not.toContain('000000')
  })

  test('goes with the dialog', async () => {
    const at = frame([boxes], goods, undefined, { is: 'dropped' })
    await at.type({ code: '123456' })
    await expect.poll(() => at.shown.length).toBe(1)
    at.stage.close()
    await at.over
    expect(at.failure()).toBeInstanceOf(Closed)
    expect([at.answers, at.stage.scene.get()]).toEqual([[], undefined])
  })
})
