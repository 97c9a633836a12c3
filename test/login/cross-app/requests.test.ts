import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import type { TypedDataInput } from '../../../src/kit/api.ts'
import '../../../src/kit/host/cross-app.ts'
import '../../../src/ethereum/transaction.ts'
import '../../../src/ethereum/typed-data.ts'
import type { KitError } from '../../../src/errors/kit-error.ts'
import { memoryStorage } from '../../../src/lib/storage.ts'
import { appId, sessionBody, wireUser } from '../../support/api.ts'
import { type TestClock, testClock } from '../../support/clock.ts'
import { kitWithProviders, pageWithWindows, response, type Sender, until } from '../../support/oauth.ts'

const api = 'https://api.example'
const harbor = 'latchkey-unit-other-app-1'
const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const onSolana = '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK'
const smart = '0x00000000000000000000000000000000000000A1'
const signature = `0x${'ab'.repeat(65)}`
const hash = `0x${'cd'.repeat(32)}`
const account = {
  type: 'cross_app',
  subject: 'did:privy:there',
  provider_app_id: harbor,
  embedded_wallets: [{ address }, { address: onSolana }],
  smart_wallets: [{ address: smart }],
}
const key = `lk:${appId}:cross-app`
const typed = {
  domain: { name: 'Harbor', chainId: 1 },
  types: { Vote: [{ name: 'weight', type: 'uint256' }] },
  primaryType: 'Vote',
  message: { weight: 12n },
}
const responded = (result: string, more: object = {}) => ({
  type: 'PRIVY_CROSS_APP_ACTION_RESPONSE',
  result,
  ...more,
})
const failed = (error: unknown, more: object = {}) => ({
  type: 'PRIVY_CROSS_APP_ACTION_ERROR',
  error,
  ...more,
})

const tokenFor = (clock: TestClock, { sub = account.subject, life = 3_600, n = 0 } = {}) =>
  new SignJWT({ sub, n })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(Math.floor(clock.now() / 1000) + life)
    .sign(new Uint8Array(32))

interface SetUp {
  customApi?: string | null
  readOnly?: boolean
  connected?: boolean
  /** The stored token; a good one by default, and none with `null`. */
  token?: string | null
  blocked?: boolean
  /** The user of the other app with whom they log in there again. */
  linkedAs?: string
}

/** A user who is logged in and has an account of another app, with a wallet there. */
async function setUp({ customApi = null, readOnly = false, connected = true, ...more }: SetUp = {}) {
  const clock = testClock()
  const storage = memoryStorage()
  const token = more.token === undefined ? await tokenFor(clock) : more.token
  if (token !== null) storage.set(key, JSON.stringify({ [harbor]: token }))
  const accounts = [...wireUser().linked_accounts, account]
  const user = wireUser('did:privy:u1', { linked_accounts: accounts })
  const linkedToken = await tokenFor(clock, { n: 1, ...(more.linkedAs && { sub: more.linkedAs }) })
  let blocked = more.blocked ?? false
  const connection = {
    provider_app_id: harbor,
    provider_app_name: 'Harbor',
    provider_app_icon_url: 'https://harbor.example/icon.png',
    provider_app_custom_api_url: customApi,
    read_only: readOnly,
  }
  const made = await kitWithProviders({
    clock,
    storage,
    accounts,
    windows: pageWithWindows({ blocked: () => blocked }),
    routes: {
      [`/api/v1/apps/${appId}/cross-app/connections`]: {
        body: { connections: connected ? [connection] : [] },
      },
      [`/api/v1/apps/${harbor}/cross-app/details`]: { body: { name: 'Harbor', icon_url: null } },
      '/api/v1/passwordless/authenticate': { body: await sessionBody(clock, { user }) },
      '/api/v1/sessions': { body: await sessionBody(clock, { user }) },
      '/api/v1/oauth/link': {
        body: { ...user, oauth_tokens: { provider: `privy:${harbor}`, access_token: linkedToken } },
      },
    },
  })
  const { kit, person, opened, say } = made
  await kit.email.sendCode({ email: 'ada@example.com' })
  await kit.email.loginWithCode({ code: '123456' })
  await kit.crossApp.prepare()
  const outcome = <T>(work: Promise<T>) =>
    work.then(
      (value) => ({ value, error: undefined }),
      (error: KitError) => ({ value: undefined, error }),
    )
  return {
    ...made,
    token,
    linkedToken,
    unblock() {
      blocked = false
    },
    outcome,
    sign: (message = 'Hello') => outcome(kit.crossApp.signMessage(message, { address })),
    /** Lets everything run until the window of a request has gone somewhere. */
    async asked(at = 0) {
      const went = await until(() => opened[at]?.went)
      const { origin, pathname, searchParams } = new URL(went)
      return {
        place: origin + pathname,
        token: searchParams.get('token'),
        request: JSON.parse(searchParams.get('request') ?? 'null'),
      }
    },
    answer: (data: unknown, sender: Sender = {}) => say(data, { origin: api, ...sender }),
    stored: () => JSON.parse(storage.get(key) ?? '{}'),
    props: () => person.scene?.props as Record<string, unknown> | undefined,
    phase: (wanted: string) =>
      until(() => (person.scene?.props as { phase?: string } | undefined)?.phase === wanted),
    detail: () => (person.scene?.props as { failure?: { detail: string } } | undefined)?.failure?.detail,
  }
}

