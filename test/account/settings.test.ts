import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../src/kit/host/settings.ts'
import '../../src/kit/host/activity.ts'
import '../../src/kit/wallets/sending.ts'
import '../../src/kit/host/sessions.ts'
import '../../src/account/sessions/service.ts'
import '../../src/wallets/devices/service.ts'
import { manageAccount } from '../../src/account/settings/flow.ts'
import type { SettingsCalls } from '../../src/account/settings/open-settings.ts'
import type { SettingsProps } from '../../src/account/settings/settings.tsx'
import type { FlowContext } from '../../src/app/flow-context.ts'
import { createTranslate } from '../../src/copy/copy.ts'
import { createStage } from '../../src/dialog/stage.ts'
import { memoryStorage, type Storage } from '../../src/lib/storage.ts'
import { createStore } from '../../src/lib/store.ts'
import { declinedCode } from '../../src/protocol/returns.ts'
import type { User } from '../../src/protocol/user.ts'
import { sessionKey } from '../../src/session/keys.ts'
import { userRound } from '../../src/ui/icons/lucide.ts'
import { emailAccount, kitOfSomebody, phoneAccount, refusal } from '../support/accounts.ts'
import { settled, testClock } from '../support/clock.ts'
import { embeddedWallet, walletAddress } from '../support/kit.ts'
import {
  oauthPaths,
  otherApp,
  otherAppRoutes,
  pageWithWindows,
  provider,
  response,
  tabStorage,
  until,
} from '../support/oauth.ts'
import { browserTabs } from '../support/tabs.ts'
import { fakeVault } from '../support/vault.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

const at = { verified_at: 1_700_000_000 }
const google = { ...at, type: 'google_oauth', subject: 's-1', email: 'ada@gmail.example' }
const passkey = (id: string, more: object = {}) => ({
  ...at,
  type: 'passkey',
  credential_id: id,
  created_with_browser: 'Chrome',
  created_with_os: 'Windows',
  ...more,
})
const wire = (id: string, more: object = {}) => ({
  id,
  name: `Browser ${id}`,
  place: '203.0.113.0/24',
  current: false,
  created_at: 1_700_000_000,
  last_used_at: 1_700_000_060,
  ...more,
})
const sessionsPath = '/api/v1/users/me/sessions'

/** Somebody who has their settings open, and a server that keeps their sessions and devices. */
async function open({
  sessions = [wire('s-1', { current: true })],
  devices = [],
  ...more
}: Parameters<typeof kitOfSomebody>[0] & { sessions?: object[]; devices?: object[] } = {}) {
  const server = { sessions, devices }
  const set = await kitOfSomebody({
    ...more,
    app: { google_oauth: true, passkey_auth: true, sms_auth: true, ...more.app },
    routes: {
      [sessionsPath]: () => ({ body: { sessions: server.sessions } }),
      '/api/v1/devices': () => ({ body: { devices: server.devices } }),
      ...more.routes,
    },
  })
  const managed = set.outcomeOf(set.kit.manageAccount())
  await settled()
  const shown = () => set.person.scene?.props as unknown as SettingsProps
  return { ...set, server, managed, shown }
}
const labels = (rows: readonly { label: string; detail?: string | undefined }[]) =>
  rows.map(({ label, detail }) => (detail ? `${label}: ${detail}` : label))

