/** What holds for every answer and message that a server, a window or a frame may send. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KitError } from '../../src/errors/kit-error.ts'
import { acceptTerms, getMe } from '../../src/protocol/account.ts'
import { type AppConfig, getAppConfig } from '../../src/protocol/app-config.ts'
import { getConnectionDetails, getConnections } from '../../src/protocol/cross-app.ts'
import { exportTicket } from '../../src/protocol/export-ticket.ts'
import { farcasterStatus, openFarcasterChannel, openFarcasterFrame } from '../../src/protocol/farcaster.ts'
import { frameEvents, readCall, vaultAnswers } from '../../src/protocol/frame/calls.ts'
import { readExportMessage, readExportToken } from '../../src/protocol/frame/export.ts'
import { readAnswer, readRequest } from '../../src/protocol/frame/messages.ts'
import { createHttp, type Http } from '../../src/protocol/http.ts'
import { startOAuth } from '../../src/protocol/oauth.ts'
import { startPasskeyLogin, startPasskeySignup } from '../../src/protocol/passkeys.ts'
import { sendEmailCode } from '../../src/protocol/passwordless.ts'
import { isPopupReceipt, readPopupMessage } from '../../src/protocol/popup.ts'
import { finishGoogleDrive, readIcloudMessage } from '../../src/protocol/recovery.ts'
import { parse, type Schema } from '../../src/protocol/schema.ts'
import { forkSession, refreshSession } from '../../src/protocol/sessions.ts'
import { startSiwe } from '../../src/protocol/siwe.ts'
import { startSiws } from '../../src/protocol/siws.ts'
import { webAppProof, widgetProof } from '../../src/protocol/telegram.ts'
import { transferOf } from '../../src/protocol/transfer.ts'
import { listUserSessions } from '../../src/protocol/user-sessions.ts'
import { appId, wireUser } from '../support/api.ts'
import { testClock } from '../support/clock.ts'
import { soak } from '../support/soak.ts'

const user = wireUser()
const page = 'https://host.example'
const hash = 'a'.repeat(64)

/** Each endpoint with an answer that is good, and as little in it as may be. */
const endpoints: Record<
  string,
  {
    call: (http: Http) => Promise<unknown>
    good: object
    /** What a good answer may do without. */
    optional?: string[]
  }
> = {
  'the app’s settings': { call: (http) => getAppConfig(http, appId), good: { id: appId } },
  'who is logged in': { call: (http) => getMe(http), good: { user } },
  'the assent to the terms': {
    call: (http) => acceptTerms(http),
    good: user,
    // Whoever has no such account has none.
    optional: ['email', 'phone', 'wallet', 'farcaster', 'telegram'],
  },
  'a session': {
    call: (http) => refreshSession(http),
    good: { user, token: 't' },
    optional: ['user', 'token', 'secondToken', 'identityToken', 'oauthTokens'],
  },
  'a forked session': {
    call: (http) => forkSession(http),
    good: { token: 't', new_session_refresh_token: 'r' },
  },
  'the sending of a code': {
    call: (http) => sendEmailCode(http, { email: 'ada@example.com' }),
    good: { success: true },
  },
  'the start at a provider': {
    call: (http) =>
      startOAuth(http, {
        provider: 'google',
        redirectTo: page,
        state: 's',
        challenge: 'c',
        captchaToken: undefined,
      }),
    good: { url: 'https://provider.example/' },
  },
  'the apps whose accounts are taken': {
    call: (http) => getConnections(http, appId),
    good: { connections: [{ provider_app_id: 'a', provider_app_name: 'A' }] },
  },
  'another app’s name': { call: (http) => getConnectionDetails(http, appId), good: { name: 'A' } },
  'an Ethereum nonce': { call: (http) => startSiwe(http, { address: '0x1' }), good: { nonce: 'abcd1234' } },
  'a Solana nonce': { call: (http) => startSiws(http, { address: 'x' }), good: { nonce: 'abcd1234' } },
  'a Farcaster channel': {
    call: (http) => openFarcasterChannel(http, { page }),
    good: { channel_token: 't', connect_uri: 'https://farcaster.example/' },
  },
  'a Farcaster status': {
    call: (http) => farcasterStatus(http, { token: 't', uri: page }),
    good: { state: 'completed', message: 'm', signature: '0x', fid: 1 },
    // They come with one of the three states.
    optional: ['message', 'signature', 'fid'],
  },
  'a Farcaster nonce': { call: (http) => openFarcasterFrame(http), good: { nonce: 'abcd1234' } },
  'a passkey to log in with': {
    call: (http) => startPasskeyLogin(http, { origin: page }),
    good: { options: { challenge: 'c' } },
  },
  'a passkey to sign up with': {
    call: (http) => startPasskeySignup(http, { origin: page }),
    good: {
      options: {
        challenge: 'c',
        rp: { name: 'App' },
        user: { id: 'dQ', name: 'ada' },
        pub_key_cred_params: [{ alg: -7, type: 'public-key' }],
      },
    },
  },
  'a drive’s token': {
    call: (http) => finishGoogleDrive(http, { code: 'c', state: 's', verifier: 'v' }),
    good: { access_token: 't' },
  },
  'where the person is logged in': {
    call: (http) => listUserSessions(http),
    good: { sessions: [{ id: 's-1', created_at: 1, last_used_at: 2 }] },
  },
  'an export ticket': { call: (http) => exportTicket(http, '0x1'), good: { ticket: 't' } },
}

