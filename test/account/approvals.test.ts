/** Changes of accounts and sessions that the server makes only once the user has approved them in the vault's window. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../src/kit/host/prompt.ts'
import '../../src/kit/host/sessions.ts'
import '../../src/kit/host/settings.ts'
import '../../src/account/sessions/service.ts'
import '../../src/login/oauth/service.ts'
import { KitError } from '../../src/errors/kit-error.ts'
import { emailAccount, kitOfSomebody, phoneAccount, refusal, taken } from '../support/accounts.ts'
import { type Call, type Reply, sessionBody, wireUser } from '../support/api.ts'
import { type Ending, fakeApprovals } from '../support/approvals.ts'
import { testClock } from '../support/clock.ts'
import { embeddedWallet, walletAddress } from '../support/kit.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

const path = (of: string) => `/api/v1/${of}`
const google = { type: 'google_oauth', subject: 's-1', verified_at: 1 }
const newEmail = emailAccount('new@example.com')
const newPhone = phoneAccount('+12025550199')
const strict = { vault_mode: 'strict' }
const made: Ending = { answer: { changed: true } }
const root = { root: { chainType: 'ethereum', address: walletAddress }, address: walletAddress }

type Effect = (linked: object[]) => void
interface Guarded extends Omit<NonNullable<Parameters<typeof kitOfSomebody>[0]>, 'changes' | 'openApproval'> {
  /** By path: what the server calls the change, and what it does to the accounts once it is approved. */
  waiting: Record<string, readonly [action: string, effect: Effect]>
  /** The response before a change is noted, such as a refusal. */
  before?: (call: Call, linked: object[]) => Reply | undefined
  /** How each approval ends. */
  decide?: (purpose: string, request: object) => Ending | undefined
}

/** A user with a wallet in a strict app, whose server makes no change without an approval. */
async function guarded({
  waiting,
  before,
  decide = () => made,
  accounts = [emailAccount()],
  ...more
}: Guarded) {
  const pending = new Map<string, () => void>()
  const asked: string[] = []
  const changes = Object.fromEntries(
    Object.entries(waiting).map(([of, [action, effect]]) => [
      path(of),
      (call: Call, linked: object[]) => {
        const early = before?.(call, linked)
        if (early) return early
        const change = `change-${pending.size + 1}`
        pending.set(change, () => effect(linked))
        asked.push(action)
        return refusal('approval_required', 'Approve this', 403, { change, action })
      },
    ]),
  )
  const approvals = fakeApprovals((purpose, request) => {
    const ending = decide(purpose, request)
    const { change } = request as { change?: string }
    if (ending && typeof ending === 'object' && 'answer' in ending && change !== undefined)
      pending.get(change)?.()
    return ending
  })
  const set = await kitOfSomebody({
    ...more,
    app: { ...strict, ...more.app },
    accounts: [...accounts, embeddedWallet],
    changes,
    routes: {
      [path('users/me/sessions')]: { body: { sessions: [] } },
      [path('devices')]: { body: { devices: [] } },
      [path('devices/requests/count')]: { body: { count: 0 } },
      [path('grants')]: { body: { grants: [] } },
      [path('devices/proofs')]: { body: { kinds: ['email'] } },
      ...more.routes,
    },
    openApproval: approvals.open,
  })
  return { ...set, approvals, asked }
}

const kinds = (user: { linkedAccounts: readonly { type: string }[] } | undefined | null) =>
  user?.linkedAccounts.map(({ type }) => type).filter((type) => type !== 'wallet')

const linkEmail = {
  'passwordless/link': ['link', (linked) => void linked.push(newEmail)],
} as const satisfies Guarded['waiting']
const byCode = [
  ['enter-address', { address: 'new@example.com' }],
  ['enter-code', { code: '123456' }],
] as [string, unknown][]

