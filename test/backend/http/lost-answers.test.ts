/** The kit against the backend, while answers get lost on their way: whatever is repeated has acted once. */

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AppSettings } from '../../../demo/backend/settings/app.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { memoryStorage } from '../../../src/lib/storage.ts'
import { siweMessage } from '../../../src/login/wallet/siwe-message.ts'
import { acceptTerms, getMe } from '../../../src/protocol/account.ts'
import { authenticateGuest } from '../../../src/protocol/guest.ts'
import { createHttp, type Http } from '../../../src/protocol/http.ts'
import * as passkeys from '../../../src/protocol/passkeys.ts'
import * as codes from '../../../src/protocol/passwordless.ts'
import type { SessionAnswer } from '../../../src/protocol/sessions.ts'
import * as siwe from '../../../src/protocol/siwe.ts'
import * as siws from '../../../src/protocol/siws.ts'
import { siwsMessage } from '../../../src/protocol/siws-message.ts'
import type { User } from '../../../src/protocol/user.ts'
import { endOtherUserSessions, listUserSessions } from '../../../src/protocol/user-sessions.ts'
import { createSession } from '../../../src/session/session.ts'
import { createTokens } from '../../../src/session/tokens.ts'
import { createAuthenticator } from '../../support/authenticator.ts'
import { limit } from '../../support/limit.ts'
import { seeded } from '../../support/random.ts'
import { counted, soak } from '../../support/soak.ts'
import { browserTabs } from '../../support/tabs.ts'
import { Client } from '../support/client.ts'
import { newNumber, type SmsWorld, startSmsWorld } from '../support/sms-world.ts'
import { newAccount, newSolanaAccount } from '../support/wallet-world.ts'
import { apiUrl, hours, newAddress, site, stores } from '../support/world.ts'

const wanted = soak(60, 1_000)
const seed = Number(process.env.LATCHKEY_SEED ?? 15)
const [store] = stores
const mode = 'login-or-sign-up'

const app = {
  id: 'latchkey-test-lost-000001',
  name: 'Lost Answers',
  allowedDomains: [site],
  methods: ['email', 'sms', 'wallet', 'solana-wallet', 'passkey', 'passkey-signup', 'guest'],
} as AppSettings

let world: SmsWorld
beforeAll(async () => {
  world = await startSmsWorld(store, { moreApps: [app] })
})
afterAll(() => world?.stop())

/** How somebody logs in, and what may be linked and taken off again; each is used once. */
interface Way {
  readonly name: string
  readonly type: string
  login(): Promise<SessionAnswer>
  link(): Promise<User>
  unlink(): Promise<User>
}

/** The one message that was sent there, however often it was asked for. */
function codeTo(to: string): string {
  const sent = world.mailbox.messages().filter((message) => message.to === to)
  expect(sent).toHaveLength(1)
  return sent[0]?.code ?? ''
}

function waysOf(http: Http): Way[] {
  const email = newAddress()
  const phoneNumber = newNumber()
  const byMail = async () => {
    await codes.sendEmailCode(http, { email })
    return { email, code: codeTo(email) }
  }
  const bySms = async () => {
    await codes.sendSmsCode(http, { phoneNumber })
    return { phoneNumber, code: codeTo(phoneNumber) }
  }
  const account = newAccount()
  const { address } = account
  const issuedAt = new Date(world.clock.now)
  const byEthereum = async () => {
    const nonce = await siwe.startSiwe(http, { address })
    const message = siweMessage({ origin: site, address, chainId: 1, nonce, issuedAt })
    return { message, signature: await account.signMessage({ message }), chainId: 'eip155:1' }
  }
  const solana = newSolanaAccount()
  const bySolana = async () => {
    const nonce = await siws.startSiws(http, { address: solana.address })
    const message = siwsMessage({
      domain: new URL(site).host,
      address: solana.address,
      uri: site,
      version: '1',
      nonce,
      statement: 'This wallet is mine.',
      chainId: 'mainnet',
      resources: ['https://privy.io'],
      issuedAt: issuedAt.toISOString(),
    })
    return { message, signature: solana.sign(message) }
  }
  const authenticator = createAuthenticator()
  let credential = ''
  const attest = async ({ challenge, rp: { id = '' }, user }: passkeys.EnrollOptions) => {
    const made = await authenticator.register({ challenge, rp: { id }, user }, site)
    credential = made.id
    const { client_data_json: clientDataJSON, attestation_object: attestationObject } = made.response
    const attestation = {
      id: made.id,
      rawId: made.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject },
    } as passkeys.Attestation
    return { origin: site, attestation }
  }
  return [
    {
      name: 'e-mail',
      type: 'email',
      unlink: () => codes.unlinkEmail(http, email),
      login: async () => codes.authenticateWithEmail(http, { ...(await byMail()), mode }),
      link: async () => codes.linkEmail(http, await byMail()),
    },
    {
      name: 'SMS',
      type: 'phone',
      unlink: () => codes.unlinkPhone(http, phoneNumber),
      login: async () => codes.authenticateWithSms(http, { ...(await bySms()), mode }),
      link: async () => codes.linkPhone(http, await bySms()),
    },
    {
      name: 'Ethereum',
      type: 'wallet',
      unlink: () => siwe.unlinkSiwe(http, address),
      login: async () => siwe.authenticateWithSiwe(http, { ...(await byEthereum()), mode }),
      link: async () => siwe.linkSiwe(http, await byEthereum()),
    },
    {
      name: 'Solana',
      type: 'wallet',
      unlink: () => siws.unlinkSiws(http, solana.address),
      login: async () => siws.authenticateWithSiws(http, { ...(await bySolana()), mode }),
      link: async () => siws.linkSiws(http, await bySolana()),
    },
    {
      name: 'passkey',
      type: 'passkey',
      unlink: () => passkeys.unlinkPasskey(http, credential),
      login: async () =>
        passkeys.finishPasskeySignup(
          http,
          await attest(await passkeys.startPasskeySignup(http, { origin: site })),
        ),
      link: async () => passkeys.finishPasskeyLink(http, await attest(await passkeys.startPasskeyLink(http))),
    },
  ]
}