/** Each message that comes from a window or a frame, with one that is good. */
const messages: Record<string, { read: (data: unknown) => unknown; good: object | string }> = {
  'of a login’s window': {
    read: readPopupMessage,
    good: { type: 'PRIVY_OAUTH_RESPONSE', stateCode: 's', authorizationCode: 'c' },
  },
  'of the page that opened a window': {
    read: (data) => isPopupReceipt(data, 's') || undefined,
    good: { type: 'PRIVY_OAUTH_RECEIVED', stateCode: 's' },
  },
  'of iCloud’s window': { read: readIcloudMessage, good: { ckSession: 't' } },
  'of Telegram’s widget': {
    read: widgetProof,
    good: { id: 1, first_name: 'Ada', auth_date: 1_700_000_000, hash },
  },
  'that the vault is sent': { read: readRequest, good: { id: 'id-1', event: frameEvents.ready } },
  'that the vault answers': {
    read: readAnswer,
    good: { id: 'id-1', event: frameEvents.ready, data: {} },
  },
  'that the export frame is sent': { read: readExportToken, good: { type: 'token', accessToken: 't' } },
  'that the export frame sends': { read: readExportMessage, good: { type: 'height', height: 1 } },
}

const json = fc.jsonValue({ maxDepth: 4 })
/** A good value of which one field, at any depth, is something else. */
const spoilt = (good: unknown): fc.Arbitrary<unknown> => {
  if (typeof good !== 'object' || good === null || Object.keys(good).length === 0) return json
  return fc
    .constantFrom(...Object.keys(good))
    .chain((key) =>
      fc
        .oneof(json, fc.constant(undefined), spoilt((good as Record<string, unknown>)[key]))
        .map((value) =>
          Array.isArray(good)
            ? good.map((each, at) => (String(at) === key ? value : each))
            : { ...good, [key]: value },
        ),
    )
}
const runs = { numRuns: soak(50, 300) }

/** The kinds of values that must be there. */
const typesOf = (result: unknown, optional: readonly string[]) =>
  typeof result === 'object' && result !== null && !Array.isArray(result)
    ? Object.entries(result)
        .filter(([name, value]) => value !== undefined && !optional.includes(name))
        .map(([name, value]) => `${name}: ${typeof value}`)
        .sort()
    : typeof result

/** Makes a call whose answer is that body. */
async function answered(call: (http: Http) => Promise<unknown>, body: unknown): Promise<unknown> {
  const http = createHttp({
    base: 'https://api.example',
    appId,
    clientId: undefined,
    analyticsId: () => '',
    clock: testClock(),
    tokens: () => undefined,
    fetch: async () => new Response(JSON.stringify(body) ?? 'null'),
  })
  return call(http)
}