describe('the settings of an account', () => {
  test('show the second factors that somebody has, even though the app no longer offers any', async () => {
    const { shown } = await open({ factors: ['totp'], app: { mfa_methods: [] } })
    expect(labels(shown().factors ?? [])).toEqual(['Authenticator app'])
  })

  test('speak of no second factors where there are none and the app offers none', async () => {
    const { shown } = await open({ app: { mfa_methods: [] } })
    expect(shown().factors).toBeUndefined()
  })

  test('show accounts, passkeys, wallets, sessions and devices, each in its place', async () => {
    const { person, shown } = await open({
      accounts: [emailAccount(), google, passkey('p-1'), embeddedWallet, { ...at, type: 'guest' }],
      devices: [wire('d-1', { current: true, place: '' })],
    })
    await person.follow([{ on: 'account-settings' }, { wait: 100 }])
    const props = shown()
    expect(labels(props.accounts)).toEqual(['Email: ada@example.com', 'Google: ada@gmail.example'])
    expect(labels(props.passkeys)).toEqual([expect.stringMatching(/^Chrome on Windows: Added /)])
    expect(labels(props.wallets)).toEqual(['Ethereum wallet: 0x71C7…976F · Automatic'])
    expect(props.sessions).toMatchObject({
      state: 'loaded',
      items: [{ label: 'Browser s-1', mark: { text: 'This device' } }],
    })
    expect(props.devices).toMatchObject({ items: [{ detail: expect.stringMatching(/^Last used /) }] })
    expect(props.elsewhere).toBe(false)
    expect(props.canAdd).toBe(true)
  })

  test('settings: the activity of the wallets opens on the same dialog, and leads back', async () => {
    const { person, managed } = await open({
      accounts: [emailAccount(), embeddedWallet],
      vault: fakeVault({ ready: () => undefined }),
    })
    await person.follow([
      ['account-settings', 'activity'],
      { on: 'activity-list', expect: (props) => expect(props).toMatchObject({ canGoBack: true, done: [] }) },
      ['activity-list', 'back'],
      { on: 'account-settings', close: true },
    ])
    await managed
    expect(person.ends).toEqual([{ completed: true }])
  })

  test('closing them is no failure: the promise resolves with the person', async () => {
    const { person, managed } = await open()
    await person.follow([{ on: 'account-settings', close: true }])
    expect((await managed).person?.email?.address).toBe('ada@example.com')
    expect(person.ends).toEqual([{ completed: true }])
  })

  test('are nobody’s who is not logged in', async () => {
    const { kit, person } = await open()
    person.close()
    await kit.logout()
    await expect(kit.manageAccount()).rejects.toMatchObject({ code: 'must_be_authenticated' })
    await expect(kit.passkeys.manage()).rejects.toMatchObject({ code: 'must_be_authenticated' })
    await expect(kit.sessions.list()).rejects.toMatchObject({ code: 'must_be_authenticated' })
  })

  test('close, and say why, when the person logs out in another place', async () => {
    const { kit, person, managed } = await open()
    await kit.logout()
    await person.follow([{ wait: 1_000 }])
    expect((await managed).error?.code).toBe('session_changed')
    expect(person.scene).toBeUndefined()
  })

  test('take an account off once that is confirmed, and the list is without it only when the server has answered', async () => {
    let answers = 0
    const { person, shown, told, errors } = await open({
      accounts: [emailAccount(), phoneAccount()],
      changes: {
        '/api/v1/passwordless_sms/unlink': (_, linked) =>
          answers++ === 0 ? refusal('invalid_data', 'Not now', 400) : void linked.pop(),
      },
    })
    await person.follow([
      ['account-settings', { account: 'phone:+1 202 555 0123' }],
      ['account-entry', 'remove'],
      {
        on: 'confirm-removal',
        expect(props) {
          expect(props).toEqual({ kind: 'account', account: '+1 202 555 0123' })
          expect(answers).toBe(0)
        },
        answer: 'back',
      },
      ['account-entry', 'remove'],
      ['confirm-removal', 'remove'],
      {
        on: 'account-entry',
        expect: (props) => expect(props).toMatchObject({ title: '+1 202 555 0123', error: 'Not now' }),
      },
    ])
    expect(errors.map(({ code }) => code)).toEqual(['invalid_data'])
    expect(told).toEqual([])
    await person.follow([
      ['account-entry', 'remove'],
      ['confirm-removal', 'remove'],
      { on: 'account-settings' },
    ])
    expect(labels(shown().accounts)).toEqual(['Email: ada@example.com'])
    expect(told).toMatchObject([['unlinked', { method: 'sms' }]])
  })

  test('ask before the last login goes, and keeping it leads back to the account', async () => {
    const { person, api } = await open()
    await person.follow([
      ['account-settings', { account: 'email:ada@example.com' }],
      ['account-entry', 'remove'],
      ['last-login', 'keep'],
      ['account-entry', 'back'],
      { on: 'account-settings' },
    ])
    expect(api.to('/api/v1/passwordless/unlink')).toEqual([])
  })

  test('add an account: only kinds for which there is room, going back to the list of them and then here', async () => {
    const path = '/api/v1/passwordless_sms/link'
    const { person, shown, told } = await open({
      changes: { [path]: (_, linked) => void linked.push(phoneAccount()) },
    })
    await person.follow([
      ['account-settings', 'add'],
      {
        on: 'add-account',
        expect: ({ methods }) =>
          expect((methods as { key: string }[]).map(({ key }) => key)).toEqual(['sms', 'google']),
        answer: { method: 'sms' },
      },
      ['enter-address', 'back'],
      ['add-account', { method: 'sms' }],
      ['enter-address', { address: '+12025550123' }],
      ['enter-code', { code: '123456' }],
      { wait: 2_000 },
      { on: 'account-settings' },
    ])
    expect(labels(shown().accounts)).toEqual(['Email: ada@example.com', 'Phone: +1 202 555 0123'])
    expect(told).toMatchObject([['linked', { method: 'sms' }]])
  })

  test('replace the e-mail address, and show the new one', async () => {
    const { person } = await open({
      changes: {
        '/api/v1/passwordless/update': (_, linked) => void linked.splice(0, 1, emailAccount('b@example.com')),
      },
    })
    await person.follow([
      ['account-settings', { account: 'email:ada@example.com' }],
      ['account-entry', 'email'],
      ['enter-address', { address: 'b@example.com' }],
      ['enter-code', { code: '123456' }],
      { wait: 2_000 },
      {
        on: 'account-settings',
        expect: (props) =>
          expect(labels((props as unknown as SettingsProps).accounts)).toEqual(['Email: b@example.com']),
      },
    ])
  })

  test('show what another tab has changed, without a press and without another screen', async () => {
    const browser = browserTabs()
    const { person, shown, setAccounts } = await open({ tabs: browser.open() })
    await person.follow([{ on: 'account-settings' }])
    setAccounts([emailAccount(), google])
    browser.open().broadcast('user')
    await settled()
    expect(labels(shown().accounts)).toContain('Google: ada@gmail.example')
    expect(person.trace().filter((word) => word === 'account-entry')).toEqual([])
  })
})

