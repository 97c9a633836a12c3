import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../../src/kit/host/cross-app-answers.ts'
import '../../../src/kit/wallets/sending.ts'
import '../../../src/ethereum/transaction.ts'
import '../../../src/ethereum/typed-data.ts'
import type { KitError } from '../../../src/errors/kit-error.ts'
import { wireUser } from '../../support/api.ts'
import { testClock } from '../../support/clock.ts'
import { embeddedWallet, type KitSetUp, kitWithPerson, walletAddress } from '../../support/kit.ts'
import { until } from '../../support/oauth.ts'
import { fakeVault } from '../../support/vault.ts'

const signature = `0x${'ab'.repeat(65)}`
const asked = { id: 'r'.repeat(43), appId: 'latchkey-unit-harbor-app1' }
const requester = {
  id: asked.appId,
  name: 'Harbor',
  icon_url: 'https://harbor.example/icon.png',
  origin: 'https://harbor.example',
}
const url = 'https://api.example/oauth/transact/answer?code=c0de'
const paths = { review: '/oauth/transact/review', answer: '/oauth/transact/answer' }
const named = { request_id: asked.id, requester_app_id: asked.appId }
const message = (text: string, address = walletAddress) => ({
  method: 'personal_sign',
  params: [text, address],
})
const typed = {
  types: { Vote: [{ name: 'weight', type: 'uint256' }] },
  domain: { name: 'Harbor', chainId: 1 },
  primaryType: 'Vote',
  message: { weight: '12' },
}

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

/** A user of an app whose wallet another app asks. */
async function setUp(call: object = message('Hello'), more: KitSetUp = {}) {
  const clock = testClock()
  const set = await kitWithPerson({
    clock,
    accounts: [...wireUser().linked_accounts, embeddedWallet],
    vault: fakeVault({
      walletRpc: ({ request }) => ({
        address: walletAddress,
        chainType: 'ethereum',
        response: { method: (request as { method: string }).method, data: signature },
      }),
    }),
    ...more,
    routes: {
      [paths.review]: { body: { requester, ...call, expires_at: clock.now() + 120_000 } },
      [paths.answer]: { body: { url } },
      ...more.routes,
    },
  })
  await set.kit.email.sendCode({ email: 'ada@example.com' })
  await set.kit.email.loginWithCode({ code: '123456' })
  const outcome = (work: Promise<unknown>) =>
    work.then(
      (value) => ({ value, error: undefined }),
      (error: KitError) => ({ value: undefined, error }),
    )
  return {
    ...set,
    respond: () => outcome(set.kit.crossApp.respond(asked)),
    outcome,
    answered: () => set.api.to(paths.answer).map(({ body }) => body),
  }
}

test('request: names the app that asks as the server does, and the kind of its request', async () => {
  const { kit, api, clock } = await setUp()
  expect(await kit.crossApp.request(asked)).toEqual({
    requester: {
      id: asked.appId,
      name: 'Harbor',
      iconUrl: 'https://harbor.example/icon.png',
      origin: 'https://harbor.example',
    },
    kind: 'message',
    expiresAt: clock.now() + 120_000,
  })
  expect(api.to(paths.review)[0]?.body).toEqual(named)
})