describe.each(Object.entries(endpoints))('the answer of %s', (_, { call, good, optional = [] }) => {
  test('is read when it is good', async () => {
    await answered(call, good)
  })

  test('has all required fields, or is refused with a coded error', async () => {
    const whole = await answered(call, good)
    await fc.assert(
      fc.asyncProperty(fc.oneof(json, spoilt(good)), async (body) => {
        const result = await answered(call, body).catch((cause: unknown) => cause)
        if (!(result instanceof Error)) {
          expect(typesOf(result, optional)).toEqual(typesOf(whole, optional))
          return
        }
        expect(result).toBeInstanceOf(KitError)
        expect(result).toMatchObject({ code: 'malformed_response', retryable: true })
      }),
      runs,
    )
  })

  test('means the same with fields that a newer server has added', async () => {
    const plain = await answered(call, good)
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.string({ minLength: 1 }).map((key) => `new ${key}`),
          json,
        ),
        async (more) => {
          expect(await answered(call, { ...more, ...good })).toEqual(plain)
        },
      ),
      runs,
    )
  })
})

describe.each(Object.entries(messages))('a message %s', (_, { read, good }) => {
  test('is read when it is good, and with more fields as well', () => {
    expect(read(good)).toBeDefined()
    expect(read({ ...(good as object), 'more and newer': [1] })).toEqual(read(good))
  })

  test('is read or passed over, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), spoilt(good)), (data) => {
        read(data)
      }),
      runs,
    )
  })
})

test('any text that a mini app was started with is read or skipped', () => {
  const good = new URLSearchParams({ hash, auth_date: '1700000000', user: '{"id":1}' }).toString()
  expect(webAppProof(good)).toMatchObject({ userId: '1' })
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((more) => `${good}&${more}`),
      ),
      (text) => {
        webAppProof(text)
      },
    ),
    runs,
  )
})

test('no data of a request to the vault makes reading it throw, and none is taken for an event that there is not', () => {
  const events = fc.constantFrom<string>(...Object.values(frameEvents), 'privy:toString', 'privy:__proto__')
  fc.assert(
    fc.property(events, fc.dictionary(fc.string(), json), (event, data) => {
      const request = readRequest({ id: 'id-1', event, data })
      if (!request) return
      const known = Object.values<string>(frameEvents).includes(event)
      expect(readCall(request) === 'unsupported').toBe(!known)
    }),
    runs,
  )
})

test('every answer of the vault is what was promised for the event, or a coded error', () => {
  const schemas = Object.values<Schema<object>>(vaultAnswers)
  fc.assert(
    fc.property(fc.constantFrom(...schemas), json, (schema, answer) => {
      try {
        parse(schema, answer, 'test')
      } catch (cause) {
        expect(cause).toMatchObject({ name: 'KitError', code: 'malformed_response' })
      }
    }),
    runs,
  )
})

test('the data of a refusal either offers a transfer with a nonce, or none', () => {
  fc.assert(
    fc.property(json, (data) => {
      const transfer = transferOf(new KitError('account_transfer_required', '', { data }))
      if (transfer) expect(typeof transfer.nonce).toBe('string')
    }),
    runs,
  )
})

test.each([
  [
    'all that the server lists',
    { embeddedWalletAddress: '0x1', embeddedWalletAddresses: ['0x1', 'So1'] },
    ['0x1', 'So1'],
  ],
  ['the one of a server that has no list', { embeddedWalletAddress: '0x1' }, ['0x1']],
  ['those of the list that can be read', { embeddedWalletAddresses: [null, 'So1', ''] }, ['So1']],
  [
    "the one beside a list that can't be read",
    { embeddedWalletAddress: '0x1', embeddedWalletAddresses: 'So1' },
    ['0x1'],
  ],
  ['the one beside an empty list', { embeddedWalletAddress: '0x1', embeddedWalletAddresses: [] }, ['0x1']],
  ['none', { embeddedWalletAddress: null }, []],
])('the wallets that a transfer would delete are %s', (_, otherUser, wallets) => {
  const data = { nonce: 'n', account: {}, otherUser }
  const transfer = transferOf(new KitError('account_transfer_required', '', { data }))
  expect(transfer?.walletAddresses).toEqual(wallets)
})