describe('settings: connected apps', () => {
  const path = '/api/v1/connected_apps'
  const harborApp = {
    id: 'harbor-app',
    name: 'Harbor',
    icon_url: 'https://harbor.example/icon.png',
    access: 'requests',
    connected_at: 1_700_000_000,
    last_used_at: 1_700_000_060,
    expires_at: 1_700_003_600,
  }
  const watch = { ...harborApp, id: 'watch-app', name: 'Night watch', icon_url: null, access: 'accounts' }

  async function openWith(apps: object[] | Error) {
    let listed = apps
    const set = await open({
      app: { cross_app_provider: true },
      routes: {
        [path]: () =>
          listed instanceof Error
            ? refusal('server_error', 'No.', 500)
            : { body: { connected_apps: listed } },
        [`${path}/harbor-app/disconnect`]: () => {
          listed = (listed as object[]).filter((each) => each !== harborApp)
          return { body: {} }
        },
      },
    })
    const answerWith = (next: object[]) => {
      listed = next
    }
    return { ...set, answerWith }
  }

  test('settings: each app is listed with its access, and one is disconnected at the server', async () => {
    const { person, shown, api } = await openWith([harborApp, { ...watch, expires_at: null }])
    await person.follow([{ on: 'account-settings' }, { wait: 100 }])
    expect(shown().connectedApps).toMatchObject({
      state: 'loaded',
      items: [
        { key: 'harbor-app', label: 'Harbor', icon: harborApp.icon_url, mark: { text: 'On' } },
        { key: 'watch-app', label: 'Night watch', icon: userRound, mark: undefined },
      ],
    })
    await person.follow([
      ['account-settings', { connectedApp: 'watch-app' }],
      {
        on: 'account-entry',
        expect: (props) =>
          expect(props).toMatchObject({
            title: 'Night watch',
            text: 'Night watch knows who you are and the addresses of your wallets here.',
            facts: expect.arrayContaining([['Access ends', 'Ended. It starts again when you log in there.']]),
          }),
        answer: 'back',
      },
      ['account-settings', { connectedApp: 'harbor-app' }],
      {
        on: 'account-entry',
        expect: (props) =>
          expect(props).toMatchObject({
            title: 'Harbor',
            text: 'Harbor knows your wallets here and can ask them to sign. You review each request.',
            actions: ['disconnect-app'],
          }),
        answer: 'disconnect-app',
      },
      { on: 'account-settings' },
    ])
    expect(api.to(`${path}/harbor-app/disconnect`).map(({ body }) => body)).toEqual([{}])
    expect(shown().connectedApps).toMatchObject({ items: [{ key: 'watch-app' }] })
  })

  test('settings: a refused disconnection is displayed, and the app stays in the list', async () => {
    const { person, shown } = await open({
      app: { cross_app_provider: true },
      routes: {
        [path]: { body: { connected_apps: [harborApp] } },
        [`${path}/harbor-app/disconnect`]: refusal('invalid_data', 'Not now', 400),
      },
    })
    await person.follow([
      { wait: 100 },
      ['account-settings', { connectedApp: 'harbor-app' }],
      ['account-entry', 'disconnect-app'],
      {
        on: 'account-entry',
        expect: (props) => expect(props).toMatchObject({ error: 'Not now' }),
        answer: 'back',
      },
    ])
    expect(shown().connectedApps).toMatchObject({ items: [{ key: 'harbor-app' }] })
  })

  test('settings: a list of apps that couldn’t be loaded says so, and is loaded with a retry', async () => {
    const { person, shown, answerWith } = await openWith(new Error('down'))
    await person.follow([{ wait: 30_000 }, { on: 'account-settings' }])
    expect(shown().connectedApps).toEqual({ state: 'failed' })
    answerWith([harborApp])
    await person.follow([['account-settings', { retry: 'connectedApp' }], { wait: 100 }])
    expect(shown().connectedApps).toMatchObject({ items: [{ key: 'harbor-app' }] })
  })

  test.each([
    ['an app that lets no others in isn’t asked for them', {}, undefined],
    ['nobody is let in: there is no section', { cross_app_provider: true }, 1],
  ])('settings: %s', async (_, app, asked = 0) => {
    const { person, shown, api } = await open({ app, routes: { [path]: { body: { connected_apps: [] } } } })
    await person.follow([{ on: 'account-settings' }, { wait: 100 }])
    expect([shown().connectedApps, api.to(path).length]).toEqual([undefined, asked])
  })

  test('kit: apps are listed and disconnected without a screen, and by their id alone', async () => {
    const { kit, api, person } = await openWith([harborApp])
    person.close()
    expect(await kit.connectedApps.list()).toEqual([
      {
        id: 'harbor-app',
        name: 'Harbor',
        iconUrl: harborApp.icon_url,
        access: 'requests',
        connectedAt: new Date(1_700_000_000_000),
        lastUsedAt: new Date(1_700_000_060_000),
        expiresAt: new Date(1_700_003_600_000),
      },
    ])
    await kit.connectedApps.disconnect('harbor-app')
    expect(api.to(`${path}/harbor-app/disconnect`)).toHaveLength(1)
    expect(await kit.connectedApps.list()).toEqual([])
    await expect(kit.connectedApps.disconnect('')).rejects.toMatchObject({
      code: 'invalid_request_arguments',
    })
    await kit.logout()
    await expect(kit.connectedApps.list()).rejects.toMatchObject({ code: 'must_be_authenticated' })
    await expect(kit.connectedApps.disconnect('harbor-app')).rejects.toMatchObject({
      code: 'must_be_authenticated',
    })
  })
})