describe('kit.crossApp', () => {
  test('signMessage: opens the other app’s page with token and request, and resolves with its signature', async () => {
    const { sign, asked, answer, opened, token, clock, person, kit, props } = await setUp()
    const heard: unknown[] = []
    kit.on('signature', (detail) => heard.push(detail))
    const signing = sign()
    expect(await asked()).toEqual({
      place: `${api}/oauth/transact`,
      token,
      request: {
        content: { request: { request: { method: 'personal_sign', params: ['Hello', address] } } },
        timestamp: clock.now(),
        callbackUrl: 'https://host.example',
      },
    })
    expect(props()).toMatchObject({
      phase: 'window',
      name: 'Harbor',
      icon: 'https://harbor.example/icon.png',
    })
    answer(responded(signature))
    expect((await signing).value).toEqual({ signature })
    expect([opened.length, opened[0]?.closed, person.ends]).toEqual([1, true, [{ completed: true }]])
    expect(heard).toEqual([{ signature, address }])
  })

  test('kit.signMessage and kit.signTypedData ask the other app where their address is its wallet', async () => {
    const { kit, outcome, asked, answer } = await setUp()
    const results = [
      () => kit.signMessage({ message: 'Hello' }, { address: address.toLowerCase() }),
      () => kit.signMessage('Hello', {}, address),
      () => kit.signTypedData(typed, { address }),
    ]
    const values: unknown[] = []
    for (const [at, sign] of results.entries()) {
      const signing = outcome<unknown>(sign())
      await asked(at)
      answer(responded(signature))
      values.push((await signing).value)
    }
    expect(values).toEqual([{ signature }, signature, { signature }])
  })

  test('signMessage: text that looks like hex is sent as the bytes of that text', async () => {
    const { sign, asked, answer } = await setUp()
    const signing = sign('0x41')
    const { request } = await asked()
    expect(request.content.request.request.params[0]).toBe('0x30783431')
    answer(responded(signature))
    await signing
  })

  test('signTypedData: writes bigints as text', async () => {
    const { kit, outcome, asked, answer } = await setUp()
    const signing = outcome(kit.crossApp.signTypedData(typed, { address }))
    const { request } = await asked()
    const [wallet, data] = request.content.request.request.params
    expect([wallet, data.message, request.content.request.request.method]).toEqual([
      ...[address, { weight: '12' }, 'eth_signTypedData_v4'],
    ])
    answer(responded(signature))
    expect((await signing).value).toEqual({ signature })
  })

  test('sendTransaction: names the wallet, and resolves with the hash', async () => {
    const { kit, outcome, asked, answer } = await setUp()
    const heard: unknown[] = []
    kit.on('submitted', (detail) => heard.push(detail))
    const to = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
    const sending = outcome(
      kit.crossApp.sendTransaction({ to, value: 10n ** 15n, chainId: 8453 }, { address }),
    )
    const { request } = await asked()
    expect(request.content.request.request).toEqual({
      method: 'eth_sendTransaction',
      params: [{ from: address, to, value: '0x38d7ea4c68000', data: '0x', chainId: 8453 }],
    })
    answer(responded(hash))
    expect((await sending).value).toEqual({ transactionHash: hash })
    expect(heard).toEqual([{ transactionHash: hash, chain: 'eip155:8453', address }])
  })

  test('the other app’s own API serves its page, and its answers count from there alone', async () => {
    const own = 'https://own.harbor.example'
    const { sign, asked, answer, phase } = await setUp({ customApi: own })
    const signing = sign()
    expect((await asked()).place).toBe(`${own}/oauth/transact`)
    answer(responded(`0x${'ee'.repeat(65)}`))
    await phase('window')
    answer(responded(signature), { origin: own })
    expect((await signing).value).toEqual({ signature })
  })

  test('the address of a smart account of the other app is one of its wallets', async () => {
    const { kit, outcome, asked, answer } = await setUp()
    const signing = outcome(kit.crossApp.signMessage('Hello', { address: smart.toLowerCase() }))
    await asked()
    answer(responded(signature))
    expect((await signing).value).toEqual({ signature })
  })

  test.each([
    ['another window of the same origin', { source: {} }],
    ['no window, while its own is open', { source: null }],
    ['the page itself', { source: 'page' }],
    ['its window on another site', { origin: 'https://evil.example' }],
    ['its window on a site whose name begins alike', { origin: `${api}.evil.example` }],
    ['its window on another port', { origin: `${api}:8443` }],
  ] as const)('an answer of %s is none', async (_, sender) => {
    const { sign, asked, answer, phase, stored, token } = await setUp()
    const signing = sign()
    await asked()
    answer(responded(`0x${'ee'.repeat(65)}`, { token: { action: 'clear' } }), { source: 1, ...sender })
    answer(failed('User rejected request'), { source: 1, ...sender })
    await phase('window')
    expect(stored()).toEqual({ [harbor]: token })
    answer(responded(signature))
    expect((await signing).value).toEqual({ signature })
  })

  test('messages of the window that are no answers are passed over', async () => {
    const { sign, asked, answer } = await setUp()
    const signing = sign()
    await asked()
    for (const data of [
      ...[null, 'x', {}, { type: 'PRIVY_CROSS_APP_ACTION_RESPONSE' }, responded(''), { result: signature }],
      ...[{ type: 'PRIVY_OAUTH_RESPONSE', result: signature }, responded(7 as never)],
    ])
      answer(data)
    answer(responded(signature))
    expect((await signing).value).toEqual({ signature })
  })

  test('a result of another kind is refused, in words', async () => {
    const { sign, asked, answer, phase, person, errors } = await setUp()
    const signing = sign()
    await asked()
    answer(responded(hash))
    await phase('failed')
    expect(errors.map(({ code }) => code)).toEqual(['malformed_response'])
    person.close()
    expect((await signing).error?.code).toBe('unable_to_sign')
  })
})

