import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeToken, type Reply, sessionBody, wireUser } from '../support/api.ts'
import { testClock } from '../support/clock.ts'
import { expectToldInWords, faultAt, faultsOf } from '../support/faults.ts'
import { embeddedWallet, kitWithPerson, paths, walletAddress } from '../support/kit.ts'
import { persist } from '../support/persist.ts'
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
const follow = (set: Awaited<ReturnType<typeof setUp>>, patience: number) =>
  persist({ ...set, patience, longestWait, begin: () => set.kit.login(), answerTo: answerOf })

function answerOf(screen: string, props: object): unknown {
  if ('accepted' in props) return undefined
  if (screen === 'landing') return { email: 'ada@example.com' }
  if (screen === 'enter-code') return { code: '123456' }
  if (screen === 'terms') return 'accept'
  if (screen === 'wallet-created') return 'continue'
  if (screen === 'failure') return (props as { action: string }).action
  return ['allowlist', 'user-limit', 'account-not-found'].includes(screen) ? 'again' : undefined
}

describe.each(Object.entries(requests))('%s', (name, path) => {
  const faults = faultsOf(Object.keys(requests).indexOf(name))

  test.each(faults)('meets %s for ever: words, a coded error, an end', async (_, fault) => {
    const set = await setUp(path, fault, { lasting: true })
    const { value, error, seen } = await follow(set, 2)
    if (name === 'analytics') return expect(value).toBeDefined()
    expect(value).toBeUndefined()
    expect(set.errors.length).toBeGreaterThan(0)
    expectToldInWords({ error, seen }, { errors: set.errors })
    await set.clock.advance(60_000)
    expect(await set.kit.getAccessToken()).toBeNull()
  })

  test.each(faults)('meets %s once: the way on leads into the app', async (_, fault) => {
    const set = await setUp(path, fault, { lasting: false })
    const { value } = await follow(set, 5)
    expect(value).toMatchObject({ wallet: { address: walletAddress } })
    // Nothing happened twice: every action has one key, and each key one kind of outcome at the server.
    expect(set.vault.asked.filter((each) => each.event.endsWith('wallet:create')).length).toBeLessThanOrEqual(
      2,
    )
  })
})
