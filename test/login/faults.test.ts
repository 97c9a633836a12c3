import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { KitError } from '../../src/errors/kit-error.ts'
import { makeToken, type Reply, sessionBody, wireUser } from '../support/api.ts'
import { settled, testClock } from '../support/clock.ts'
import { faultAt } from '../support/faults.ts'
import { embeddedWallet, kitWithPerson, paths, walletAddress } from '../support/kit.ts'
import { fakeVault } from '../support/vault.ts'

/** Each request of the e-mail path. */
const requests = {
  'app config': paths.config,
  'sending the code': paths.init,
  'checking the code': paths.authenticate,
  'accepting the terms': paths.terms,
  'who am I': paths.me,
  analytics: paths.analytics,
}
const statuses = [400, 401, 403, 404, 408, 409, 422, 425, 429, 500, 502, 503, 504]
const faults: [string, Reply][] = [
  ...statuses.map((status): [string, Reply] => [`status ${status}`, { status, body: { error: 'no' } }]),
  ['an error page', { status: 500, text: '<h1>Sorry</h1>' }],
  ['an empty body', { text: '' }],
  ['truncated JSON', { text: '{"user": {"id": "did' }],
  ['a captive portal', { text: '<html>Log in to the WLAN</html>' }],
  ['a body of another type', { body: [1, 2, 3] }],
  ['an error inside a 200', { body: { error: 'no', code: 'invalid_data' } }],
  ['120 s of silence', 'silent'],
  ['a dropped connection', 'dropped'],
]
/** The longest that one wait of a person may be: an attempt with its retries, or a silent one. */
const longestWait = 30_000

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

/** An app that asks for all it can, at which one request meets a fault: for ever, or for one action of the person. */
async function setUp(path: string, fault: Reply, { lasting }: { lasting: boolean }) {
  const intercept = faultAt(path, fault, { lasting })
  const accounts = [...wireUser().linked_accounts, embeddedWallet]
  const accepted = wireUser('did:privy:u1', { has_accepted_terms: true, linked_accounts: accounts })
  return kitWithPerson({
    app: { require_users_accept_terms: true, embedded_wallet_config: { create_on_login: 'all-users' } },
    routes: {
      [paths.authenticate]: { body: await sessionBody(testClock()) },
      [paths.me]: { body: { user: accepted, identity_token: await makeToken(testClock()) } },
      [paths.terms]: { body: wireUser('did:privy:u1', { has_accepted_terms: true }) },
    },
    vault: fakeVault({ createWallet: () => ({ address: walletAddress }) }),
    intercept,
  })
}

/** A person who continues as long as possible, and presses 'Try again' a few times. */
async function persist({ clock, person, kit }: Awaited<ReturnType<typeof setUp>>, patience: number) {
  const seen: { screen: string; words: string }[] = []
  let outcome: { user?: unknown; error?: KitError } | undefined
  kit.login().then(
    (user) => {
      outcome = { user }
    },
    (error: KitError) => {
      outcome = { error }
    },
  )
  let waited = 0
  let failures = 0
  while (!outcome) {
    await settled()
    const scene = person.scene
    const answer = scene && scene.busy === undefined ? answerOf(scene.screen.id, scene.props) : undefined
    if (!scene || answer === undefined) {
      if (waited > longestWait)
        throw new Error(`An endless wait on ${scene?.screen.id}: ${person.trace().join(' ')}`)
      await clock.advance(500)
      waited += 500
      continue
    }
    waited = 0
    const words = wordsOf(scene.props)
    if (words) {
      seen.push({ screen: scene.screen.id, words })
      if (++failures > patience) {
        person.close()
        await clock.advance(1000)
        continue
      }
    }
    scene.answer(answer)
    await clock.advance(0)
  }
  return { outcome, seen }
}

function answerOf(screen: string, props: object): unknown {
  if ('accepted' in props) return undefined
  if (screen === 'landing') return { email: 'ada@example.com' }
  if (screen === 'enter-code') return { code: '123456' }
  if (screen === 'terms') return 'accept'
  if (screen === 'wallet-created') return 'continue'
  if (screen === 'failure') return (props as { action: string }).action
  return ['allowlist', 'user-limit', 'account-not-found'].includes(screen) ? 'again' : undefined
}

function wordsOf(props: object): string | undefined {
  const { error, title, detail, email } = props as {
    error?: string
    title?: string
    detail?: string
    email?: { error?: string }
  }
  return error ?? email?.error ?? (title && detail ? `${title} / ${detail}` : undefined)
}

describe.each(Object.entries(requests))('%s', (name, path) => {
  test.each(faults)('meets %s for ever: words, a coded error, an end', async (_, fault) => {
    const set = await setUp(path, fault, { lasting: true })
    const { outcome, seen } = await persist(set, 2)
    if (name === 'analytics') return expect(outcome.user).toBeDefined()
    expect(outcome.user).toBeUndefined()
    expect(seen.length).toBeGreaterThan(0)
    for (const { words } of seen) expect(words).toMatch(/^[A-Z].{8,}/)
    expect(outcome.error?.code).toMatch(/^[a-z][a-z_]+$/)
    expect(set.errors.length).toBeGreaterThan(0)
    for (const error of set.errors) expect(error.code).toMatch(/^[a-z][a-z_]+$/)
    await set.clock.advance(60_000)
    expect(await set.kit.getAccessToken()).toBeNull()
  })

  test.each(faults)('meets %s once: the way on leads into the app', async (_, fault) => {
    const set = await setUp(path, fault, { lasting: false })
    const { outcome } = await persist(set, 5)
    expect(outcome.user).toMatchObject({ wallet: { address: walletAddress } })
    // Nothing happened twice: every action has one key, and each key one kind of outcome at the server.
    expect(set.vault.asked.filter((each) => each.event.endsWith('wallet:create')).length).toBeLessThanOrEqual(
      2,
    )
  })
})