describe('linking with an approval', () => {
  test('email: the vault opens in the dialog after the code, and the host gets the user', async () => {
    const { kit, person, approvals, told, outcomeOf, api, asked, errors } = await guarded({
      accounts: [phoneAccount()],
      waiting: linkEmail,
    })
    const outcome = outcomeOf(kit.link('email'))
    await person.follow([...byCode, { wait: 3_000 }])
    const { person: user, error } = await outcome
    expect(error).toBeUndefined()
    expect(user?.email?.address).toBe('new@example.com')
    expect(kit.user?.email?.address).toBe('new@example.com')
    expect(approvals.requests()).toEqual([['account-change', { change: 'change-1', ...root }]])
    expect(api.to(path('passwordless/link'))).toHaveLength(1)
    expect(told).toMatchObject([['linked', { method: 'email', account: { address: 'new@example.com' } }]])
    expect([asked, errors, person.ends]).toEqual([['link'], [], [{ completed: true }]])
    expect(person.trace().join(' ')).toContain('account-change')
  })

  test('a user who does not approve: ends the dialog as closing it does, and nothing is linked', async () => {
    const { kit, person, told, outcomeOf, errors } = await guarded({
      accounts: [phoneAccount()],
      waiting: linkEmail,
      decide: () => 'rejected',
    })
    const outcome = outcomeOf(kit.link('email'))
    await person.follow([...byCode, { wait: 3_000 }])
    expect((await outcome).error?.code).toBe('exited_link_flow')
    expect([told, errors, kinds(kit.user)]).toEqual([[], [], ['phone']])
  })

  test('a code that was used for a change that was not approved: another one is sent', async () => {
    let isRejected = true
    const { kit, person, outcomeOf, api } = await guarded({
      accounts: [phoneAccount()],
      waiting: linkEmail,
      decide: () => (isRejected ? 'rejected' : made),
    })
    const first = outcomeOf(kit.link('email'))
    await person.follow([...byCode, { wait: 3_000 }])
    expect((await first).error?.code).toBe('exited_link_flow')
    isRejected = false
    const before = api.to(path('passwordless/init')).length
    const second = outcomeOf(kit.link('email'))
    await person.follow([...byCode, { wait: 3_000 }])
    expect((await second).person?.email?.address).toBe('new@example.com')
    expect(api.to(path('passwordless/init'))).toHaveLength(before + 1)
  })

  test('closing the dialog during the approval: ends it, and the frame goes', async () => {
    const { kit, person, approvals, outcomeOf, told } = await guarded({
      accounts: [phoneAccount()],
      waiting: linkEmail,
      decide: () => undefined,
    })
    const outcome = outcomeOf(kit.link('email'))
    await person.follow([...byCode, { on: 'account-change', close: true }, { wait: 3_000 }])
    expect((await outcome).error?.code).toBe('exited_link_flow')
    expect([approvals.opened[0]?.isOpen, told]).toEqual([false, []])
  })

  test('a vault that can not be reached: is tried again, and the code is sent once', async () => {
    let tries = 0
    const { kit, person, outcomeOf, api } = await guarded({
      accounts: [phoneAccount()],
      waiting: linkEmail,
      decide: () => (++tries === 1 ? { error: new KitError('vault_timeout', 'Cannot connect') } : made),
    })
    const outcome = outcomeOf(kit.link('email'))
    await person.follow([...byCode, ['failure', 'retry'], { wait: 3_000 }])
    expect((await outcome).person?.email?.address).toBe('new@example.com')
    expect(api.to(path('passwordless/link'))).toHaveLength(1)
  })

  test('a second factor that is not shown: is told to the host as that', async () => {
    const { kit, person, outcomeOf } = await guarded({
      accounts: [phoneAccount()],
      waiting: linkEmail,
      decide: () => ({ error: new KitError('mfa_canceled', 'MFA canceled') }),
    })
    const outcome = outcomeOf(kit.link('email'))
    await person.follow([...byCode, { wait: 3_000 }])
    expect((await outcome).error?.code).toBe('mfa_canceled')
  })

  test('without our screens: the approval has a dialog of its own', async () => {
    const { kit, approvals, told, person } = await guarded({ accounts: [phoneAccount()], waiting: linkEmail })
    await kit.email.sendCode({ email: 'new@example.com' })
    const linking = kit.email.linkWithCode({ code: '123456' })
    await person.follow([{ wait: 3_000 }])
    expect((await linking).email?.address).toBe('new@example.com')
    expect([approvals.opened.length, told.length, person.ends]).toEqual([1, 1, [{ completed: true }]])
  })

  test('without our screens and without an approval: the host gets the code of a closed dialog', async () => {
    const { kit, told } = await guarded({
      accounts: [phoneAccount()],
      waiting: linkEmail,
      decide: () => 'rejected',
    })
    await kit.email.sendCode({ email: 'new@example.com' })
    await expect(kit.email.linkWithCode({ code: '123456' })).rejects.toMatchObject({
      code: 'exited_link_flow',
    })
    expect(told).toEqual([])
  })

  test('a transfer: is approved as well, after the page has asked', async () => {
    const { kit, person, outcomeOf, asked } = await guarded({
      accounts: [phoneAccount()],
      waiting: {
        ...linkEmail,
        'passwordless/transfer': ['transfer', (linked) => void linked.push(newEmail)],
      },
      before: (call) =>
        call.path.endsWith('/link') ? taken({}, { embeddedWalletAddress: walletAddress }) : undefined,
    })
    const outcome = outcomeOf(kit.link('email'))
    await person.follow([
      ...byCode,
      ['link-conflict', 'continue'],
      ['link-conflict', 'transfer'],
      { wait: 3_000 },
    ])
    expect((await outcome).person?.email?.address).toBe('new@example.com')
    expect(asked).toEqual(['transfer'])
  })

  test('a transfer for a host with screens of its own: is approved', async () => {
    const { kit, asked, person } = await guarded({
      accounts: [phoneAccount()],
      waiting: { 'passwordless/transfer': ['transfer', (linked) => void linked.push(newEmail)] },
    })
    const done = kit.initiateTransfer({ nonce: 'n', account: 'new@example.com', accountType: 'email' })
    await person.follow([{ wait: 3_000 }])
    expect((await done).email?.address).toBe('new@example.com')
    expect(asked).toEqual(['transfer'])
  })
})

