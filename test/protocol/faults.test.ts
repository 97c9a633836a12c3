/** Every request that the kit makes, with every fault of its response. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { KitError } from '../../src/errors/kit-error.ts'
import { limits } from '../../src/lib/limits.ts'
import { acceptTerms, getMe } from '../../src/protocol/account.ts'
import { getAppConfig } from '../../src/protocol/app-config.ts'
import * as connectedApps from '../../src/protocol/connected-apps.ts'
import { getConnectionDetails, getConnections, grantLogin } from '../../src/protocol/cross-app.ts'
import { answerAppRequest, reviewAppRequest } from '../../src/protocol/cross-app-requests.ts'
import { authenticateWithCustomJwt } from '../../src/protocol/custom-jwt.ts'
import { selectDescriptors } from '../../src/protocol/descriptors.ts'
import { countDeviceRequests, listDeviceProofs, listDevices } from '../../src/protocol/devices.ts'
import { exportTicket } from '../../src/protocol/export-ticket.ts'
import * as farcaster from '../../src/protocol/farcaster.ts'
import { signerStatus } from '../../src/protocol/farcaster-signer.ts'
import * as funding from '../../src/protocol/funding.ts'
import * as grants from '../../src/protocol/grants.ts'
import { authenticateGuest } from '../../src/protocol/guest.ts'
import { createHttp, type Http } from '../../src/protocol/http.ts'
import { getMfa, startMfaPasskey, startMfaSms } from '../../src/protocol/mfa.ts'
import * as oauth from '../../src/protocol/oauth.ts'
import * as passkeys from '../../src/protocol/passkeys.ts'
import * as codes from '../../src/protocol/passwordless.ts'
import * as recovery from '../../src/protocol/recovery.ts'
import * as sessions from '../../src/protocol/sessions.ts'
import * as siwe from '../../src/protocol/siwe.ts'
import * as siws from '../../src/protocol/siws.ts'
import * as smartWallets from '../../src/protocol/smart-wallets.ts'
import * as telegram from '../../src/protocol/telegram.ts'
import { getTokenPrice } from '../../src/protocol/token-price.ts'
import * as userSessions from '../../src/protocol/user-sessions.ts'
import { appId, fakeApi, type Reply } from '../support/api.ts'
import { settled, testClock } from '../support/clock.ts'
import { httpFaults } from '../support/faults/http.ts'
import { counted } from '../support/soak.ts'

const mode = 'login-or-sign-up'
const signed = { message: 'text', signature: '0x12', chainId: 'eip155:1' }
const approval = { message: 'text', signature: '0x12', fid: 1 }
const channel = { token: 't', uri: 'https://farcaster.xyz/~/siwf?channelToken=t' }
const origin = 'https://host.example'
const assertion = {
  id: 'aWQ',
  rawId: 'aWQ',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'e30', authenticatorData: 'e30', signature: 'e30' },
} as unknown as passkeys.Assertion
const attestation = {
  id: 'aWQ',
  rawId: 'aWQ',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'e30', attestationObject: 'e30' },
} as unknown as passkeys.Attestation
const order = { address: '0x12', chain: 'eip155:1', asset: 'USDC', amount: '1' } as const
const proof = telegram.widgetProof({
  id: 1,
  first_name: 'Ada',
  auth_date: 1_767_225_600,
  hash: 'ab'.repeat(32),
})
if (!proof) throw new Error('This is no result of a widget')

/** How each endpoint of the protocol room is called. One that has no row here fails the first test below. */
const calls: Record<string, (http: Http) => Promise<unknown>> = {
  '/api/v1/apps/*': (http) => getAppConfig(http, appId),
  '/api/v1/apps/*/cross-app/connections': (http) => getConnections(http, appId),
  '/api/v1/apps/*/smart_wallets': (http) => smartWallets.getSmartWalletSettings(http, appId),
  '/api/v1/apps/*/cross-app/details': (http) => getConnectionDetails(http, appId),
  '/oauth/authorization_code': (http) =>
    grantLogin(http, { appId, redirectTo: origin, state: 'state', challenge: 'challenge' }),
  '/oauth/transact/review': (http) => reviewAppRequest(http, { id: 'id', appId }),
  '/oauth/transact/answer': (http) => answerAppRequest(http, { id: 'id', appId }, { error: 'rejected' }),
  '/api/v1/token_price?*': (http) => getTokenPrice(http, { chainId: 1, symbol: 'ETH' }),
  '/api/v1/users/me': (http) => getMe(http),
  '/api/v1/users/me/accept_terms': (http) => acceptTerms(http),
  '/api/v1/users/me/sessions': (http) => userSessions.listUserSessions(http),
  '/api/v1/users/me/sessions/*/end': (http) => userSessions.endUserSession(http, 's-1'),
  '/api/v1/users/me/sessions/end_others': (http) => userSessions.endOtherUserSessions(http),
  '/api/v1/sessions': (http) => sessions.refreshSession(http),
  '/api/v1/sessions/logout': (http) => sessions.endSession(http),
  '/api/v1/sessions/fork': (http) => sessions.forkSession(http),
  '/api/v1/sessions/fork/recover': (http) => sessions.recoverSession(http, 'forked'),
  '/api/v1/custom_jwt_account/authenticate': (http) => authenticateWithCustomJwt(http, 'token'),
  '/api/v1/guest/authenticate': (http) => authenticateGuest(http, 'credential'),
  '/api/v1/grants': (http) => grants.listPermissions(http),
  '/api/v1/grants/*/revoke': (http) => grants.revokePermission(http, 'g-1'),
  '/api/v1/wallets/revoke': (http) => grants.revokeAllPermissions(http),
  '/api/v1/connected_apps': (http) => connectedApps.listConnectedApps(http),
  '/api/v1/connected_apps/*/disconnect': (http) => connectedApps.disconnectApp(http, 'app-1'),
  '/api/v1/devices': (http) => listDevices(http),
  '/api/v1/devices/requests/count': (http) => countDeviceRequests(http),
  '/api/v1/devices/proofs': (http) => listDeviceProofs(http),
  '/api/v1/descriptors': (http) =>
    selectDescriptors(http, { chainId: 1, contracts: [`0x${'12'.repeat(20)}`], messages: [] }),
  '/api/v1/mfa': (http) => getMfa(http),
  '/api/v1/mfa/passwordless_sms/init': (http) => startMfaSms(http),
  '/api/v1/mfa/passkeys/init': (http) => startMfaPasskey(http, { origin }),
  '/api/v1/embedded_wallets/*/export_ticket': (http) => exportTicket(http, '0x12'),
  '/api/v1/farcaster/init': (http) => farcaster.openFarcasterChannel(http, { page: origin }),
  '/api/v1/farcaster/status': (http) => farcaster.farcasterStatus(http, channel),
  '/api/v1/farcaster/signer/status': (http) => signerStatus(http, `0x${'4b'.repeat(32)}`),
  '/api/v1/farcaster/authenticate': (http) =>
    farcaster.authenticateWithFarcaster(http, { ...approval, channel, mode }),
  '/api/v1/farcaster/link': (http) => farcaster.linkFarcaster(http, { ...approval, channel }),
  '/api/v1/farcaster/unlink': (http) => farcaster.unlinkFarcaster(http, 1),
  '/api/v1/farcaster/transfer': (http) =>
    farcaster.transferFarcaster(http, { nonce: 'n', fid: 1, embeddedAddress: undefined }),
  '/api/v1/funding/quotes': (http) => funding.getFundingQuotes(http, order),
  '/api/v1/funding/purchases': (http) =>
    funding.startPurchase(http, { ...order, reference: 'r', provider: 'moonpay', method: 'card' }),
  '/api/v1/funding/purchases*': (http) => funding.listPurchases(http),
  '/api/v1/funding/purchases/*': (http) => funding.getPurchase(http, 'lk1'),
  '/api/v1/funding/purchases/*/open': (http) => funding.openPurchase(http, 'lk1'),
  '/api/v1/funding/purchases/*/abandon': (http) => funding.abandonPurchase(http, 'lk1'),
  '/api/v2/farcaster/init': (http) => farcaster.openFarcasterFrame(http),
  '/api/v2/farcaster/authenticate': (http) => farcaster.authenticateInFrame(http, { ...approval, mode }),
  '/api/v1/oauth/init': (http) =>
    oauth.startOAuth(http, {
      provider: 'google',
      redirectTo: origin,
      state: 's',
      challenge: 'c',
      captchaToken: undefined,
    }),
  '/api/v1/oauth/authenticate': (http) =>
    oauth.finishOAuth(http, { code: 'c', state: 's', verifier: 'v', mode, provider: 'google' }),
  '/api/v1/oauth/link': (http) => oauth.linkOAuth(http, { code: 'c', state: 's', verifier: 'v' }),
  '/api/v1/oauth/unlink': (http) => oauth.unlinkOAuth(http, { provider: 'google', subject: '1' }),
  '/api/v1/oauth/transfer': (http) => oauth.transferOAuth(http, { nonce: 'n', profile: {} }),
  '/api/v1/passkeys/authenticate/init': (http) => passkeys.startPasskeyLogin(http, { origin }),
  '/api/v1/passkeys/authenticate': (http) =>
    passkeys.finishPasskeyLogin(http, { origin, challenge: 'c', assertion }),
  '/api/v1/passkeys/register/init': (http) => passkeys.startPasskeySignup(http, { origin }),
  '/api/v1/passkeys/register': (http) => passkeys.finishPasskeySignup(http, { origin, attestation }),
  '/api/v1/passkeys/link/init': (http) => passkeys.startPasskeyLink(http),
  '/api/v1/passkeys/link': (http) => passkeys.finishPasskeyLink(http, { origin, attestation }),
  '/api/v1/passkeys/unlink': (http) => passkeys.unlinkPasskey(http, 'id'),
  '/api/v1/passkeys/rename': (http) => passkeys.renamePasskey(http, { credentialId: 'id', name: 'Phone' }),
  '/api/v1/passwordless/init': (http) => codes.sendEmailCode(http, { email: 'ada@example.com' }),
  '/api/v1/passwordless/authenticate': (http) =>
    codes.authenticateWithEmail(http, { email: 'ada@example.com', code: '123456', mode }),
  '/api/v1/passwordless/link': (http) => codes.linkEmail(http, { email: 'ada@example.com', code: '123456' }),
  '/api/v1/passwordless/update': (http) =>
    codes.updateEmail(http, { oldAddress: 'a@example.com', newAddress: 'b@example.com', code: '123456' }),
  '/api/v1/passwordless/unlink': (http) => codes.unlinkEmail(http, 'ada@example.com'),
  '/api/v1/passwordless/transfer': (http) =>
    codes.transferEmail(http, { nonce: 'n', email: 'ada@example.com' }),
  '/api/v1/passwordless_sms/init': (http) => codes.sendSmsCode(http, { phoneNumber: '+12025550123' }),
  '/api/v1/passwordless_sms/authenticate': (http) =>
    codes.authenticateWithSms(http, { phoneNumber: '+12025550123', code: '123456', mode }),
  '/api/v1/passwordless_sms/link': (http) =>
    codes.linkPhone(http, { phoneNumber: '+12025550123', code: '123456' }),
  '/api/v1/passwordless_sms/update': (http) =>
    codes.updatePhone(http, { oldNumber: '+12025550123', newNumber: '+12025550124', code: '123456' }),
  '/api/v1/passwordless_sms/unlink': (http) => codes.unlinkPhone(http, '+12025550123'),
  '/api/v1/passwordless_sms/transfer': (http) =>
    codes.transferPhone(http, { nonce: 'n', phoneNumber: '+12025550123' }),
  '/api/v1/recovery/oauth/init': (http) =>
    recovery.startGoogleDrive(http, { redirectTo: origin, state: 's', challenge: 'c' }),
  '/api/v1/recovery/oauth/init_icloud': (http) => recovery.startIcloud(http),
  '/api/v1/recovery/oauth/authenticate': (http) =>
    recovery.finishGoogleDrive(http, { code: 'c', state: 's', verifier: 'v' }),
  '/api/v1/siwe/init': (http) => siwe.startSiwe(http, { address: '0x12' }),
  '/api/v1/siwe/authenticate': (http) => siwe.authenticateWithSiwe(http, { ...signed, mode }),
  '/api/v1/siwe/link': (http) => siwe.linkSiwe(http, signed),
  '/api/v1/siwe/link_smart_wallet': (http) =>
    smartWallets.linkSmartWallet(http, { message: 'm', signature: '0x12', type: 'safe' }),
  '/api/v1/siwe/unlink': (http) => siwe.unlinkSiwe(http, '0x12'),
  '/api/v1/siwe/transfer': (http) =>
    siwe.transferSiwe(http, { nonce: 'n', address: '0x12', chainId: undefined }),
  '/api/v1/siws/init': (http) => siws.startSiws(http, { address: 'So1' }),
  '/api/v1/siws/authenticate': (http) => siws.authenticateWithSiws(http, { ...signed, mode }),
  '/api/v1/siws/link': (http) => siws.linkSiws(http, signed),
  '/api/v1/siws/unlink': (http) => siws.unlinkSiws(http, 'So1'),
  '/api/v1/telegram/authenticate': (http) => telegram.authenticateWithTelegram(http, { proof, mode }),
  '/api/v1/telegram/link': (http) => telegram.linkTelegram(http, proof),
  '/api/v1/telegram/unlink': (http) => telegram.unlinkTelegram(http, '42'),
  '/api/v1/telegram/transfer': (http) => telegram.transferTelegram(http, { nonce: 'n', proof }),
}
/** `sendEvent` drops every failure, so its result is not awaited. */
const unawaited = ['/api/v1/analytics_events']

