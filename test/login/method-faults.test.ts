/** Every request of the logins by SMS, Farcaster and guest, and every fault of each, as their people live it. */
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
// Loaded beforehand, so that no test waits for the loading of what the kit loads lazily.
import '../../src/login/code/sms-flow.ts'
import '../../src/login/code/sms-service.ts'
import '../../src/login/farcaster/flow.ts'
import '../../src/login/farcaster/service.ts'
import '../../src/login/guest/service.ts'
import type { KitError } from '../../src/errors/kit-error.ts'
import { type Reply, sessionBody, wireUser } from '../support/api.ts'
import { settled, testClock } from '../support/clock.ts'
import { faultAt } from '../support/faults.ts'
import { type KitSetUp, kitWithPerson } from '../support/kit.ts'
import { testPage } from '../support/page.ts'
import { counted, eachOf, soak } from '../support/soak.ts'

type KitSet = Awaited<ReturnType<typeof kitWithPerson>>
interface Journey {
  app: object
  account: object
  choice: object
  routes: Record<string, Reply>
  /** Which of the paths log the person in. */
  login: string
  begin?: (set: KitSet) => Promise<unknown>
}

const farcasterAccount = {
  ...{ type: 'farcaster', fid: 1_001, owner_address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' },
  ...{ username: 'ada', verified_at: 1_700_000_000 },
}
const journeys: Record<string, Journey> = {
  SMS: {
    app: { sms_auth: true, email_auth: false },
    account: { type: 'phone', phoneNumber: '+12025550123', verified_at: 1_700_000_000 },
    choice: { phone: '+12025550123' },
    routes: { '/api/v1/passwordless_sms/init': { body: { success: true } } },
    login: '/api/v1/passwordless_sms/authenticate',
  },
  Farcaster: {
    app: { farcaster_auth: true },
    account: farcasterAccount,
    choice: { method: 'farcaster' },
    routes: {
      '/api/v1/farcaster/init': {
        body: { channel_token: 't', connect_uri: 'https://farcaster.xyz/~/siwf?channelToken=t' },
      },
      '/api/v1/farcaster/status': {
        body: {
          state: 'completed',
          nonce: 'n',
          message: 'm',
          signature: '0x12',
          fid: 1_001,
          username: 'ada',
        },
      },
    },
    login: '/api/v1/farcaster/authenticate',
  },
  guest: {
    app: {},
    account: { type: 'email', address: 'nobody@example.com', verified_at: 1 },
    choice: {},
    routes: {},
    login: '/api/v1/guest/authenticate',
    begin: async (set) => set.kit.guest.create(),
  },
}
const statuses = [400, 401, 403, 404, 408, 409, 422, 425, 429, 500, 501, 502, 503, 504]
const all: [string, Reply][] = [
  ...statuses.map((status): [string, Reply] => [`status ${status}`, { status, body: { error: 'no' } }]),
  ['an error page', { status: 500, text: '<h1>Sorry</h1>' }],
  ['an empty body', { text: '' }],
  ['truncated JSON', { text: '{"user": {"id": "did' }],
  ['a captive portal', { text: '<html>Log in to the WLAN</html>' }],
  ['a body of another type', { body: [1, 2, 3] }],
  ['a text', { body: 'no' }],
  ['an error inside a 200', { body: { error: 'no', code: 'invalid_data' } }],
  ['2 MB', { text: `{"user":"${'a'.repeat(2_000_000)}"}` }],
  ['120 s of silence', 'silent'],
  ['a dropped connection', 'dropped'],
]
const faults = eachOf(all, soak(3, 1))
/** The longest that a person may wait without a screen that leads on: one who scans a code has two minutes for that. */
const longestWait = 125_000
let cells = 0

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

async function setUp(journey: Journey, path: string, fault: Reply, lasting: boolean) {
  const intercept = faultAt(path, fault, { lasting })
  const user = wireUser('did:privy:u1', { linked_accounts: [journey.account] })
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const window = Object.assign(new EventTarget(), { document }) as unknown as Window
  const session = await sessionBody(testClock(), { user, is_new_user: false })
  const options: KitSetUp = {
    app: journey.app,
    accounts: [journey.account],
    page: testPage({ window }),
    routes: {
      ...journey.routes,
      [journey.login]: { body: session },
    },
    intercept,
  }
  return kitWithPerson(options)
}

/** What a person does who wants to get in, screen by screen; `undefined` where they can only wait. */
function answerOf(screen: string, props: Record<string, unknown>, journey: Journey): unknown {
  if ('accepted' in props) return undefined
  if (screen === 'landing') return journey.choice
  if (screen === 'enter-code') return { code: '123456' }
  if (screen === 'failure') return props.action
  if (props.state === 'failed') return props.retryable ? 'retry' : 'back'
  return undefined
}

function wordsOf(props: Record<string, unknown>): string | undefined {
  const { error, title, detail, phone, email } = props as Record<string, string | undefined> & {
    phone?: { error?: string }
    email?: { error?: string }
  }
  return error ?? phone?.error ?? email?.error ?? (title && detail ? `${title} / ${detail}` : undefined)
}

async function persist(set: KitSet, journey: Journey, patience: number) {
  const { clock, person, kit } = set
  const seen: string[] = []
  let outcome: { user?: unknown; error?: KitError } | undefined
  const work = journey.begin ? journey.begin(set) : kit.login()
  work.then(
    (user) => {
      outcome = { user }
    },
    (error: KitError) => {
      outcome = { error }
    },
  )
  let waited = 0
  while (!outcome) {
    await settled()
    const scene = person.scene
    const props = scene?.props as Record<string, unknown>
    const answer = scene?.busy === undefined && scene ? answerOf(scene.screen.id, props, journey) : undefined
    if (!scene || answer === undefined) {
      if (waited > longestWait) throw new Error(`An endless wait: ${person.trace().join(' ')}`)
      await clock.advance(500)
      waited += 500
      continue
    }
    waited = 0
    const words = wordsOf(props)
    if (words) {
      seen.push(words)
      if (seen.length > patience) {
        person.close()
        await clock.advance(1_000)
        continue
      }
    }
    scene.answer(answer)
    await clock.advance(0)
  }
  return { outcome, seen }
}

describe.each(Object.entries(journeys))('a login by %s', (name, journey) => {
  const paths = [...Object.keys(journey.routes), journey.login]

  test('comes to its end, and makes no other requests than those of the matrix', async () => {
    const set = await setUp(journey, 'none', {}, false)
    const { outcome, seen } = await persist(set, journey, 0)
    expect([outcome.user, seen]).toMatchObject([{ id: 'did:privy:u1' }, []])
    const made = new Set(set.api.calls.map(({ path }) => path))
    for (const common of ['/api/v1/analytics_events', '/api/v1/users/me']) made.delete(common)
    for (const path of made) expect([...paths, `/api/v1/apps/${set.kit.appId}`]).toContain(path)
  })

  describe.each(paths)('%s', (path) => {
    test.each(faults)('meets %s for ever: words, a coded error, an end', async (_, fault) => {
      cells++
      const set = await setUp(journey, path, fault, true)
      const { outcome, seen } = await persist(set, journey, 2)
      expect(outcome.user).toBeUndefined()
      expect(outcome.error?.code).toMatch(/^[a-z][a-z_]+$/)
      if (!journey.begin) expect(seen.length).toBeGreaterThan(0)
      for (const words of seen) expect(words).toMatch(/^[A-Z].{8,}/)
      for (const error of set.errors) expect(error.code).toMatch(/^[a-z][a-z_]+$/)
      await set.clock.advance(60_000)
      expect(await set.kit.getAccessToken()).toBeNull()
    })

    test.each(faults)('meets %s once: the way on leads into the app', async (_, fault) => {
      cells++
      const set = await setUp(journey, path, fault, false)
      const { outcome } = await persist(set, journey, 5)
      // A guest has no screen: the page presses again.
      if (journey.begin && outcome.error)
        return expect(await persist(set, journey, 5)).toMatchObject({ outcome: { user: {} } })
      expect(outcome.user, name).toMatchObject({ id: 'did:privy:u1' })
    })
  })
})

afterAll(() => console.log(`Faults of logins: ${Object.keys(journeys).join(', ')}, ${counted(cells)} cells`))