describe('the account of another app', () => {
  const method = `privy:${otherApp.id}` as const
  const offered = { config: { loginMethodsAndOrder: { primary: ['email'], overflow: [method] } } } as const
  const offeredIn = (props: Record<string, unknown>) =>
    (props.methods as { key: string }[]).map(({ key }) => key)

  test('is added where the host offers that app, by the ceremony of its logins, and is in the list then', async () => {
    const windows = pageWithWindows()
    const { person, shown, told, api } = await open({
      options: offered,
      page: windows.page,
      tabStorage: tabStorage(),
      routes: otherAppRoutes,
      changes: { '/api/v1/oauth/link': (_, linked) => void linked.push({ ...at, ...otherApp.account }) },
    })
    await person.follow([
      ['account-settings', 'add'],
      {
        on: 'add-account',
        expect: (props) => expect(offeredIn(props)).toEqual(['sms', 'google', method]),
        answer: { method },
      },
      // The list has opened no window, so another press does.
      ['cross-app', 'open'],
    ])
    const begun = await until(() => api.to(oauthPaths.init)[0]?.body)
    await until(() => windows.opened[0]?.went)
    windows.say(response(begun.state_code))
    await until(() => api.to('/api/v1/oauth/link').length)
    await person.follow([{ wait: 3_000 }, { on: 'account-settings' }])
    expect(labels(shown().accounts)).toEqual(['Email: ada@example.com', 'Harbor'])
    expect(told).toMatchObject([['linked', { method }]])
  })

  test('is not offered where the host doesn’t name the app, nor to somebody who has one already', async () => {
    const without = await open()
    await without.person.follow([
      ['account-settings', 'add'],
      { on: 'add-account', expect: (props) => expect(offeredIn(props)).toEqual(['sms', 'google']) },
    ])
    const having = await open({
      options: offered,
      routes: otherAppRoutes,
      accounts: [emailAccount(), { ...at, ...otherApp.account }],
    })
    await having.person.follow([
      ['account-settings', 'add'],
      { on: 'add-account', expect: (props) => expect(offeredIn(props)).toEqual(['sms', 'google']) },
    ])
  })
})

