import { describe, expect, test, vi } from 'vitest'
import { frameEvents, verifiers } from '../../../src/protocol/frame/calls.ts'
import { appId, createBackend, makeToken } from '../support/backend.ts'
import { ask, openTab, person } from '../support/device.ts'
import { user, withWallet } from '../support/person.ts'

describe('refusals', () => {
  const tokens: [string, string, RegExp][] = [
    ['another app in aud', makeToken(user, { aud: 'other' }), /another app/],
    ['another app in aid', makeToken(user, { aid: 'other' }), /another app/],
    ['no subject', makeToken(user, { sub: undefined }), /malformed/],
    ['no expiry', makeToken(user, { exp: 'soon' }), /malformed/],
    ['not a token', 'abc', /malformed/],
    ['two parts', 'a.b', /malformed/],
    ['bad payload', 'a.bm90IGpzb24.c', /malformed/],
    ['prototype key', `a.${Buffer.from('{"__proto__":{},"sub":"u"}').toString('base64url')}.c`, /malformed/],
  ]
  test.each(tokens)('access token: %s', async (_, token, message) => {
    const backend = createBackend()
    const { error } = await person(openTab(backend), token).create()
    expect(error).toEqual({ type: 'error', message: expect.stringMatching(message) })
    expect(backend.calls).toHaveLength(0)
  })

  test('app ids in aid, aud and a list of aud are read', async () => {
    for (const claims of [{ aid: appId, aud: 'x' }, { aud: [appId, 'x'] }, { aud: appId }])
      expect(await person(openTab(createBackend()), makeToken(user, claims)).create()).toHaveProperty(
        'address',
      )
  })

  const answers: [string, Response | Error, string][] = [
    ['400', new Response('{"error":"No","code":"invalid_data"}', { status: 400 }), '(invalid_data)'],
    ['a code that is no code', new Response('{"code":"<b>secret</b>"}', { status: 422 }), '(422)'],
    [
      '400 in a header',
      new Response('{"error":"No","code":"invalid_data"}', { headers: { 'latchkey-status': '400' } }),
      '(invalid_data)',
    ],
    [
      '404 in a header',
      new Response('{}', { headers: { 'latchkey-status': '404' } }),
      'does not know this wallet',
    ],
    ['401', new Response('', { status: 401 }), 'did not accept the login'],
    ['403', new Response('<html>', { status: 403 }), 'did not accept the login'],
    ['404', new Response('{}', { status: 404 }), 'does not know this wallet'],
    ['429', new Response('{}', { status: 429 }), 'code 429'],
    ['500', new Response('{}', { status: 500 }), 'not available'],
    ['no network', new TypeError('fetch failed'), 'No connection'],
    ['empty', new Response(''), 'unexpected answer'],
    ['truncated', new Response('{"address":'), 'unexpected answer'],
    ['HTML', new Response('<!doctype html>'), 'unexpected answer'],
    ['wrong type', new Response('{"address":5,"wallet_id":"x","created":1}'), 'unexpected answer'],
    ['prototype key', new Response('{"__proto__":{}}'), 'unexpected answer'],
    [
      'another wallet that claims to be new',
      new Response(`{"address":"0x${'1'.repeat(40)}","wallet_id":"${crypto.randomUUID()}","created":true}`),
      'unexpected answer',
    ],
  ]
  test.each(answers)('the server: %s', async (_, answer, words) => {
    const backend = createBackend()
    backend.faults.before = () => {
      if (answer instanceof Error) throw answer
      return answer.clone()
    }
    const { error } = await person(openTab(backend), makeToken(user)).create()
    expect(error).toEqual({ type: 'error', message: expect.stringContaining(words) })
  })

  test('types of error that the page knows pass through', async () => {
    const { backend, me, address } = await withWallet()
    backend.faults.before = () => new Response('{"code":"missing_or_invalid_mfa"}', { status: 403 })
    expect((await me.connect(address)).error?.type).toBe('missing_or_invalid_mfa')
  })

  test('a silent server: an error within the time of one attempt', async () => {
    const backend = createBackend()
    backend.faults.before = () => new Promise(() => {})
    const { error } = await person(openTab(backend), makeToken(user)).create()
    expect(error).toEqual({ type: 'error', message: 'The wallet service did not answer' })
    expect(backend.calls).toHaveLength(1)
  })

  test('no WebCrypto: said so; what fails inside says nothing of its insides', async () => {
    const backend = createBackend()
    const vault = openTab(backend)
    const me = person(vault, makeToken(user))
    const randomUUID = () => 'id'
    vi.stubGlobal('crypto', { randomUUID })
    expect((await me.create()).error?.message).toBe('Embedded wallet is only available over HTTPS')
    expect(await ask(vault, frameEvents.ready, {})).toEqual({})
    vi.stubGlobal('crypto', {
      randomUUID,
      subtle: {},
      getRandomValues: () => expect.unreachable('secret words'),
    })
    expect((await me.create()).error).toEqual({
      type: 'error',
      message: 'The vault could not complete the request',
    })
    vi.unstubAllGlobals()
    const wrong = { accessToken: makeToken(user), entropyId: 'x', entropyIdVerifier: verifiers.ethereum }
    expect((await ask(vault, frameEvents.connectWallet, wrong)).error?.type).toBe('invalid_request_arguments')
  })
})