describe('the other app’s token', () => {
  test('that comes with an answer takes the place of the stored one; one that is over doesn’t', async () => {
    const { sign, asked, answer, stored, clock, token } = await setUp()
    const old = await tokenFor(clock, { life: 10 })
    const next = await tokenFor(clock, { n: 2 })
    const first = sign()
    await asked()
    answer(responded(signature, { token: { action: 'set', value: old } }))
    await first
    expect(stored()).toEqual({ [harbor]: token })
    const second = sign()
    await asked(1)
    answer(responded(signature, { token: { action: 'set', value: next } }))
    await second
    expect(stored()).toEqual({ [harbor]: next })
  })

  test('is dropped where the answer says so, also of an error', async () => {
    const { sign, asked, answer, stored, phase, person, detail } = await setUp()
    const signing = sign()
    await asked()
    answer(failed('Transactions require a valid token', { token: { action: 'clear' } }))
    await phase('failed')
    expect([stored(), detail()]).toEqual([{}, 'Transactions require a valid token'])
    person.close()
    expect((await signing).error?.code).toBe('unable_to_sign')
  })

  test.each([
    ['missing', null],
    ['unreadable', 'x'],
  ])(
    'that is %s: the user logs in there first, in the same window, and another press opens the request',
    async (_, token) => {
      const {
        sign,
        begun,
        say,
        person,
        opened,
        asked,
        answer,
        linkedToken,
        kit,
        phase,
        api: calls,
      } = await setUp({ token })
      const linked: unknown[] = []
      kit.on('linked', ({ method }) => linked.push(method))
      const signing = sign()
      const { state_code } = await begun()
      await until(() => opened[0]?.went)
      say(response(state_code))
      await until(() => calls.to('/api/v1/oauth/link').length)
      await person.follow([{ wait: 2_000 }])
      await phase('ready')
      await person.follow([['cross-app-request', 'open']])
      const request = await asked(1)
      expect(request.token).toBe(linkedToken)
      answer(responded(signature))
      expect([(await signing).value, linked]).toEqual([{ signature }, [`privy:${harbor}`]])
    },
  )

  test('that names another user of the other app is not used', async () => {
    const clock = testClock()
    const { sign, begun, person } = await setUp({ token: await tokenFor(clock, { sub: 'did:privy:else' }) })
    const signing = sign()
    expect((await begun()).provider).toBe(`privy:${harbor}`)
    person.close()
    expect((await signing).error?.code).toBe('unable_to_sign')
  })

  test('a login there with another account leads to words, and to no request', async () => {
    const {
      sign,
      begun,
      say,
      person,
      opened,
      api: calls,
      phase,
      detail,
    } = await setUp({ token: null, linkedAs: 'did:privy:else' })
    const signing = sign()
    const { state_code } = await begun()
    await until(() => opened[0]?.went)
    say(response(state_code))
    await until(() => calls.to('/api/v1/oauth/link').length)
    await person.follow([{ wait: 2_000 }])
    await phase('failed')
    expect([detail(), opened.length]).toEqual(['Cannot request a signature with this wallet address', 1])
    await person.follow([['cross-app-request', 'close']])
    expect((await signing).error?.code).toBe('cross_app_invalid_wallet')
  })
})

