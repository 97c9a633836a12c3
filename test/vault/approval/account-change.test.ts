/** Changes of accounts and sessions in the vault's window: as a flow, without a browser. */
import { describe, expect, test } from 'vitest'
import { Closed } from '../../../src/dialog/stage.ts'
import { accountChange } from '../../../src/vault/approval/account-change/flow.ts'
import { unfreeze } from '../../../src/vault/approval/frozen/flow.ts'
import { approvalOf, vaultOn } from '../support/approval.ts'
import { type Backend, sentCode } from '../support/backend.ts'
import { createDevice, type Device } from '../support/device.ts'
import { user, withWallet } from '../support/person.ts'
import type { StoredChange } from '../support/server/changes.ts'
import { factorsOf } from '../support/server/mfa.ts'

const email = { type: 'email', subject: 'alice@example.com' }
const google = { type: 'google', subject: '1234567890' }
const elsewhere = '0x2222222222222222222222222222222222222222'
const nobody = {
  account: null,
  replaces: null,
  session: null,
  requester: null,
  others_wallets: [],
  is_last_login: false,
}

/** The kinds of changes: how the server describes them, the lines that the device signs, and what the user reads. */
const kinds = {
  link: {
    review: { ...nobody, action: 'link', account: { ...email, display_name: null } },
    statement: email,
    shown: { account: 'alice@example.com', facts: [] },
  },
  'link a provider': {
    review: { ...nobody, action: 'link', account: { ...google, display_name: 'x@gmail.com' } },
    statement: google,
    shown: { account: 'Google (x@gmail.com)' },
  },
  'link a wallet': {
    review: { ...nobody, action: 'link', account: { type: 'ethereum-wallet', subject: elsewhere } },
    statement: { type: 'ethereum-wallet', subject: elsewhere },
    shown: { account: 'wallet', address: elsewhere },
  },
  update: {
    review: {
      ...nobody,
      action: 'update',
      account: { type: 'email', subject: 'new@example.com' },
      replaces: email,
    },
    statement: { type: 'email', subject: 'new@example.com', replaces: 'alice@example.com' },
    shown: {
      account: 'email address',
      facts: [
        ['Until now', 'alice@example.com'],
        ['New', 'new@example.com'],
      ],
    },
  },
  transfer: {
    review: {
      ...nobody,
      action: 'transfer',
      account: { ...email, display_name: null },
      others_wallets: [elsewhere],
    },
    statement: email,
    shown: { account: 'alice@example.com', wallets: [elsewhere] },
  },
  unlink: {
    review: { ...nobody, action: 'unlink', account: { ...google, display_name: 'x@gmail.com' } },
    statement: google,
    shown: { account: 'Google (x@gmail.com)', isLastLogin: false },
  },
  'unlink the last login': {
    review: { ...nobody, action: 'unlink', account: { ...email, display_name: null }, is_last_login: true },
    statement: email,
    shown: { account: 'alice@example.com', isLastLogin: true },
  },
  'end a session': {
    review: {
      ...nobody,
      action: 'end-session',
      session: { id: 'session-2', name: 'Chrome on Windows', place: 'Berlin' },
    },
    statement: { type: '', subject: 'session-2' },
    shown: { account: 'Chrome on Windows', facts: [['Place', 'Berlin']] },
  },
  'end all others': {
    review: { ...nobody, action: 'end-sessions' },
    statement: { type: '', subject: '' },
    shown: { account: '' },
  },
  grant: {
    review: { ...nobody, action: 'grant', requester: { id: 'another-app', name: 'Harbor\u202e' } },
    statement: { type: '', subject: 'another-app' },
    shown: { account: 'Harbor', isLastLogin: false },
  },
} as const
type Kind = keyof typeof kinds

const sessionOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid

type Pending = { -readonly [Name in keyof StoredChange]: StoredChange[Name] }

/** A change that the page has asked for with its token. */
function pend(backend: Backend, token: string, kind: Kind, more: { session?: string; user?: string } = {}) {
  const id = `change-${kind.replaceAll(' ', '-')}`
  const { review, statement } = kinds[kind]
  const change: Pending = { user, session: sessionOf(token), review, statement, state: 'pending', ...more }
  backend.state.changes.set(id, change)
  return { id, change }
}

/** The code that is sent for a device's key. */
const codeFor = async (backend: Backend, device: Device) =>
  sentCode((await vaultOn(backend, device).device()).thumbprint)

interface At {
  readonly backend: Backend
  readonly device: Device
  readonly token: string
  readonly address: string
}
/** The approval of a change, with a user in front of the vault. */
function begin({ backend, device, token, address }: At, change: string) {
  const root = { chainType: 'ethereum' as const, address }
  const approval = approvalOf<'account-change'>(vaultOn(backend, device), token, { change, root, address })
  const outcome = accountChange(approval.cx).then(
    (done) => ({ done, cause: undefined }),
    (cause: unknown) => ({ done: undefined, cause }),
  )
  const propsOf = (id: string) =>
    approval.seen.filter(({ screen }) => screen === id).map(({ props }) => props)
  return { ...approval, outcome, propsOf }
}

