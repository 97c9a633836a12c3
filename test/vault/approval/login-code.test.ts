import { describe, expect, test } from 'vitest'
import { createTranslate } from '../../../src/copy/copy.ts'
import { createStage } from '../../../src/dialog/stage.ts'
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
  ...{ via: 'email', to: 'a@example.com', shown: 'a@example.com' },
  ...{ mode: 'login-or-sign-up', resendIn: 0 },
}
const session = { user: { id: 'u' }, token: 'access', refresh_token: 'the-refresh-token' }

/** The flow in a frame. The page asks `asked`, one after the other, and `answers` is what it is told. */
function frame(
  asked: readonly [Asked, ...Asked[]],
  replies: Record<string, [number, object]>,
  token?: string,
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
      const [status, body] = replies[path] ?? [500, {}]
      return new Response(JSON.stringify(body), { status })
    },
  })
  const stage = createStage({ clock: quickClock })
  const answers: Answer[] = []
  const left = [...asked.slice(1)]
  let failed: unknown
  const over = new Promise<void>((resolve) => {
    const cx = {
      ...{ vault, stage, origin: 'https://host.example', asked: createStore<Asked>(asked[0]) },
      t: createTranslate(),
      tokenText: async () => token,
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
  /** Answers the boxes as soon as they are asked. */
  async function type(answer: unknown): Promise<void> {
    await expect
      .poll(() => stage.scene.get()?.screen.id === 'enter-code' && stage.scene.get()?.busy)
      .toBe(undefined)
    seen.push({ ...stage.scene.get()?.props })
    stage.scene.get()?.answer(answer)
  }
  return { sent, answers, over, type, seen, stage, failure: () => failed }
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
