/** The vault's own flows against the server itself: what is shown there is what enrols a device, and nothing else does. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Closed } from '../../../src/dialog/stage.ts'
import { type Clock, systemClock } from '../../../src/lib/clock.ts'
import { limits } from '../../../src/lib/limits.ts'
import { recoveryMethods } from '../../../src/protocol/frame/calls.ts'
import { approveDevice } from '../../../src/vault/approval/approve-device/flow.ts'
import { recover } from '../../../src/vault/approval/recover/flow.ts'
import { vaultPasskeys } from '../../../src/vault/approval/vault-passkeys/flow.ts'
import { createContext } from '../../../src/vault/create-context.ts'
import { readToken } from '../../../src/vault/token.ts'
import { createWallet } from '../../../src/vault/wallets/create-wallet.ts'
import { newIp } from '../../backend/support/client.ts'
import { everyWayApp, Vault } from '../../backend/support/embedded-world.ts'
import { apiUrl, site, startWorld, stores, vaultOrigin, type World } from '../../backend/support/world.ts'
import { createAuthenticator } from '../../support/authenticator.ts'
import { limit } from '../../support/limit.ts'
import { approvalOf } from '../support/approval.ts'
import { createDevice, partsOf, settings } from '../support/device.ts'

const ended = (work: Promise<unknown>) => work.then(String, (cause: unknown) => cause)
const [store] = stores

/** Names of the wire for those of the browser, and back. */
const snake = (name: string) =>
  name.replace('JSON', 'Json').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const camel = (name: string) =>
  name.replace('_json', 'JSON').replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, rename))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [rename(name), renamed(each, rename)]),
  )
}