describe('account change', () => {
  test.each(Object.keys(kinds) as Kind[])(
    '%s: the window names it, and the device signs just that',
    async (kind) => {
      const at = await withWallet()
      const { id, change } = pend(at.backend, at.token, kind)
      const { act, outcome, propsOf, trace, risks } = begin(at, id)
      await act(['account-change', 'approve'])
      expect(await outcome).toEqual({ done: { changed: true }, cause: undefined })
      expect(change.state).toBe('made')
      expect(propsOf('account-change')).toMatchObject([{ app: 'Test app', ...kinds[kind].shown }])
      expect([trace(), risks]).toEqual([['window account-change'], ['high']])
    },
  )

  test('cancel: the server forgets the change, and the page hears that the user said no', async () => {
    const at = await withWallet()
    const { id, change } = pend(at.backend, at.token, 'link')
    const { act, outcome } = begin(at, id)
    await act(['account-change', 'cancel'])
    expect((await outcome).cause).toBeInstanceOf(Closed)
    await expect.poll(() => change.state).toBe('rejected')
  })

  test('closing the window: the server forgets the change', async () => {
    const at = await withWallet()
    const { id, change } = pend(at.backend, at.token, 'unlink')
    const { act, outcome } = begin(at, id)
    await act({ close: 'account-change' })
    expect((await outcome).cause).toBeInstanceOf(Closed)
    await expect.poll(() => change.state).toBe('rejected')
  })

  test.each([
    ['nobody has asked for', { user: 'did:privy:nobody' }],
    ['another user has asked for', { user: 'did:privy:two' }],
    ['another session has asked for', { session: 'another' }],
  ])('a change that %s: no window opens, and the user reads that it has expired', async (_, more) => {
    const at = await withWallet()
    const { id, change } = pend(at.backend, at.token, 'link', more)
    const { act, outcome, propsOf, trace, shown } = begin(at, id)
    await act(['failure', 'close'])
    expect((await outcome).cause).toBeInstanceOf(Closed)
    expect(trace()).toEqual(['frame failure'])
    expect(propsOf('failure')).toMatchObject([{ title: 'This request has expired', action: 'close' }])
    expect([change.state, shown]).toEqual(['pending', ["The change can't be approved any more"]])
  })

  test('a change that expires while it is read: the press changes nothing and says so', async () => {
    const at = await withWallet()
    const { id } = pend(at.backend, at.token, 'link')
    const { act, outcome, trace } = begin(at, id)
    await act({ on: 'account-change' })
    at.backend.state.changes.delete(id)
    await act(['account-change', 'approve'], ['failure', 'close'])
    expect((await outcome).cause).toBeInstanceOf(Closed)
    expect(trace()).toEqual(['window account-change', 'window failure'])
  })

  test('a change that has become impossible: the user reads so', async () => {
    const at = await withWallet()
    const { id, change } = pend(at.backend, at.token, 'link')
    change.refused = 'linked_to_another_user'
    const { act, outcome, propsOf } = begin(at, id)
    await act(['account-change', 'approve'], ['failure', 'close'])
    expect((await outcome).cause).toBeInstanceOf(Closed)
    expect(propsOf('failure')).toMatchObject([{ title: "This can't be done any more" }])
  })

  test('a change that was made already: is done, without a window', async () => {
    const at = await withWallet()
    const { id, change } = pend(at.backend, at.token, 'link')
    change.state = 'made'
    const { outcome, trace } = begin(at, id)
    expect((await outcome).done).toEqual({ changed: true })
    expect(trace()).toEqual([])
  })

  test('a lost answer: the next press finds the change made', async () => {
    const at = await withWallet()
    const { id, change } = pend(at.backend, at.token, 'unlink')
    let isLost = true
    at.backend.faults.after = ({ path }) => {
      if (path.endsWith('/approve') && isLost) throw new TypeError('The network is gone')
    }
    const { act, outcome, errorsOn } = begin(at, id)
    await act(['account-change', 'approve'], { on: 'account-change' })
    isLost = false
    await act(['account-change', 'approve'])
    expect((await outcome).done).toEqual({ changed: true })
    expect([change.state, errorsOn('account-change').length]).toEqual(['made', 2])
    expect(errorsOn('account-change')[1]).toEqual(expect.any(String))
  })

  test('a server that is down at first: the review is tried again', async () => {
    const at = await withWallet()
    const { id } = pend(at.backend, at.token, 'link')
    let isDown = true
    at.backend.faults.before = ({ path }) => {
      if (path.includes('/changes/') && isDown) throw new TypeError('The network is gone')
    }
    const { act, outcome } = begin(at, id)
    await act({ on: 'failure' })
    isDown = false
    await act(['failure', 'retry'], ['account-change', 'approve'])
    expect((await outcome).done).toEqual({ changed: true })
  })

  test('a name that another site chose: is one line of visible characters', async () => {
    const at = await withWallet()
    const { id, change } = pend(at.backend, at.token, 'link a provider')
    const name = `a\u202eb\nAdd nothing${' '.repeat(9)}${'x'.repeat(200)}`
    change.review = { ...change.review, account: { ...google, display_name: name } }
    const { act, propsOf, outcome } = begin(at, id)
    await act(['account-change', 'cancel'])
    await outcome
    const [{ account } = {}] = propsOf('account-change')
    expect(account).toMatch(/^Google \(abAdd nothing x+…\)$/)
    expect(String(account).length).toBeLessThan(80)
  })

  test.each([
    ['an account', { ...kinds.link.review, account: null }],
    ['the account that is replaced', { ...kinds.update.review, replaces: null }],
    ['a session', { ...kinds['end a session'].review, session: null }],
    ['a kind that is known', { ...kinds.link.review, action: 'merge' }],
    ['readable wallets', { ...kinds.transfer.review, others_wallets: [1] }],
  ])('a review without %s: nothing can be approved', async (_, review) => {
    const at = await withWallet()
    const { id, change } = pend(at.backend, at.token, 'link')
    change.review = review
    const { act, outcome, trace } = begin(at, id)
    await act(['failure', 'close'])
    expect((await outcome).done).toBeUndefined()
    expect([trace(), change.state]).toEqual([['frame failure'], 'pending'])
  })

  test('a second factor: the server wants it for the approval alone', async () => {
    const at = await withWallet()
    const { id, change } = pend(at.backend, at.token, 'link')
    factorsOf(at.backend.state, user).methods.push('totp')
    const { outcome, act, shown } = begin(at, id)
    await act(['account-change', 'approve'], { on: 'account-change' })
    expect([change.state, shown.length]).toEqual(['pending', 1])
    await act(['account-change', 'cancel'])
    await outcome
  })

  test('a new browser: it is confirmed first, in the same window', async () => {
    const at = await withWallet()
    at.backend.state.options.loginEnrols = false
    const { id, change } = pend(at.backend, at.token, 'link')
    const device = createDevice()
    const { act, outcome, trace, risks } = begin({ ...at, device }, id)
    await act(['enter-code', { code: await codeFor(at.backend, device) }], ['account-change', 'approve'])
    expect((await outcome).done).toEqual({ changed: true })
    expect([change.state, risks]).toEqual(['made', ['high']])
    expect([...new Set(trace())]).toEqual(['window enter-code', 'window account-change'])
  })

  test('a new browser whose user turns back: changes nothing', async () => {
    const at = await withWallet()
    at.backend.state.options.loginEnrols = false
    const { id, change } = pend(at.backend, at.token, 'link')
    const { act, outcome } = begin({ ...at, device: createDevice() }, id)
    await act(['enter-code', 'back'])
    expect((await outcome).cause).toBeInstanceOf(Closed)
    expect(change.state).toBe('pending')
  })
})

