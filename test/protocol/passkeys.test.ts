import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { createHttp } from '../../src/protocol/http.ts'
import { startPasskeyLogin, startPasskeySignup } from '../../src/protocol/passkeys.ts'
import { type PasskeyAccount, passkeyName, user } from '../../src/protocol/user.ts'
import { appId, fakeApi, wireUser } from '../support/api.ts'
import { testClock } from '../support/clock.ts'

function httpOf(path: string, body: unknown) {
  const clock = testClock()
  const api = fakeApi(clock, { [path]: { body } })
  const identity = { appId, clientId: undefined, analyticsId: () => '' }
  const http = createHttp({
    base: 'https://api.example',
    ...identity,
    tokens: () => undefined,
    fetch: api.fetch,
    clock,
  })
  return { http, api }
}
const login = '/api/v1/passkeys/authenticate/init'
const signup = '/api/v1/passkeys/register/init'
const page = { origin: 'https://host.example' }

describe('what a server asks a browser for', () => {
  test('an existing passkey, with everything that the wire knows', async () => {
    const { http, api } = httpOf(login, {
      relying_party: page.origin,
      options: {
        challenge: 'c',
        timeout: 300_000,
        rp_id: 'host.example',
        allow_credentials: [{ id: 'a', type: 'public-key', transports: ['usb'] }, { id: 'b' }],
        user_verification: 'required',
        extensions: { app_id: 'x', cred_props: true, hmac_create_secret: true },
        hints: ['security-key'],
      },
    })
    expect(await startPasskeyLogin(http, { ...page, captchaToken: 't' })).toEqual({
      challenge: 'c',
      timeout: 300_000,
      rpId: 'host.example',
      allowCredentials: [
        { id: 'a', type: 'public-key', transports: ['usb'] },
        { id: 'b', type: 'public-key' },
      ],
      userVerification: 'required',
      extensions: { appid: 'x', credProps: true, hmacCreateSecret: true },
    })
    expect(api.to(login)[0]?.body).toEqual({ relying_party: page.origin, token: 't' })
  })

  test('an existing passkey, with a challenge and nothing else', async () => {
    const { http } = httpOf(login, { options: { challenge: 'c', rp_id: null, timeout: 'soon' } })
    expect(await startPasskeyLogin(http, page)).toEqual({ challenge: 'c' })
  })

  test('a new passkey', async () => {
    const { http } = httpOf(signup, {
      options: {
        rp: { name: 'App', id: 'host.example' },
        user: { id: 'dQ', name: 'ada', display_name: 'Ada' },
        challenge: 'c',
        pub_key_cred_params: [{ alg: -7, type: 'public-key' }],
        exclude_credentials: [{ id: 'a', type: 'public-key' }],
        authenticator_selection: {
          authenticator_attachment: 'platform',
          require_resident_key: true,
          resident_key: 'required',
          user_verification: 'required',
        },
        attestation: 'none',
      },
    })
    expect(await startPasskeySignup(http, page)).toEqual({
      rp: { name: 'App', id: 'host.example' },
      user: { id: 'dQ', name: 'ada', displayName: 'Ada' },
      challenge: 'c',
      pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
      excludeCredentials: [{ id: 'a', type: 'public-key' }],
      authenticatorSelection: {
        authenticatorAttachment: 'platform',
        requireResidentKey: true,
        residentKey: 'required',
        userVerification: 'required',
      },
      attestation: 'none',
    })
  })

  test.each([
    ['no options', {}],
    ['no challenge', { options: {} }],
    ['a challenge that is no text', { options: { challenge: 7 } }],
  ])('%s is an answer that can’t be used', async (_, body) => {
    const { http } = httpOf(login, body)
    await expect(startPasskeyLogin(http, page)).rejects.toMatchObject({ code: 'malformed_response' })
  })
})

describe('a passkey account', () => {
  const wire = {
    type: 'passkey',
    credential_id: 'a',
    verified_at: 1_700_000_000,
    enrolled_in_mfa: true,
    authenticator_name: 'Bitwarden',
    created_with_browser: 'Chrome',
    created_with_os: 'macOS',
  }

  test('is read with what a person recognises it by', () => {
    const [account] = v.parse(user, wireUser('did:privy:u', { linked_accounts: [wire] })).linkedAccounts
    expect(account).toMatchObject({
      type: 'passkey',
      credentialId: 'a',
      authenticatorName: 'Bitwarden',
      createdWithBrowser: 'Chrome',
      createdWithOs: 'macOS',
      enrolledInMfa: true,
    })
  })

  test.each([
    ['Bitwarden', 'Chrome', 'macOS', 'Bitwarden on Chrome'],
    [undefined, 'Chrome', 'macOS', 'Chrome on macOS'],
    ['Bitwarden', undefined, 'macOS', 'Unknown device'],
    [undefined, 'Chrome', undefined, 'Chrome'],
    [undefined, undefined, 'macOS', 'Unknown device'],
    [undefined, undefined, undefined, 'Unknown device'],
  ])(
    'kept by %s, made with %s on %s, is called %s',
    (authenticatorName, createdWithBrowser, createdWithOs, name) => {
      const account = { authenticatorName, createdWithBrowser, createdWithOs } as PasskeyAccount
      expect(passkeyName(account)).toBe(name)
    },
  )
})