/** Requests that are polled, or not waited for, and so have no retries of their own. */
const sentOnce = [
  '/api/v1/farcaster/status',
  '/api/v1/farcaster/signer/status',
  '/api/v1/descriptors',
  '/api/v1/token_price?*',
  '/api/v1/funding/purchases/*',
]

/** The paths that the protocol room names, with what differs from call to call as `*`. */
function pathsInSources(): string[] {
  const room = new URL('../../src/protocol/', import.meta.url)
  return readdirSync(room)
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(new URL(file, room), 'utf8').matchAll(/path:\s*(['"`])(\/.*?)\1/g)])
    .map(([, , path = '']) => path.replace(/\$\{[^}]*\}/g, '*'))
}

test('every endpoint of the protocol room has its row', () => {
  expect([...Object.keys(calls), ...unawaited].sort()).toEqual([...new Set(pathsInSources())].sort())
})

/** A server that gives every request the same reply. */
function server(reply: Reply) {
  const clock = testClock()
  const api = fakeApi(clock, {}, () => reply)
  const http = createHttp({
    base: 'https://api.example',
    appId,
    clientId: undefined,
    analyticsId: () => '',
    fetch: api.fetch,
    clock,
    tokens: () => ({ stored: () => 'token', fresh: async () => 'token', renewed: async () => undefined }),
  })
  return { http, clock, sent: api.calls }
}

/** The longest that one call may take: its attempts with their waits, or one that is silent. */
const longest = limits.requestTimeout + limits.retryDelays.reduce((sum, each) => sum + each, 0)
const paths = Object.keys(calls)
/** Every call reads 10 MB in one of the faults, which takes a busy machine long. */
const readingLimit = 120_000
let cells = 0

describe.each(httpFaults)('$name', ({ name, reply, isRetried }) => {
  test(
    `each of the ${paths.length} calls ends with a coded error, after its attempts`,
    async () => {
      for (const path of paths) {
        cells++
        const { http, clock, sent } = server(reply)
        let outcome: { value: unknown } | { error: unknown } | undefined
        calls[path]?.(http).then(
          (value) => {
            outcome = { value }
          },
          (error) => {
            outcome = { error }
          },
        )
        const begun = clock.now()
        while (!outcome && clock.now() - begun <= longest) await clock.advance(500)
        // Streams take turns of their own.
        for (let turn = 0; turn < 50 && !outcome; turn++) await settled()
        expect(outcome, `${path} has no end`).toBeDefined()
        const attempts = isRetried && !sentOnce.includes(path) ? limits.retryDelays.length + 1 : 1
        expect(sent, path).toHaveLength(attempts)
        const waits = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0))
        expect(waits, path).toEqual(attempts > 1 ? [...limits.retryDelays] : [])
        expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size, path).toBe(1)
        if (outcome && 'error' in outcome) {
          expect(outcome.error, path).toBeInstanceOf(KitError)
          const { code, shortMessage } = outcome.error as KitError
          expect(code, path).toMatch(/^[a-z][a-z0-9_]+$/)
          expect(shortMessage.length, path).toBeLessThanOrEqual(300)
          continue
        }
        // Responses that are not read may be anything, and one without a user and a token logs nobody in.
        const { value } = outcome as { value: Partial<sessions.SessionAnswer> | undefined }
        const isNone = value === undefined || ('action' in value && !value.user && !value.token)
        expect(isNone, `${path} takes ${name} for a result`).toBe(true)
      }
    },
    readingLimit,
  )
})

test('every endpoint has met every fault', () => {
  console.log(
    `Faults of requests: ${paths.length} paths, ${httpFaults.length} faults, ${counted(cells)} cells`,
  )
  expect(cells).toBe(paths.length * httpFaults.length)
  expect(cells).toBeGreaterThan(2_780)
})