describe('it ends in words where', () => {
  test.each([
    ['the app is not connected', { connected: false }, 'Invalid connected app', 'cross_app_invalid_app'],
    [
      'its accounts are read-only',
      { readOnly: true },
      'Cannot transact against a read-only provider app',
      'cross_app_read_only',
    ],
  ] as const)('%s, and no window goes there', async (_, options, words, code) => {
    const { sign, phase, detail, person, opened, errors } = await setUp(options)
    const signing = sign()
    await phase('failed')
    expect([detail(), opened[0]?.went]).toEqual([words, undefined])
    await person.follow([['cross-app-request', 'close']])
    expect((await signing).error).toMatchObject({ code, shortMessage: words })
    expect([errors.map((error) => error.code), opened.every(({ closed }) => closed)]).toEqual([[code], true])
  })

  test.each([
    ['Cannot request a signature with this wallet address', 'cross_app_invalid_wallet', undefined],
    ['Failed to initialize signature request', 'cross_app_request_error', undefined],
    ['Request timeout', 'popup_timeout', undefined],
    ['Visit evil.example to go on', 'cross_app_request_error', 'Something went wrong. Try again.'],
  ])('the other app answers %s', async (text, code, shown = text) => {
    const { sign, asked, answer, phase, detail, person, errors } = await setUp()
    const signing = sign()
    await asked()
    answer(failed(text))
    await phase('failed')
    expect([detail(), errors.map((error) => error.code)]).toEqual([shown, [code]])
    person.close()
    await signing
  })

  test('the other app answers with an object: its message counts', async () => {
    const { sign, asked, answer } = await setUp()
    const signing = sign()
    await asked()
    answer(failed({ message: 'User rejected request' }))
    expect((await signing).error).toMatchObject({
      code: 'unable_to_sign',
      shortMessage: 'User rejected request',
    })
  })

  test('the user rejects it there: the dialog closes by itself', async () => {
    const { sign, asked, answer, person, errors } = await setUp()
    const signing = sign()
    await asked()
    answer(failed('User rejected request'))
    expect((await signing).error?.code).toBe('unable_to_sign')
    expect([person.ends, errors]).toEqual([[{ completed: false, code: 'unable_to_sign' }], []])
  })

  test('the window is closed, after its check of 300 ms; the retry opens another one', async () => {
    const { sign, asked, answer, opened, phase, detail, person } = await setUp()
    const signing = sign()
    await asked()
    opened[0]?.close()
    await person.follow([{ wait: 600 }])
    await phase('failed')
    expect(detail()).toBe('User rejected request')
    await person.follow([['cross-app-request', 'retry']])
    await asked(1)
    answer(responded(signature))
    expect((await signing).value).toEqual({ signature })
  })

  test('nothing is answered for 120 s', async () => {
    const { sign, asked, phase, detail, person, opened, errors } = await setUp()
    const signing = sign()
    await asked()
    await person.follow([{ wait: 119_000 }])
    await phase('window')
    await person.follow([{ wait: 1_000 }])
    await phase('failed')
    expect([detail(), opened[0]?.closed, errors[0]?.code]).toEqual(['Request timeout', true, 'popup_timeout'])
    person.close()
    await signing
  })

  const send = ({ kit, outcome }: Awaited<ReturnType<typeof setUp>>) =>
    outcome(kit.crossApp.sendTransaction({ to: smart, value: 5n, chainId: 1 }, { address }))

  test('a transaction that is not answered for 120 s may have been sent: the call says so, and nothing is tried again', async () => {
    const made = await setUp()
    const { asked, phase, props, person, opened, errors, answer } = made
    const sending = send(made)
    await asked()
    await person.follow([{ wait: 119_000 }])
    await phase('window')
    await person.follow([{ wait: 1_000 }])
    await phase('failed')
    expect(props()).toMatchObject({
      failure: {
        title: 'Request timeout',
        detail: 'Your transaction may have been sent. Look in the other app before you send it again.',
        retryable: false,
      },
    })
    expect(opened.map(({ closed }) => closed)).toEqual([true])
    // An answer that comes after all is for nobody.
    answer(responded(hash))
    await person.follow([['cross-app-request', 'close']])
    const { error, value } = await sending
    expect(value).toBeUndefined()
    expect(error).toMatchObject({
      code: 'cross_app_may_be_sent',
      shortMessage: 'Request timeout: the transaction may have been sent',
      data: { mayBeSent: true },
    })
    expect(error?.retryable).toBe(false)
    expect(errors.map(({ code }) => code)).toEqual(['cross_app_may_be_sent'])
    expect(opened).toHaveLength(1)
  })

  test.each([
    ['transaction', true],
    ['message', undefined],
  ])(
    'a window that is closed before it answers: of a %s the error says whether it may be sent',
    async (what, mayBeSent) => {
      const made = await setUp()
      const { sign, asked, opened, phase, detail, person, errors } = made
      const work = what === 'transaction' ? send(made) : sign()
      await asked()
      opened[0]?.close()
      await person.follow([{ wait: 600 }])
      await phase('failed')
      expect(detail()).toBe('User rejected request')
      expect(errors).toMatchObject([{ code: 'popup_closed' }])
      expect((errors[0]?.data as { mayBeSent?: boolean } | undefined)?.mayBeSent).toBe(mayBeSent)
      person.close()
      expect((await work).error?.code).toBe('unable_to_sign')
    },
  )

  test('a request that the other app’s server finds too late was never opened: it may be tried again', async () => {
    const made = await setUp()
    const { asked, answer, phase, detail, person } = made
    const sending = send(made)
    await asked()
    answer(failed('Request timeout'))
    await phase('failed')
    expect(detail()).toBe('Request timeout')
    await person.follow([['cross-app-request', 'retry']])
    await asked(1)
    answer(responded(hash))
    expect((await sending).value).toEqual({ transactionHash: hash })
  })

  test('the window is blocked: a press in the dialog opens it', async () => {
    const { sign, phase, unblock, person, asked, answer, errors } = await setUp({ blocked: true })
    const signing = sign()
    await phase('blocked')
    expect(errors.map(({ code }) => code)).toEqual(['popup_blocked'])
    unblock()
    await person.follow([['cross-app-request', 'open']])
    await asked()
    answer(responded(signature))
    expect((await signing).value).toEqual({ signature })
  })
})