describe('other apps in the settings', () => {
  const [harbor, unnamed] = [`privy:${otherApp.id}`, 'privy:latchkey-unit-other-app-2']
  const icon = 'https://harbor.example/icon.png'

  /** Settings of an app whose host offers two others; their names arrive when the test lets them. */
  async function openWith(linkedAccounts: object[]) {
    const stage = createStage({ clock: testClock() })
    const asked: (readonly string[])[] = []
    let arrive = (_names: Record<string, { name: string; icon: string | undefined }>) => {}
    let fail = (_cause: Error) => {}
    const names = new Promise<Parameters<typeof arrive>[0]>((resolve, reject) => {
      arrive = resolve
      fail = reject
    })
    const user = createStore({ id: 'did:privy:u1', linkedAccounts, mfaMethods: [] } as unknown as User)
    const order = { primary: ['email', harbor, unnamed], overflow: [harbor] }
    const config = { appName: 'Acme', methods: ['email'], order, app: { letsInOtherApps: false } }
    const cx = { stage, config, t: createTranslate(), report: vi.fn() } as unknown as FlowContext
    const calls = {
      user,
      embeddedWallets: () => [],
      listSessions: async () => [],
      appNames: (methods) => {
        asked.push(methods)
        return names
      },
    } satisfies Partial<SettingsCalls>
    const managed = manageAccount(cx, calls as unknown as SettingsCalls)
    await settled()
    const scene = () => stage.scene.get()
    const answer = async (given: unknown) => {
      scene()?.answer(given)
      await settled()
    }
    return {
      stage,
      asked,
      arrive,
      fail,
      managed,
      answer,
      props: () => scene()?.props as Record<string, unknown>,
    }
  }
  const rows = (list: unknown) =>
    (list as { key: string; label: string; icon: string }[]).map(({ key, label, icon }) => [key, label, icon])

  test('that can be added get their own names and icons when those arrive, and are ‘Another app’ without', async () => {
    const { stage, asked, arrive, managed, answer, props } = await openWith([])
    await answer('add')
    expect(rows(props().methods).map(([key, label]) => [key, label])).toEqual([
      ['email', 'Email'],
      [harbor, 'Another app'],
      [unnamed, 'Another app'],
    ])
    arrive({ [harbor]: { name: 'Harbor', icon } })
    await settled()
    expect(rows(props().methods).slice(1)).toEqual([
      [harbor, 'Harbor', icon],
      [unnamed, 'Another app', userRound],
    ])
    expect(asked).toEqual([[harbor, unnamed]])
    stage.close()
    await managed
  })

  test('of which the person has an account are listed by their names, also where they can’t be asked', async () => {
    const account = { type: 'other', kind: 'cross_app', fields: otherApp.account, verifiedAt: new Date(0) }
    const known = await openWith([account])
    const key = `other:${otherApp.id}:s`
    expect(rows(known.props().accounts)).toEqual([[key, 'Another app', userRound]])
    known.arrive({ [harbor]: { name: 'Harbor', icon } })
    await settled()
    expect(rows(known.props().accounts)).toEqual([[key, 'Harbor', icon]])
    await known.answer({ account: key })
    expect(known.props()).toMatchObject({ title: 'Harbor', icon, actions: ['remove'] })
    known.stage.close()
    await known.managed

    const silent = await openWith([account])
    silent.fail(new Error('offline'))
    await settled()
    expect(rows(silent.props().accounts)).toEqual([[key, 'Another app', userRound]])
    silent.stage.close()
    await silent.managed
  })
})