describe('updating with an approval', () => {
  test.each([
    ['email', 'passwordless/update', emailAccount(), newEmail, byCode],
    [
      'phone',
      'passwordless_sms/update',
      phoneAccount(),
      newPhone,
      [
        ['enter-address', { address: '+12025550199' }],
        ['enter-code', { code: '123456' }],
      ],
    ],
  ] as const)('%s: the host gets the user with the new one', async (kind, of, old, next, steps) => {
    const { kit, person, told, outcomeOf, asked } = await guarded({
      accounts: [old],
      waiting: { [of]: ['update', (linked) => void linked.splice(0, 1, next)] },
    })
    const outcome = outcomeOf(kind === 'email' ? kit.updateEmail() : kit.updatePhone())
    await person.follow([...(steps as [string, unknown][]), { wait: 3_000 }])
    const { person: user } = await outcome
    expect(kind === 'email' ? user?.email?.address : user?.phone?.number).toBe(
      kind === 'email' ? 'new@example.com' : '+12025550199',
    )
    expect([asked, told.map(([event]) => event)]).toEqual([['update'], ['updated']])
  })

  test('a user who does not approve: keeps the old one', async () => {
    const { kit, person, outcomeOf, told } = await guarded({
      waiting: { 'passwordless/update': ['update', (linked) => void linked.splice(0, 1, newEmail)] },
      decide: () => 'rejected',
    })
    const outcome = outcomeOf(kit.updateEmail())
    await person.follow([...byCode, { wait: 3_000 }])
    expect((await outcome).error?.code).toBe('exited_update_flow')
    expect([told, kit.user?.email?.address]).toEqual([[], 'ada@example.com'])
  })
})