test(`${counted(wanted)} lost answers, seed ${seed}: no message, login, guest, link or refresh twice, and everybody gets where they were going`, {
  timeout: limit(600_000),
}, async () => {
  const random = seeded(seed)
  let lost = 0
  let actions = 0
  const met = new Set<string>()
  /** Per idempotency key, the different answers that the server gave for good. */
  const acted = new Map<string, Set<string>>()

  function browser() {
    const client = new Client(world, { kit: true, appId: app.id })
    // What is waited for between two attempts is over at once; a time limit never comes.
    const clock = {
      now: () => world.clock.now,
      sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms > 10_000 ? 2 ** 31 - 1 : 0, signal),
    }
    let lives = 0
    const tokens = createTokens({ appId: app.id, storage: memoryStorage(), clock })
    const tab = browserTabs().open()
    const session = createSession({ tokens, shared: tab, tabs: tab, http: () => http, clock })
    const http: Http = createHttp({
      base: apiUrl,
      appId: app.id,
      clientId: undefined,
      analyticsId: () => '',
      tokens: () => session,
      clock,
      async fetch(input, init = {}) {
        const { authorization: _, ...browserOnly } = client.headers()
        const headers = { ...browserOnly, ...(init.headers as Record<string, string>) }
        // The last of four attempts arrives, so that the action ends.
        const key = headers['idempotency-key'] ?? ''
        if (key !== current) [current, lives] = [key, random.whole(4)]
        const isLost = lives-- > 0
        const answer = await client.request(new URL(input).pathname, { ...init, headers }, !isLost)
        if (key && answer.status === 200) acted.set(key, (acted.get(key) ?? new Set()).add(answer.text))
        if (isLost) {
          lost++
          throw new TypeError('Failed to fetch')
        }
        return new Response(answer.text, { status: answer.status, headers: answer.headers })
      },
    })
    let current: string | undefined
    return { client, http, session }
  }

  while (lost < wanted) {
    const { http, session } = browser()
    actions++
    if (random.chance(0.3)) {
      const credential = randomBytes(32).toString('base64url')
      const answer = await authenticateGuest(http, credential)
      expect(answer.isNewUser).toBe(true)
      expect((await authenticateGuest(http, credential)).user?.id).toBe(answer.user?.id)
      continue
    }
    const [first, second, third] = random.shuffled(waysOf(http))
    if (!first || !second || !third) throw new Error('There are too few ways')
    met.add(first.name)
    const person = session.authenticate(await first.login())
    expect((await acceptTerms(http)).id).toBe(person.id)
    const typesOf = ({ linkedAccounts }: User) => linkedAccounts.map(({ type }) => type).sort()
    const expectOf = (...ways: Way[]) => ways.map(({ type }) => type).sort()
    expect(typesOf(await second.link())).toEqual(expectOf(first, second))
    expect(typesOf(await third.link())).toEqual(expectOf(first, second, third))
    expect(typesOf(await second.unlink())).toEqual(expectOf(first, third))
    world.clock.pass(hours(1))
    // The refresh goes out again under its key, and gets the token that it has made already.
    expect(await session.accessToken()).toBeDefined()
    await endOtherUserSessions(http)
    expect(await listUserSessions(http)).toHaveLength(1)
    const { user } = await getMe(http)
    expect([user.id, typesOf(user)]).toEqual([person.id, expectOf(first, third)])
    await session.logout()
  }
  const twice = [...acted.values()].filter((answers) => answers.size > 1)
  console.log(
    `Lost answers: ${lost} lost in ${actions} rounds, logins by ${[...met].sort().join(', ')}, ${acted.size} actions, ${twice.length} double effects (seed ${seed})`,
  )
  expect(twice).toEqual([])
})