describe('a value that a newer server made up', () => {
  const read = async <T>(call: (http: Http) => Promise<T>, body: unknown) => (await answered(call, body)) as T
  const me = (more: object) => read(getMe, { user: { ...user, ...more } })

  test('as the kind of an account is kept with its fields, beside the accounts that are known', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1 }).map((kind) => `new_${kind}`),
        json,
        async (type, field) => {
          const linked_accounts = [{ type, field, verified_at: 5 }, ...user.linked_accounts]
          const { linkedAccounts, email } = (await me({ linked_accounts })).user
          expect(linkedAccounts).toHaveLength(2)
          expect(linkedAccounts[0]).toMatchObject({ type: 'other', kind: type, verifiedAt: new Date(5000) })
          expect(linkedAccounts[0]).toHaveProperty(['fields', 'field'], JSON.parse(JSON.stringify(field)))
          expect(email?.address).toBe('ada@example.com')
        },
      ),
      runs,
    )
  })

  test('as a malformed account is left out, and the others stay', async () => {
    for (const odd of [null, 4, 'email', [], {}, { type: 4 }])
      expect(
        (await me({ linked_accounts: [odd, ...user.linked_accounts] })).user.linkedAccounts,
      ).toHaveLength(1)
  })

  test('as a recovery method or a kind of chain is kept by its name', async () => {
    const wallet = { type: 'wallet', address: 'x', chain_type: 'newchain', recovery_method: 'carrier-pigeon' }
    expect((await me({ linked_accounts: [wallet] })).user.wallet).toMatchObject({
      chainType: 'newchain',
      recoveryMethod: 'carrier-pigeon',
    })
  })

  test('as a second factor that can’t be read does not hide the others', async () => {
    expect(
      (await me({ mfa_methods: [null, { type: 'carrier-pigeon' }, { type: 'totp' }] })).user.mfaMethods,
    ).toEqual(['carrier-pigeon', 'totp'])
  })

  test('as an impossible time is left out', async () => {
    for (const created_at of [1e300, -1, 'soon', null])
      expect((await me({ created_at })).user.createdAt).toEqual(new Date(0))
  })

  test('as a session action keeps the login', async () => {
    expect(await read(refreshSession, { user, session_update_action: 'merge' })).toMatchObject({
      action: 'set',
    })
  })

  test.each([
    ['strict', 'strict'],
    ['compatible', 'compatible'],
    [undefined, 'compatible'],
    ['of-a-newer-server', 'strict'],
    [7, 'strict'],
  ])('of the vault’s mode (%s) means %s', async (vault_mode, mode) => {
    const app = await read((http) => getAppConfig(http, appId), { id: appId, vault_mode })
    expect(app.vault).toBe(mode)
  })

  test('of contracts for a wallet’s own address: those that can be read count, and none where the list is no list', async () => {
    const contract = { address: '0xe6Cae83BdE06E4c305530e199D7217f42808555B', name: 'Simple7702Account' }
    const delegatesOf = async (delegates: unknown) =>
      (await read((http) => getAppConfig(http, appId), { id: appId, delegates })).delegates
    expect(await delegatesOf(undefined)).toBeUndefined()
    expect(await delegatesOf('all')).toEqual([])
    expect(
      await delegatesOf([
        { ...contract, chain_id: 'eip155:10', executes_batches: true },
        { name: 'None' },
        7,
      ]),
    ).toEqual([{ ...contract, chainId: 10, executesBatches: true }])
  })

  test('in the app’s settings counts as off, and a login method that nobody knows keeps nobody out', async () => {
    const app: AppConfig = await read((http) => getAppConfig(http, appId), {
      id: appId,
      email_auth: true,
      carrier_pigeon_auth: true,
      captcha_enabled: 'sometimes',
      theme: 4,
      embedded_wallet_config: { create_on_login: 'on-sundays', user_owned_recovery_options: ['icloud', 4] },
      allowlist_config: 'none',
      telegram_auth_config: { bot_id: 5 },
    })
    expect(app).toMatchObject({
      createOnLogin: 'off',
      captcha: { enabled: false, siteKey: undefined },
      recovery: { options: ['icloud'], required: false },
      theme: undefined,
      telegram: undefined,
    })
    expect(app.loginMethods.has('email')).toBe(true)
  })

  test('as the state of a Farcaster login is waited through', async () => {
    expect(
      await read((http) => farcasterStatus(http, { token: 't', uri: page }), { state: 'thinking' }),
    ).toEqual({
      state: 'pending',
    })
  })

  test('as the vault’s kind of failure is a plain error', () => {
    const error = { type: 'out_of_pigeons', message: 'm' }
    expect(readAnswer({ id: '1', event: 'privy:x', error })).toMatchObject({ error: { type: 'error' } })
    expect(readExportMessage({ type: 'failed', error })).toMatchObject({ error: { type: 'error' } })
  })
})