describe('nothing is opened, or stays open, where', () => {
  test.each([
    ['no message', '', 'invalid_message'],
    ['half a surrogate', '\ud800', 'invalid_message'],
  ])('there is %s', async (_, message, code) => {
    const { sign, person, opened } = await setUp()
    expect((await sign(message)).error?.code).toBe(code)
    expect([person.ends, opened.every(({ closed, went }) => closed && !went)]).toEqual([[], true])
  })

  test('no account has the wallet, or it is one of Solana', async () => {
    const { kit, outcome, opened } = await setUp()
    for (const other of [`0x${'0'.repeat(40)}`, undefined, '', onSolana])
      expect(
        (await outcome(kit.crossApp.signMessage('Hello', { address: other as string }))).error,
      ).toMatchObject({
        code: 'cross_app_invalid_wallet',
        shortMessage: 'Cannot request a signature with this wallet address',
      })
    expect(opened.every(({ closed, went }) => closed && !went)).toBe(true)
  })

  test('typed data or a transaction can’t be read, or the request is too long for an address', async () => {
    const { kit, outcome, person } = await setUp()
    for (const request of [
      kit.crossApp.signTypedData({} as TypedDataInput, { address }),
      kit.crossApp.sendTransaction({ to: 'nowhere' }, { address }),
      kit.crossApp.signMessage('x'.repeat(20_000), { address }),
    ]) {
      const { error } = await outcome<unknown>(request)
      expect(error?.code).toBe('invalid_request_arguments')
    }
    expect(person.ends.filter(({ completed }) => completed)).toEqual([])
  })

  test('nobody is logged in', async () => {
    const { kit, outcome } = await setUp()
    await kit.logout()
    const { error } = await outcome(kit.crossApp.signMessage('Hello', { address }))
    expect(error?.code).toBe('must_be_authenticated')
  })

  test('the dialog is closed: the window closes with it, and a late answer is nothing', async () => {
    const { sign, asked, answer, person, opened, stored, token } = await setUp()
    const signing = sign()
    await asked()
    person.close()
    expect((await signing).error?.code).toBe('unable_to_sign')
    expect(opened[0]?.closed).toBe(true)
    answer(responded(signature, { token: { action: 'clear' } }))
    expect(stored()).toEqual({ [harbor]: token })
  })

  test('the host’s signal aborts, or the kit is destroyed', async () => {
    const { kit, outcome, asked, opened } = await setUp()
    const controller = new AbortController()
    const first = outcome(kit.crossApp.signMessage('Hello', { address, signal: controller.signal }))
    await asked()
    controller.abort()
    expect((await first).error).toBeDefined()
    const second = outcome(kit.crossApp.signMessage('Hello', { address }))
    await asked(1)
    kit.destroy()
    expect((await second).error).toBeDefined()
    expect(opened.map(({ closed }) => closed)).toEqual([true, true])
  })
})

test('two requests at once: the second waits without a window, and a press opens it when it is its turn', async () => {
  const { sign, asked, answer, opened, phase, person } = await setUp()
  const [first, second] = [sign('one'), sign('two')]
  expect((await asked()).request.content.request.request.params[0]).toBe('one')
  expect(opened).toHaveLength(1)
  answer(responded(signature))
  await first
  await phase('ready')
  // The answer of a window that is over is none.
  answer(responded(`0x${'ee'.repeat(65)}`), { source: opened[0] })
  await person.follow([['cross-app-request', 'open']])
  expect((await asked(1)).request.content.request.request.params[0]).toBe('two')
  answer(responded(`0x${'ee'.repeat(65)}`), { source: opened[0] })
  answer(responded(signature))
  expect((await second).value).toEqual({ signature })
})
