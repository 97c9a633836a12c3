/** In which order a page hears of a login. */
import { expect, test } from 'vitest'
import { memoryStorage } from '../../src/lib/storage.ts'
import { sessionBody, wireUser } from '../support/api.ts'
import { testClock } from '../support/clock.ts'
import { kitWithPerson, paths } from '../support/kit.ts'
import type { Step } from '../support/person.ts'
import { browserTabs } from '../support/tabs.ts'

type Set = Awaited<ReturnType<typeof kitWithPerson>>

/** The events of a kit, in their order. */
function eventsOf({ kit }: Pick<Set, 'kit'>): string[] {
  const heard: string[] = []
  kit.on('login', () => heard.push('login'))
  kit.on('user', ({ user }) => heard.push(user ? 'user' : 'nobody'))
  kit.on('logout', () => heard.push('logout'))
  kit.on('linked', () => heard.push('linked'))
  return heard
}

const typed: Step[] = [
  ['landing', { email: 'ada@example.com' }],
  ['enter-code', { code: '123456' }],
]
const guest = '/api/v1/guest/authenticate'

const ways: Record<string, (set: Set) => Promise<unknown>> = {
  'the dialog': async ({ kit, person }) => {
    const login = kit.login()
    await person.follow([...typed, { wait: 2_000 }])
    return login
  },
  'an e-mail code without a screen': async ({ kit }) => {
    await kit.email.sendCode({ email: 'ada@example.com' })
    return kit.email.loginWithCode({ code: '123456' })
  },
  'a guest': ({ kit }) => kit.guest.create(),
  connectOrCreateWallet: async ({ kit, person }) => {
    const login = kit.connectOrCreateWallet()
    await person.follow([...typed, { wait: 2_000 }])
    return login
  },
}

test.each(Object.keys(ways))('a page hears of a login before its user: by %s', async (way) => {
  const clock = testClock()
  const user = wireUser('did:privy:u1', way === 'a guest' ? { linked_accounts: [] } : undefined)
  const set = await kitWithPerson({
    clock,
    routes: { [guest]: { body: await sessionBody(clock, { user, is_new_user: true }) } },
    app: { guest_auth: true },
  })
  await set.kit.whenReady()
  const heard = eventsOf(set)
  await ways[way]?.(set)
  expect(heard).toEqual(['login', 'user'])
})

test('a login in another tab is told at once, while this one still waits for a code', async () => {
  const clock = testClock()
  const [storage, tabs] = [memoryStorage(), browserTabs()]
  const open = () => kitWithPerson({ clock, storage, tabs: tabs.open() })
  const [one, two] = [await open(), await open()]
  await Promise.all([one.kit.whenReady(), two.kit.whenReady()])
  const heard = eventsOf(two)
  const login = two.kit.login()
  await two.person.follow([['landing', { email: 'ada@example.com' }]])
  await ways['an e-mail code without a screen']?.(one)
  await login
  expect(heard).toEqual(['user', 'login'])
})

test('a logout while a login is being told follows its user', async () => {
  const set = await kitWithPerson()
  await set.kit.whenReady()
  const heard = eventsOf(set)
  set.kit.on('login', () => void set.kit.logout())
  await ways['an e-mail code without a screen']?.(set)
  await expect.poll(() => heard).toEqual(['login', 'user', 'nobody', 'logout'])
})

test('somebody whose login ends before it is told is told as the user all the same', async () => {
  const set = await kitWithPerson({
    app: { embedded_wallet_config: { create_on_login: 'all-users' } },
    routes: { [paths.me]: 'dropped' },
  })
  await set.kit.whenReady()
  const heard = eventsOf(set)
  const login = ways['an e-mail code without a screen']?.(set)
  await set.person.follow([{ wait: 60_000 }])
  await login
  expect(heard.filter((each) => each === 'user')).toHaveLength(1)
})