describe('unlinking with an approval', () => {
  const unlinkGoogle = {
    'oauth/unlink': ['unlink', (linked) => void linked.splice(1, 1)],
  } as const satisfies Guarded['waiting']
  const meant = { type: 'google', subject: 's-1' } as const

  test('an account: opens a dialog for the approval, and the host gets the user', async () => {
    const { kit, person, told, outcomeOf, approvals } = await guarded({
      accounts: [emailAccount(), google],
      waiting: unlinkGoogle,
    })
    const outcome = outcomeOf(kit.unlink(meant))
    await person.follow([{ wait: 3_000 }])
    expect(kinds((await outcome).person)).toEqual(['email'])
    expect([told.map(([event]) => event), approvals.opened.length]).toEqual([['unlinked'], 1])
    expect(person.trace()).toEqual(['account-change', 'closed'])
  })

  test('a user who does not approve: keeps it, and the host hears that the dialog was closed', async () => {
    const { kit, outcomeOf, told } = await guarded({
      accounts: [emailAccount(), google],
      waiting: unlinkGoogle,
      decide: () => 'rejected',
    })
    expect((await outcomeOf(kit.unlink(meant))).error?.code).toBe('exited_link_flow')
    expect([told, kinds(kit.user)]).toEqual([[], ['email', 'google']])
  })

  test('the last login: is warned of by the page and approved in the same dialog', async () => {
    const { kit, person, outcomeOf } = await guarded({
      waiting: { 'passwordless/unlink': ['unlink', (linked) => void linked.shift()] },
    })
    const outcome = outcomeOf(kit.unlink({ type: 'email', address: 'ada@example.com' }))
    await person.follow([['last-login', 'remove'], { wait: 3_000 }])
    expect(kinds((await outcome).person)).toEqual([])
    expect(person.ends).toEqual([{ completed: true }])
  })

  test('a passkey of a user with second factors: only the vault asks for them', async () => {
    const passkey = { type: 'passkey', credential_id: 'id-1', verified_at: 1 }
    const { kit, person, outcomeOf, approvals } = await guarded({
      accounts: [emailAccount(), passkey],
      factors: ['totp'],
      waiting: { 'passkeys/unlink': ['unlink', (linked) => void linked.splice(1, 1)] },
    })
    const outcome = outcomeOf(kit.unlink({ type: 'passkey', credentialId: 'id-1' }))
    await person.follow([{ wait: 3_000 }])
    expect(kinds((await outcome).person)).toEqual(['email'])
    expect(approvals.requests().map(([purpose]) => purpose)).toEqual(['account-change'])
  })

  test('a change of a kind that a newer server made up: is approved all the same', async () => {
    const { kit, person, outcomeOf } = await guarded({
      accounts: [emailAccount(), google],
      waiting: { 'oauth/unlink': ['merge', (linked) => void linked.splice(1, 1)] },
    })
    const outcome = outcomeOf(kit.unlink(meant))
    await person.follow([{ wait: 3_000 }])
    expect(kinds((await outcome).person)).toEqual(['email'])
  })

  test('a refusal without a change: is an error for the host, and opens nothing', async () => {
    const { kit, outcomeOf, approvals } = await guarded({
      accounts: [emailAccount(), google],
      waiting: unlinkGoogle,
      before: () => refusal('approval_required', 'no', 403),
    })
    expect((await outcomeOf(kit.unlink(meant))).error?.code).toBe('approval_required')
    expect(approvals.opened).toEqual([])
  })
})

describe('ending sessions with an approval', () => {
  const waiting = {
    'users/me/sessions/s-2/end': ['end-session', () => {}],
    'users/me/sessions/end_others': ['end-sessions', () => {}],
  } as const satisfies Guarded['waiting']

  test('one session, and all others: the promises resolve once the user has approved', async () => {
    const { kit, person, asked, approvals } = await guarded({ waiting })
    const one = kit.sessions.end('s-2')
    await person.follow([{ wait: 3_000 }])
    await one
    const all = kit.sessions.endOthers()
    await person.follow([{ wait: 3_000 }])
    await all
    expect([asked, approvals.opened.length]).toEqual([['end-session', 'end-sessions'], 2])
  })

  test('a user who does not approve: is an error that hosts know', async () => {
    const { kit } = await guarded({ waiting, decide: () => 'rejected' })
    await expect(kit.sessions.end('s-2')).rejects.toMatchObject({ code: 'exited_update_flow' })
  })
})