describe('vault flows against the server', { timeout: limit(60_000) }, () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store, { moreApps: [everyWayApp] })
  })
  afterAll(() => world?.stop())

  /** The vault of a strict app in a browser of its own. */
  function openVault(appId: string) {
    const device = createDevice()
    const ip = newIp()
    // A server that loads what verifies passkeys takes its time; only the flows’ own waits are short.
    const clock: Clock = {
      now: () => world.clock.now,
      sleep: (ms, signal) => systemClock.sleep(ms >= limits.requestTimeout ? ms : ms / 100, signal),
    }
    const fetch = async (input: string, init: RequestInit = {}) => {
      const headers = { ...(init.headers as Record<string, string>), origin: vaultOrigin }
      const connection = { incoming: { socket: { remoteAddress: ip } } }
      return world.backend.api.request(new URL(input).href, { ...init, headers } as RequestInit, connection)
    }
    const own = { ...settings, appId, apiUrl, allowedOrigins: [site], vault: 'strict' } as const
    return createContext({ settings: own, fetch, clock, ...partsOf(device) })
  }

  /** A user with a wallet in one browser, and a second one in which they are logged in. */
  async function twoBrowsers() {
    const appId = everyWayApp.id
    const login = await Vault.open(world, { appId })
    const text = login.token ?? ''
    const token = readToken(text, appId, world.clock.now)
    const here = openVault(appId)
    const address = await createWallet(here, token, 'ethereum', { method: recoveryMethods.automatic })
    const there = openVault(appId)
    const root = { chainType: 'ethereum', address } as const
    const asking = () => approvalOf<'recover'>(there, text, { root, address }, appId)
    const approving = () => approvalOf<'approve-device'>(here, text, {}, appId)
    const managing = (action: 'add' | 'manage') => approvalOf<'vault-passkeys'>(here, text, { action }, appId)
    return { asking, approving, managing, there, here, token, address }
  }
  type Seen = { seen: readonly { screen: string; props: Record<string, unknown> }[] }
  const last = ({ seen }: Seen, screen: string) =>
    seen.findLast((each) => each.screen === screen)?.props ?? {}
  /** Chooses a way to prove by its kind. */
  async function choose(asked: ReturnType<Awaited<ReturnType<typeof twoBrowsers>>['asking']>, type: string) {
    await asked.act({ on: 'choose-factor' })
    const factors = last(asked, 'choose-factor').factors as { type: string }[]
    await asked.act(['choose-factor', { chosen: factors.findIndex((factor) => factor.type === type) }])
    return factors.map((factor) => factor.type)
  }

  test('device approval: the number shown on the new browser, chosen on the old one, brings the wallet', async () => {
    const { asking, approving } = await twoBrowsers()
    const asked = asking()
    const done = recover(asked.cx)
    const kinds = await choose(asked, 'device')
    expect(kinds[0]).toBe('device')
    await asked.act({ on: 'device-approval' })
    const number = String(last(asked, 'device-approval').number)
    const other = approving()
    const approved = approveDevice(other.cx)
    await other.act({ on: 'approve-device' })
    expect(last(other, 'approve-device').numbers).toContain(number)
    await other.act(['approve-device', { number }], ['device-answered', 'close'])
    expect(await approved).toEqual({ outcome: 'approved' })
    expect(await done).toEqual({ recovered: true })
  })

  test('device approval: a wrong number denies, a denied request enrols nothing, and a new one can be approved', async () => {
    const { asking, approving } = await twoBrowsers()
    const asked = asking()
    const done = recover(asked.cx)
    await choose(asked, 'device')
    await asked.act({ on: 'device-approval' })
    const decide = async (isRight: boolean) => {
      const number = String(last(asked, 'device-approval').number)
      const other = approving()
      const approved = approveDevice(other.cx)
      await other.act({ on: 'approve-device' })
      const numbers = last(other, 'approve-device').numbers as string[]
      const chosen = numbers.find((each) => (each === number) === isRight)
      await other.act(['approve-device', { number: chosen }], ['device-answered', 'close'])
      return { outcome: await approved, said: last(other, 'device-answered').outcome }
    }
    expect(await decide(false)).toEqual({ outcome: { outcome: 'denied' }, said: 'wrong' })
    await vi.waitFor(() => expect(last(asked, 'device-approval').state).toBe('denied'))
    await asked.act(['device-approval', 'again'])
    await vi.waitFor(() => expect(last(asked, 'device-approval').state).toBe('pending'))
    expect(await decide(true)).toEqual({ outcome: { outcome: 'approved' }, said: 'approved' })
    expect(await done).toEqual({ recovered: true })
  })

  test('device approval: the new browser can’t approve itself', async () => {
    const { asking, there, token } = await twoBrowsers()
    const asked = asking()
    const done = ended(recover(asked.cx))
    await choose(asked, 'device')
    await asked.act({ on: 'device-approval' })
    const self = approvalOf<'approve-device'>(there, token.text, {}, everyWayApp.id)
    expect(await ended(approveDevice(self.cx))).toMatchObject({ type: 'enrolment_required' })
    await asked.act({ close: 'device-approval' })
    expect(await done).toBeInstanceOf(Closed)
  })

  test('vault passkey: it is added in one browser and brings the wallet to another; once removed it does not', async () => {
    const { asking, managing } = await twoBrowsers()
    const authenticator = createAuthenticator()
    const adding = managing('add')
    const added = vaultPasskeys(adding.cx)
    await adding.act({ on: 'vault-passkey' })
    const creation = renamed(last(adding, 'vault-passkey').options, snake) as never
    const attestation = await authenticator.register(creation, vaultOrigin)
    await adding.act(['vault-passkey', { passkey: renamed(attestation, camel) }])
    expect(await added).toEqual({ passkeys: 1 })

    const asked = asking()
    const done = recover(asked.cx)
    expect(await choose(asked, 'passkey')).toEqual(expect.arrayContaining(['device', 'passkey']))
    await asked.act({ on: 'vault-passkey' })
    const request = renamed(last(asked, 'vault-passkey').options, snake) as never
    const assertion = await authenticator.login(request, vaultOrigin)
    await asked.act(['vault-passkey', { passkey: renamed(assertion, camel) }])
    expect(await done).toEqual({ recovered: true })

    const list = managing('manage')
    const managed = vaultPasskeys(list.cx)
    await list.act(['vault-passkeys', { remove: attestation.id }], ['remove-vault-passkey', 'remove'])
    await list.act(['vault-passkeys', 'close'])
    expect(await managed).toEqual({ passkeys: 0 })
  })
})