describe('the sessions of a person', () => {
  const two = [wire('s-1', { current: true }), wire('s-2', { last_used_at: 1_700_000_900 })]

  test('are logged out one by one, and the list is the server’s', async () => {
    const ended = vi.fn()
    const { person, shown, server } = await open({
      sessions: two,
      routes: {
        [`${sessionsPath}/s-2/end`]: () => {
          ended()
          server.sessions = two.slice(0, 1)
          return { body: {} }
        },
      },
    })
    await person.follow([{ wait: 100 }])
    expect(shown()).toMatchObject({ elsewhere: true, sessions: { items: [{ key: 's-2' }, { key: 's-1' }] } })
    await person.follow([
      ['account-settings', { session: 's-2' }],
      ['account-entry', 'end'],
      { on: 'account-settings' },
    ])
    expect(ended).toHaveBeenCalledTimes(1)
    expect(shown()).toMatchObject({ elsewhere: false, sessions: { items: [{ key: 's-1' }] } })
  })

  test('are all logged out but this one, once the person has agreed', async () => {
    const { person, shown, server, api } = await open({
      sessions: two,
      routes: {
        [`${sessionsPath}/end_others`]: () => {
          server.sessions = two.slice(0, 1)
          return { body: {} }
        },
      },
    })
    await person.follow([{ wait: 100 }, ['account-settings', 'end-others'], ['account-entry', 'back']])
    expect(api.to(`${sessionsPath}/end_others`)).toEqual([])
    await person.follow([
      ['account-settings', 'end-others'],
      ['account-entry', 'end-others'],
      { on: 'account-settings' },
    ])
    expect(shown().elsewhere).toBe(false)
  })

  test('say where and when each was last used, and opened, at what time of the day', async () => {
    const twice = [
      wire('s-1', { place: 'Berlin, Germany', last_used_at: 1_700_000_000 }),
      wire('s-2', { place: 'Berlin, Germany', last_used_at: 1_700_000_900 }),
    ]
    const { person, shown } = await open({ sessions: twice })
    await person.follow([{ wait: 100 }])
    expect(shown().sessions).toMatchObject({
      items: [
        { detail: expect.stringMatching(/^Berlin, Germany · Last used .*2023/) },
        { detail: expect.stringMatching(/^Berlin, Germany · Last used .*2023/) },
      ],
    })
    const lastUses: unknown[] = []
    const noteLastUse = (props: Record<string, unknown>) =>
      void lastUses.push(new Map(props.facts as [string, string][]).get('Last used'))
    await person.follow([
      ['account-settings', { session: 's-1' }],
      { on: 'account-entry', expect: noteLastUse, answer: 'back' },
      ['account-settings', { session: 's-2' }],
      { on: 'account-entry', expect: noteLastUse, answer: 'back' },
    ])
    expect(lastUses).toEqual([expect.stringMatching(/\d:\d\d/), expect.stringMatching(/\d:\d\d/)])
    expect(lastUses[0]).not.toBe(lastUses[1])
  })

  test('this one is only looked at', async () => {
    const { person } = await open({ sessions: two })
    await person.follow([
      { wait: 100 },
      ['account-settings', { session: 's-1' }],
      { on: 'account-entry', expect: (props) => expect(props.actions).toEqual([]) },
    ])
  })

  test('that can’t be loaded say so, and are asked for again', async () => {
    let down = true
    const { person, shown } = await open({
      routes: {
        [sessionsPath]: () => (down ? { status: 400, body: { error: 'no' } } : { body: { sessions: two } }),
      },
    })
    await person.follow([{ wait: 5_000 }])
    expect(shown().sessions).toEqual({ state: 'failed' })
    down = false
    await person.follow([['account-settings', { retry: 'session' }], { wait: 100 }])
    expect(shown().sessions).toMatchObject({ state: 'loaded' })
  })

  test('are listed and ended by hosts with screens of their own', async () => {
    const { kit, api, person } = await open({
      sessions: two,
      routes: { [`${sessionsPath}/s%2F2/end`]: { body: {} }, [`${sessionsPath}/end_others`]: { body: {} } },
    })
    person.close()
    expect(await kit.sessions.list()).toMatchObject([
      { id: 's-2', lastUsedAt: new Date(1_700_000_900_000) },
      { id: 's-1', current: true },
    ])
    await kit.sessions.end('s/2')
    await kit.sessions.endOthers()
    expect(api.to(`${sessionsPath}/s%2F2/end`)).toHaveLength(1)
    expect(api.to(`${sessionsPath}/end_others`)).toHaveLength(1)
    await expect(kit.sessions.end('')).rejects.toMatchObject({ code: 'invalid_request_arguments' })
  })
})

