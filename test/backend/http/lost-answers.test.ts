/** The kit against the backend, while answers get lost on their way: whatever is repeated has acted once. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../src/lib/clock.ts'
import { memoryStorage } from '../../../src/lib/storage.ts'
import { acceptTerms, getMe } from '../../../src/protocol/account.ts'
import { authenticateGuest } from '../../../src/protocol/guest.ts'
import { createHttp, type Http } from '../../../src/protocol/http.ts'
import { authenticateWithEmail, sendEmailCode } from '../../../src/protocol/passwordless.ts'
import { createSession } from '../../../src/session/session.ts'
import { createTokens } from '../../../src/session/tokens.ts'
import { seeded } from '../../support/random.ts'
import { counted, soak } from '../../support/soak.ts'
import { browserTabs } from '../../support/tabs.ts'
import { Client } from '../support/client.ts'
import { apiUrl, hours, newAddress, openApp, startWorld, stores, type World } from '../support/world.ts'

const wanted = soak(60, 1_000)
const seed = Number(process.env.LATCHKEY_SEED ?? 15)
const [store = { name: 'PGlite' }] = stores

let world: World
beforeAll(async () => {
  world = await startWorld(store)
})
afterAll(() => world?.stop())

test(`${counted(wanted)} lost answers, seed ${seed}: no mail, login, guest or refresh twice, and everybody gets where they were going`, {
  timeout: 600_000,
}, async () => {
  const random = seeded(seed)
  let lost = 0
  let actions = 0
  /** Per idempotency key, the different answers that the server gave for good. */
  const acted = new Map<string, Set<string>>()

  function browser() {
    const client = new Client(world, { kit: true })
    // What is waited for between two attempts is over at once; a time limit never comes.
    const clock = {
      now: () => world.clock.now,
      sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms > 10_000 ? 2 ** 31 - 1 : 0, signal),
    }
    let lives = 0
    const tokens = createTokens({ appId: openApp, storage: memoryStorage(), clock })
    const tab = browserTabs().open()
    const session = createSession({ tokens, shared: tab, tabs: tab, http: () => http, clock })
    const http: Http = createHttp({
      ...{ base: apiUrl, appId: openApp, clientId: undefined, analyticsId: () => '', tokens: session, clock },
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
    const email = newAddress()
    actions++
    if (random.chance(0.3)) {
      const credential = randomBytes(32).toString('base64url')
      const answer = await authenticateGuest(http, credential)
      expect(answer.isNewUser).toBe(true)
      expect((await authenticateGuest(http, credential)).user?.id).toBe(answer.user?.id)
      continue
    }
    await sendEmailCode(http, { email })
    const mails = world.mailbox.messages().filter(({ to }) => to === email)
    expect(mails).toHaveLength(1)
    const code = mails[0]?.code ?? ''
    const person = session.authenticate(
      await authenticateWithEmail(http, { email, code, mode: 'login-or-sign-up' }),
    )
    expect((await acceptTerms(http)).id).toBe(person.id)
    world.clock.pass(hours(1))
    // The refresh goes out again under its key, and gets the token that it has made already.
    expect(await session.accessToken()).toBeDefined()
    expect((await getMe(http)).user.id).toBe(person.id)
    await session.logout()
  }
  const twice = [...acted.values()].filter((answers) => answers.size > 1)
  console.log(
    `Lost answers: ${lost} lost in ${actions} rounds, ${acted.size} actions, ${twice.length} double effects (seed ${seed})`,
  )
  expect(twice).toEqual([])
})