describe('settings with approvals', () => {
  const settings = 'account-settings'

  test('removing an account: is approved in the settings, which go on without it', async () => {
    const { kit, person, told } = await guarded({
      accounts: [emailAccount(), google],
      waiting: { 'oauth/unlink': ['unlink', (linked) => void linked.splice(1, 1)] },
    })
    const closed = kit.manageAccount()
    await person.follow([
      [settings, { account: 'google:s-1' }],
      ['account-entry', 'remove'],
      { wait: 3_000 },
      { on: settings, close: true },
    ])
    await closed
    expect(told.map(([event]) => event)).toEqual(['unlinked'])
  })

  test('a user who does not approve: is back at the account, without an error', async () => {
    const { kit, person, told, errors } = await guarded({
      accounts: [emailAccount(), google],
      waiting: { 'oauth/unlink': ['unlink', (linked) => void linked.splice(1, 1)] },
      decide: () => 'rejected',
    })
    const closed = kit.manageAccount()
    await person.follow([
      [settings, { account: 'google:s-1' }],
      ['account-entry', 'remove'],
      { wait: 3_000 },
      { on: 'account-entry', expect: (props) => expect(props.error).toBeUndefined(), answer: 'back' },
      { on: settings, close: true },
    ])
    await closed
    expect([told, errors]).toEqual([[], []])
  })

  test('adding an account that is not approved: is back at the list, without an error', async () => {
    const { kit, person, told, errors } = await guarded({
      accounts: [phoneAccount()],
      waiting: linkEmail,
      decide: () => 'rejected',
    })
    const closed = kit.manageAccount()
    await person.follow([
      [settings, 'add'],
      ['add-account', { method: 'email' }],
      ...byCode,
      { wait: 3_000 },
      ['add-account', 'back'],
      { on: settings, close: true },
    ])
    await closed
    expect([told, errors]).toEqual([[], []])
  })
})

describe('a guest with a wallet', () => {
  test('who logs in by email: approves the account, keeps the session and is announced', async () => {
    const clock = testClock()
    const session = await sessionBody(clock)
    const asGuest = (linked: object[]) =>
      wireUser('did:privy:u1', { linked_accounts: linked, is_guest: true })
    let isIn = false
    const { kit, approvals, person, api } = await guarded({
      clock,
      accounts: [],
      waiting: { 'passwordless/authenticate': ['link', (linked) => void linked.push(newEmail)] },
      // The guest's own session, before there is anything to approve.
      before: (_, linked) => (isIn ? undefined : { body: { ...session, user: asGuest(linked) } }),
    })
    isIn = true
    await kit.email.sendCode({ email: 'new@example.com' })
    const login = kit.email.loginWithCode({ code: '123456' })
    await person.follow([{ wait: 3_000 }])
    expect((await login).email?.address).toBe('new@example.com')
    expect(approvals.requests()).toEqual([['account-change', { change: 'change-1', ...root }]])
    expect(api.to('/api/v1/sessions').length).toBeGreaterThan(0)
  })
})

describe('a frozen account', () => {
  test('a refused change: leads to the proof, and is then made', async () => {
    let isFrozen = true
    const { kit, person, outcomeOf, approvals } = await guarded({
      accounts: [emailAccount(), google],
      waiting: { 'oauth/unlink': ['unlink', (linked) => void linked.splice(1, 1)] },
      before: () => (isFrozen ? refusal('account_frozen', 'frozen', 403) : undefined),
      decide(purpose) {
        if (purpose !== 'unfreeze') return made
        isFrozen = false
        return { answer: { unfrozen: true } }
      },
    })
    const outcome = outcomeOf(kit.unlink({ type: 'google', subject: 's-1' }))
    await person.follow([{ wait: 3_000 }])
    expect(kinds((await outcome).person)).toEqual(['email'])
    expect(approvals.requests()).toEqual([
      ['unfreeze', root],
      ['account-change', { change: 'change-1', ...root }],
    ])
  })

  test('a user who does not show the proof: changes nothing', async () => {
    const { kit, outcomeOf } = await guarded({
      accounts: [emailAccount(), google],
      waiting: { 'oauth/unlink': ['unlink', (linked) => void linked.splice(1, 1)] },
      before: () => refusal('account_frozen', 'frozen', 403),
      decide: () => 'rejected',
    })
    expect((await outcomeOf(kit.unlink({ type: 'google', subject: 's-1' }))).error?.code).toBe(
      'exited_update_flow',
    )
    expect(kinds(kit.user)).toEqual(['email', 'google'])
  })

  test('one that stays frozen: is an error for the host after one attempt', async () => {
    const { kit, outcomeOf, approvals, person } = await guarded({
      accounts: [emailAccount(), google],
      waiting: { 'oauth/unlink': ['unlink', (linked) => void linked.splice(1, 1)] },
      before: () => refusal('account_frozen', 'frozen', 403),
      decide: () => ({ answer: { unfrozen: true } }),
    })
    const outcome = outcomeOf(kit.unlink({ type: 'google', subject: 's-1' }))
    await person.follow([{ wait: 3_000 }])
    expect((await outcome).error?.code).toBe('account_frozen')
    expect(approvals.opened).toHaveLength(1)
  })
})
