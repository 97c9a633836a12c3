import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { memoryStorage } from '../../src/lib/storage.ts'
import { createHttp, type Http } from '../../src/protocol/http.ts'
import { parse } from '../../src/protocol/schema.ts'
import { sessionAnswer } from '../../src/protocol/sessions.ts'
import { createSession } from '../../src/session/session.ts'
import { createTokens } from '../../src/session/tokens.ts'
import { appId, fakeApi, makeToken, sessionBody, wireUser } from '../support/api.ts'
import { testClock } from '../support/clock.ts'
import { counted, soak } from '../support/soak.ts'
import { browserTabs } from '../support/tabs.ts'

const tabCount = 20
const rounds = soak(20, 200)

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

test(`${tabCount} tabs that need a new token at once make one refresh, in each of ${counted(rounds)} rounds, and nobody is logged out`, async () => {
  const clock = testClock()
  const [storage, browser] = [memoryStorage(), browserTabs()]
  let lost = 0
  const api = fakeApi(clock, {
    '/api/v1/users/me': { body: { user: wireUser() } },
    '/api/v1/sessions': () => answers.shift() ?? { status: 500 },
  })
  const answers: { body: object }[] = []
  const tabs = Array.from({ length: tabCount }, () => {
    const tab = browser.open()
    const tokens = createTokens({ appId, storage, clock })
    const session = createSession({ tokens, shared: tab, tabs: tab, http: () => http, clock })
    const http: Http = createHttp({
      base: 'https://api.example',
      appId,
      clientId: undefined,
      analyticsId: () => '',
      tokens: () => session,
      fetch: api.fetch,
      clock,
    })
    session.onChangeElsewhere((next) => {
      if (!next) lost++
    })
    return session
  })
  tabs[0]?.authenticate(parse(sessionAnswer, await sessionBody(clock), 'a login'))
  let refreshes = 0
  for (let round = 0; round < rounds; round++) {
    await clock.advance(3_600_000)
    answers.push({ body: await sessionBody(clock) })
    const before = api.to('/api/v1/sessions').length
    const got = await Promise.all(tabs.map((tab) => tab.accessToken()))
    const made = api.to('/api/v1/sessions').length - before
    refreshes += made
    expect(made).toBe(1)
    expect(new Set(got).size).toBe(1)
    expect(got[0]).toBe(await makeToken(clock))
  }
  expect(lost).toBe(0)
  expect(tabs.every((tab) => tab.user.get()?.id === 'did:privy:u1')).toBe(true)
  console.log(`Refresh: ${tabCount} tabs, ${rounds} rounds, ${refreshes} refreshes, ${lost} logouts`)
})