describe('the devices of somebody with wallets', () => {
  test('are taken off the wallets by the vault; what it refuses is said above the button', async () => {
    let refuses = true
    const { person, shown, server } = await open({
      accounts: [emailAccount(), embeddedWallet],
      devices: [wire('d-1', { current: true }), wire('d-2')],
      vault: fakeVault({
        connectWallet: ({ entropyId }) => ({ entropyId }),
        removeDevice({ deviceId }) {
          if (refuses) return { error: { type: 'error', message: 'no' } }
          server.devices = server.devices.filter((device) => (device as { id: string }).id !== deviceId)
          return { deviceId }
        },
      }),
    })
    await person.follow([
      { wait: 500 },
      ['account-settings', { device: 'd-2' }],
      ['account-entry', 'remove-device'],
      { wait: 500 },
      {
        on: 'account-entry',
        expect: ({ error }) => expect(error).toEqual(expect.any(String)),
      },
    ])
    expect(shown()).toMatchObject({ title: 'Browser d-2' })
    refuses = false
    await person.follow([['account-entry', 'remove-device'], { wait: 500 }, { on: 'account-settings' }])
    expect(shown().devices).toMatchObject({ items: [{ key: 'd-1' }] })
  })

  test('and their wallets show how they are recovered; without a choice of it, only the export is offered', async () => {
    const { person } = await open({ accounts: [emailAccount(), embeddedWallet] })
    await person.follow([
      ['account-settings', { wallet: walletAddress }],
      {
        on: 'account-entry',
        expect: (props) =>
          expect(props).toMatchObject({
            address: walletAddress,
            facts: [['Recovery', 'Automatic']],
            actions: ['export'],
          }),
      },
    ])
  })
})

test('a vault that is silent takes nobody out of their settings: they may turn back to the wallet', async () => {
  const { person } = await open({
    accounts: [emailAccount(), embeddedWallet],
    vault: fakeVault({ ready: () => undefined }),
  })
  await person.follow([
    ['account-settings', { wallet: walletAddress }],
    ['account-entry', 'export'],
    { wait: 45_000 },
    { on: 'failure', expect: (props) => expect(props).toMatchObject({ action: 'retry' }), answer: 'back' },
    ['account-entry', 'back'],
    { on: 'account-settings' },
  ])
})

describe('the passkeys of a person', () => {
  const unlink = '/api/v1/passkeys/unlink'

  test('are renamed: a name that nobody could read is refused on its field, and the list has the new one', async () => {
    const { person, shown, api } = await open({
      accounts: [emailAccount(), passkey('p-1')],
      changes: {
        '/api/v1/passkeys/rename': ({ body }, linked) =>
          void linked.splice(1, 1, passkey('p-1', { authenticator_name: body?.name })),
      },
    })
    await person.follow([
      ['account-settings', { passkey: 'p-1' }],
      ['account-entry', 'rename'],
      ['rename-passkey', { name: ' ' }],
      {
        on: 'rename-passkey',
        expect: ({ error }) => expect(error).toBe('Enter a name of 1 to 64 characters.'),
        answer: { name: 'Work laptop' },
      },
      ['account-entry', 'back'],
      { on: 'account-settings' },
    ])
    expect(labels(shown().passkeys)).toEqual([expect.stringMatching(/^Work laptop on Chrome: /)])
    expect(api.to('/api/v1/passkeys/rename').map(({ body }) => body)).toEqual([
      { credential_id: 'p-1', name: 'Work laptop' },
    ])
  })

  test('are managed on a screen of their own, where one whose device nobody knows says so', async () => {
    const { kit, person, told } = await kitOfSomebody({
      accounts: [emailAccount(), { ...at, type: 'passkey', credential_id: 'p-1' }, passkey('p-2')],
      changes: { [unlink]: (_, linked) => void linked.pop() },
    })
    const managed = kit.passkeys.manage()
    await person.follow([
      {
        on: 'passkeys',
        expect: ({ passkeys }) =>
          expect(passkeys).toMatchObject([{ label: 'Unknown device' }, { label: 'Chrome on Windows' }]),
        answer: { passkey: 'p-2' },
      },
      ['account-entry', 'remove'],
      ['confirm-removal', 'remove'],
      { on: 'passkeys', close: true },
    ])
    expect(await managed).toMatchObject([{ credentialId: 'p-1' }])
    expect(told).toMatchObject([['unlinked', { method: 'passkey' }]])
  })

  test('one that verifies transactions can’t be unlinked', async () => {
    const { kit, person } = await kitOfSomebody({
      accounts: [emailAccount(), passkey('p-1', { enrolled_in_mfa: true })],
    })
    void kit.passkeys.manage()
    await person.follow([
      ['passkeys', { passkey: 'p-1' }],
      { on: 'account-entry', expect: ({ actions }) => expect(actions).toEqual(['rename']) },
    ])
  })
})