describe('respond', () => {
  test('reviews a message as the other app’s, and answers with the signature', async () => {
    const { respond, person, answered } = await setUp()
    const responding = respond()
    const seen: unknown[] = []
    await person.follow([
      { on: 'sign-message', expect: (props) => seen.push(props), answer: 'sign' },
      { wait: 2_000 },
    ])
    expect((await responding).value).toBe(url)
    expect(seen).toMatchObject([
      { message: 'Hello', app: 'Harbor', origin: 'https://harbor.example', address: walletAddress },
    ])
    expect(answered()).toEqual([{ ...named, result: signature }])
  })

  test('signs the bytes of a message in hex', async () => {
    const { respond, person, vault } = await setUp(message('0x30783431'))
    const responding = respond()
    await person.follow([
      { on: 'sign-message', expect: ({ message }) => expect(message).toBe('0x41'), answer: 'sign' },
      { wait: 2_000 },
    ])
    await responding
    expect(vault.asked.at(-1)?.data.request).toEqual({
      method: 'personal_sign',
      params: ['0x30783431', walletAddress],
    })
  })

  test('reviews typed data, given as an object or as text', async () => {
    for (const data of [typed, JSON.stringify(typed)]) {
      const { respond, person, answered } = await setUp({
        method: 'eth_signTypedData_v4',
        params: [walletAddress, data],
      })
      const responding = respond()
      await person.follow([
        { on: 'sign-typed-data', expect: ({ app }) => expect(app).toBe('Harbor'), answer: 'sign' },
        { wait: 2_000 },
      ])
      expect((await responding).value).toBe(url)
      expect(answered()).toEqual([{ ...named, result: signature }])
    }
  })

  test.each([
    ['cancels', 'cancel' as const],
    ['closes the dialog', 'close' as const],
  ])('a user who %s has rejected it, and the other app hears that', async (_, how) => {
    const { respond, person, answered, vault } = await setUp()
    const responding = respond()
    await person.follow([how === 'close' ? { on: 'sign-message', close: true } : ['sign-message', 'cancel']])
    expect((await responding).value).toBe(url)
    expect(answered()).toEqual([{ ...named, error: 'rejected' }])
    expect(vault.asked).toEqual([])
  })

  test('a sign-in at the other app’s own site is signed, and one at this app’s site is not', async () => {
    const signIn = (host: string) =>
      message(`${host} wants you to sign in with your Ethereum account:\n${walletAddress}`)
    const own = await setUp(signIn('harbor.example'))
    const responding = own.respond()
    await own.person.follow([['sign-message', 'sign'], { wait: 2_000 }])
    expect((await responding).value).toBe(url)

    for (const host of ['host.example', 'bank.example']) {
      const other = await setUp(signIn(host))
      expect((await other.respond()).error?.code).toBe('invalid_message')
      expect([other.person.ends, other.vault.asked, other.answered()]).toEqual([[], [], []])
    }
  })

  test('is displayed also in an app that hides its wallets’ screens', async () => {
    const { respond, person } = await setUp(undefined, {
      options: { config: { embeddedWallets: { showWalletUIs: false } } },
      app: { embedded_wallet_config: { create_on_login: 'off', user_owned_recovery_options: [] } },
    })
    const responding = respond()
    await person.follow([['sign-message', 'sign'], { wait: 2_000 }])
    expect((await responding).value).toBe(url)
  })

  test('ends with the request: what is approved after two minutes is not signed', async () => {
    const { respond, person, clock, answered, vault } = await setUp()
    const responding = respond()
    await until(() => person.scene?.screen.id === 'sign-message')
    await clock.advance(120_000)
    expect((await responding).error?.code).toBe('cross_app_request_over')
    expect([answered(), vault.asked, person.scene]).toEqual([[], [], undefined])
  })

  test.each([
    ['cross_app_wrong_user', 403],
    ['cross_app_request_over', 400],
  ])('nothing is displayed where the server refuses with %s', async (code, status) => {
    const { respond, person, answered } = await setUp(undefined, {
      routes: { [paths.review]: { status, body: { error: 'No.', code } } },
    })
    expect((await respond()).error?.code).toBe(code)
    expect([person.ends, answered()]).toEqual([[], []])
  })

  test.each([
    ['a method of its own', { method: 'eth_sign', params: ['Hello', walletAddress] }],
    ['no parameters', { method: 'personal_sign', params: [] }],
    ['no app', { ...message('Hello'), requester: undefined }],
  ])('an answer of the server with %s is none', async (_, call) => {
    const { respond } = await setUp(call)
    expect((await respond()).error?.code).toBe('malformed_response')
  })

  test.each([
    ['another wallet', message('Hello', `0x${'0'.repeat(40)}`), 'embedded_wallet_not_found'],
    ['half a byte', message('0x1'), 'invalid_request_arguments'],
    [
      'typed data that can’t be read',
      { method: 'eth_signTypedData_v4', params: [walletAddress, {}] },
      'invalid_request_arguments',
    ],
    [
      'a chain that the app doesn’t have',
      {
        method: 'eth_sendTransaction',
        params: [{ from: walletAddress, to: walletAddress, chainId: 987_654_321 }],
      },
      'unsupported_chain_id',
    ],
  ])('a request for %s throws and stays open, so that the page can say so', async (_, call, code) => {
    const { respond, answered, person } = await setUp(call)
    expect((await respond()).error?.code).toBe(code)
    expect([answered(), person.ends]).toEqual([[], []])
  })

  test('nobody is asked who is not logged in', async () => {
    const { kit, respond, outcome } = await setUp()
    await kit.logout()
    for (const work of [
      respond(),
      outcome(kit.crossApp.request(asked)),
      outcome(kit.crossApp.decline(asked)),
    ])
      expect((await work).error?.code).toBe('must_be_authenticated')
  })
})

test('decline: rejects without a review, and disconnects the app where the user wants that', async () => {
  const { kit, answered, person } = await setUp()
  expect(await kit.crossApp.decline(asked)).toBe(url)
  expect(await kit.crossApp.decline(asked, { disconnect: true })).toBe(url)
  expect(answered()).toEqual([
    { ...named, error: 'rejected', disconnect: false },
    { ...named, error: 'rejected', disconnect: true },
  ])
  expect(person.ends).toEqual([])
})
