/** What the kit says of new devices that wait, and of a wallet that lives in one browser alone. */
import '../../src/kit/host/settings.ts'
import '../../src/kit/host/devices.ts'
import '../../src/kit/host/follow-devices.ts'
import '../../src/account/sessions/service.ts'
import '../../src/wallets/devices/service.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SettingsProps } from '../../src/account/settings/settings.tsx'
import { emailAccount, kitOfSomebody } from '../support/accounts.ts'
import { settled } from '../support/clock.ts'
import { embeddedWallet } from '../support/kit.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

/** Somebody with a wallet in a strict app, and a server that knows who waits and what they could prove. */
async function withWallet({ count = 0, kinds = ['email'], mode = 'strict' as string } = {}) {
  const server = { count, kinds, counted: 0, asked: 0 }
  const set = await kitOfSomebody({
    accounts: [emailAccount(), embeddedWallet],
    app: { vault_mode: mode },
    routes: {
      '/api/v1/users/me/sessions': () => ({ body: { sessions: [] } }),
      '/api/v1/devices': () => ({ body: { devices: [] } }),
      '/api/v1/devices/requests/count': () => {
        server.counted++
        return { body: { count: server.count } }
      },
      '/api/v1/devices/proofs': () => {
        server.asked++
        return { body: { kinds: server.kinds } }
      },
    },
  })
  const open = async () => {
    void set.outcomeOf(set.kit.manageAccount())
    await settled()
    await set.person.follow([{ on: 'account-settings' }, { wait: 100 }])
    return set.person.scene?.props as unknown as SettingsProps
  }
  return { ...set, server, open }
}

describe('a new device that waits', () => {
  test('settings: they show it above all else, and lead to its approval', async () => {
    const { open } = await withWallet({ count: 1 })
    expect((await open()).waiting).toBe(true)
  })

  test('settings: without a request nothing is shown of it', async () => {
    const { open } = await withWallet()
    expect((await open()).waiting).toBe(false)
  })

  test('settings: a compatible app asks for neither requests nor proofs', async () => {
    const { open, server } = await withWallet({ count: 1, kinds: [], mode: 'compatible' })
    expect(await open()).toMatchObject({ waiting: false, proofs: undefined })
    expect([server.counted, server.asked]).toEqual([0, 0])
  })

  test('kit: the number of requests and the kinds of proof are the server’s', async () => {
    const { kit } = await withWallet({ count: 2, kinds: ['passkey'] })
    expect(await kit.devices.countRequests()).toBe(2)
    expect(await kit.devices.proofs()).toEqual(['passkey'])
  })
})

describe('a wallet that lives in one browser alone', () => {
  test('settings: they say so, and offer a way to another browser', async () => {
    const { open } = await withWallet({ kinds: [] })
    expect((await open()).proofs).toBe('none')
  })

  test('settings: with a proof they only list the passkeys of the wallet', async () => {
    const { open } = await withWallet({ kinds: ['email'] })
    expect((await open()).proofs).toBe('some')
  })
})