describe('a frozen account', () => {
  test('is explained in the window, which asks for a proof and not for the change', async () => {
    const at = await withWallet()
    const { id, change } = pend(at.backend, at.token, 'link')
    at.backend.state.frozen.add(user)
    const { act, outcome, trace } = begin(at, id)
    await act(['account-frozen', 'cancel'])
    expect((await outcome).cause).toBeInstanceOf(Closed)
    expect([trace(), change.state]).toEqual([['window account-frozen'], 'pending'])
  })

  test('is frozen no longer once the user has shown that it is theirs, and the change goes on', async () => {
    const at = await withWallet()
    const { id } = pend(at.backend, at.token, 'link')
    at.backend.state.frozen.add(user)
    const { act, outcome, trace } = begin(at, id)
    await act(
      ['account-frozen', 'confirm'],
      ['enter-code', { code: await codeFor(at.backend, at.device) }],
      ['account-change', 'approve'],
    )
    expect((await outcome).done).toEqual({ changed: true })
    expect([...new Set(trace())]).toEqual([
      ...['window account-frozen', 'window enter-code', 'window account-change'],
    ])
  })

  test('is unfrozen by itself where a page asks for that', async () => {
    const at = await withWallet()
    at.backend.state.frozen.add(user)
    const root = { chainType: 'ethereum' as const, address: at.address }
    const vault = vaultOn(at.backend, at.device)
    const { cx, act } = approvalOf<'unfreeze'>(vault, at.token, { root, address: at.address })
    const outcome = unfreeze(cx)
    await act(['account-frozen', 'confirm'], ['enter-code', { code: await codeFor(at.backend, at.device) }])
    expect(await outcome).toEqual({ unfrozen: true })
    expect(at.backend.state.frozen.has(user)).toBe(false)
  })
})