describe('settings that were left for a provider', () => {
  const link = '/api/v1/oauth/link'
  const back = { kind: 'oauth', code: 'c0de', provider: 'google' } as const

  /** Leaves the settings for Google, and loads the page again with what comes back. */
  async function roundTrip(
    returned: { code?: string },
    changes: NonNullable<Parameters<typeof kitOfSomebody>[0]>['changes'] = {},
    linkTo?: string,
    meanwhile: (browser: { storage: Storage }) => void = () => {},
  ) {
    const browser = { storage: memoryStorage(), tabStorage: tabStorage() }
    const before = await open({
      ...browser,
      page: pageWithWindows().page,
      routes: { [oauthPaths.init]: { body: { url: provider } } },
    })
    await before.person.follow([
      ['account-settings', 'add'],
      ['add-account', { method: 'google' }],
    ])
    await until(() => before.page.left.length)
    const state = String(before.api.to(oauthPaths.init)[0]?.body?.state_code)
    if (linkTo !== undefined) {
      const key = 'lk:latchkey-unit-test-app-01:oauth'
      const left = JSON.parse(browser.tabStorage.get(key) ?? '{}')
      browser.tabStorage.set(key, JSON.stringify({ ...left, linkTo }))
    }
    meanwhile(browser)
    return kitOfSomebody({
      ...browser,
      stays: true,
      clock: testClock(before.clock.now() + 5_000),
      page: pageWithWindows().page,
      app: { google_oauth: true, passkey_auth: true },
      returned: { ...back, ...returned, state },
      routes: {
        [sessionsPath]: { body: { sessions: [] } },
        [oauthPaths.init]: { body: { url: provider } },
      },
      changes,
    })
  }

  test('open again, show that the account is linked, and have it in their list', async () => {
    const { person, kit, api, told } = await roundTrip(
      {},
      { [link]: (_, linked) => void linked.push(google) },
    )
    await until(() => api.to(link).length)
    await person.follow([
      { on: 'awaiting-oauth', expect: ({ phase }) => expect(phase).toBe('done') },
      { wait: 3_000 },
      {
        on: 'account-settings',
        expect: (props) =>
          expect(labels((props as unknown as SettingsProps).accounts)).toContain('Google: ada@gmail.example'),
        close: true,
      },
    ])
    expect(person.ends).toEqual([{ completed: true }])
    expect(told).toMatchObject([['linked', { method: 'google' }]])
    expect(kit.user?.google?.email).toBe('ada@gmail.example')
  })

  test('open again with the failure, and go back to where the account was chosen', async () => {
    const { person, api, errors, page } = await roundTrip({ code: declinedCode })
    await person.follow([
      { wait: 500 },
      { on: 'awaiting-oauth', expect: ({ phase }) => expect(phase).toBe('failed'), answer: 'retry' },
    ])
    // Another try leaves from there again.
    await until(() => page.left.length)
    expect(errors.map(({ code }) => code)).toEqual(['oauth_user_denied'])
    expect(api.to(link)).toEqual([])
  })

  test('offer the other ways after a failure, and are still the settings behind them', async () => {
    const { person } = await roundTrip({ code: declinedCode })
    await person.follow([
      { wait: 500 },
      ['awaiting-oauth', 'back'],
      ['add-account', 'back'],
      { on: 'account-settings', close: true },
    ])
    expect(person.ends).toEqual([{ completed: true }])
  })

  test('stay closed for somebody else, who is told nothing of it', async () => {
    const { person, errors, api } = await roundTrip({}, {}, 'did:privy:u2')
    await until(() => errors.length)
    expect(errors.map(({ code }) => code)).toEqual(['session_changed'])
    expect([person.trace(), api.to(link)]).toEqual([[], []])
  })

  test('say that nobody is logged in, where the person has logged out in another tab', async () => {
    const { person, errors, api } = await roundTrip({}, {}, undefined, ({ storage }) => {
      for (const name of ['token', 'refresh'] as const)
        storage.remove(sessionKey('latchkey-unit-test-app-01', name))
    })
    await until(() => errors.length)
    expect(errors.map(({ code }) => code)).toEqual(['must_be_authenticated'])
    await person.follow([
      {
        on: 'failure',
        expect: ({ title }) => expect(title).toBe("You're no longer logged in here"),
        answer: 'close',
      },
    ])
    await until(() => person.ends.length)
    expect([person.trace(), api.to(link)]).toEqual([['failure', '> close', 'closed'], []])
  })
})
