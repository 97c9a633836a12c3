/** What the vault forgets, and when. */
import { describe, expect, test } from 'vitest'
import { channelLogouts } from '../../../src/vault/logouts.ts'
import { makeToken } from '../support/backend.ts'
import { createChannels, createDevice, openTab, person, quickClock } from '../support/device.ts'
import { user, withWallet } from '../support/person.ts'

const offline = () => Promise.reject(new TypeError('connection refused'))

describe('a release', () => {
  test('serves five minutes, and no longer than its token', async () => {
    let now = Date.now()
    const clock = { ...quickClock, now: () => now }
    const { backend, device } = await withWallet()
    backend.state.now = () => now
    const address = backend.rootOf(user).wallets[0]?.address ?? ''
    const minute = 60_000
    for (const [life, works] of [
      [60 * minute, 5 * minute - 1],
      [2 * minute, 2 * minute - 1_000],
    ] as const) {
      const token = makeToken(user, { exp: Math.floor((now + life) / 1000) })
      const me = person(openTab(backend, device, clock), token)
      expect(await me.connect(address)).toEqual({ entropyId: address })
      const calls = backend.calls.length
      now += works
      expect(await me.sign(address, 'x')).toHaveProperty('response')
      expect(backend.calls).toHaveLength(calls)
      now += 1_000
      await me.sign(address, 'x')
      if (life > 5 * minute) expect(backend.calls.length).toBe(calls + 1)
      else expect((await me.sign(address, 'x')).error?.message).toBe('The access token has expired')
    }
  })

  test('is there when the press comes: after connecting, a signature asks nobody', async () => {
    const { backend, device, token, address } = await withWallet()
    const me = person(openTab(backend, device), token)
    await me.connect(address)
    const asked = backend.asked.length
    expect(await me.sign(address, 'x')).toHaveProperty('response')
    expect(backend.asked).toHaveLength(asked)
  })
})

describe('a logout', () => {
  test('is heard by the vault’s other pages: they sign nothing more without the server', async () => {
    const { backend, device, token, address } = await withWallet()
    const channel = createChannels()
    const [one, two] = [1, 2].map(() => person(openTab(backend, { ...device, channel }), token)) as [
      ReturnType<typeof person>,
      ReturnType<typeof person>,
    ]
    for (const tab of [one, two]) expect(await tab.connect(address)).toEqual({ entropyId: address })
    backend.faults.before = offline
    for (const tab of [one, two]) expect(await tab.sign(address, 'x')).toHaveProperty('response')
    expect(await one.clear(user)).toEqual({})
    for (const tab of [one, two]) expect((await tab.sign(address, 'x')).error?.type).toBe('error')
  })

  test('of somebody else, or in another app, is none of theirs', async () => {
    const { backend, device, token, address } = await withWallet()
    const channel = createChannels()
    const me = person(openTab(backend, { ...device, channel }), token)
    await me.connect(address)
    backend.faults.before = offline
    await person(openTab(backend, { ...createDevice(), channel }), makeToken('did:privy:two')).clear(
      'did:privy:two',
    )
    channelLogouts('clatchkeytestapp000000002', channel).announce(user)
    expect(await me.sign(address, 'x')).toHaveProperty('response')
  })

  test('ends what is on its way: nothing is answered, and nothing kept', async () => {
    const { backend, device, token, address } = await withWallet()
    const me = person(openTab(backend, device), token)
    backend.faults.after = () => me.clear(user)
    expect((await me.sign(address, 'x')).error).toEqual({ type: 'error', message: 'The session has ended' })
    backend.faults.after = undefined
    backend.faults.before = offline
    expect((await me.sign(address, 'x')).error?.message).toBe('No connection to the wallet service')
  })

  test('works where the browser has no channel, or one that says strange things', async () => {
    const heard: string[] = []
    const none = channelLogouts('app', () => {
      throw new ReferenceError('BroadcastChannel')
    })
    const stop = none.onLogout((who) => void heard.push(who))
    none.announce(user)
    stop()
    none.announce('another')
    const open = createChannels()
    channelLogouts('app', open).onLogout((who) => void heard.push(who))
    for (const data of [null, 'x', {}, { app: 'app' }, { app: 'app', user: 5 }, { user }])
      open().postMessage(data)
    expect(heard).toEqual([user])
  })
})
