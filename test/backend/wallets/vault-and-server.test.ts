/** The vault's own code on this backend: two readings of what they say to each other that must agree. */
import { recoverMessageAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadSecrets } from '../../../demo/backend/secrets/secrets.ts'
import type { AppSettings } from '../../../demo/backend/settings/demo-apps.ts'
import { makeRecoveryFile } from '../../../demo/backend/wallets/recovery/file.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { createVault } from '../../../src/vault/entry/vault.ts'
import { eachOf, soak } from '../../support/soak.ts'
import { createDevice, partsOf, person, settings } from '../../vault/support/device.ts'
import { container, createDrives } from '../../vault/support/drives.ts'
import { addressByLibrary, recoverWith } from '../../vault/support/offline.ts'
import {
  password,
  type RecoveryMethod,
  recoveryMethodOf,
  recoveryMethods,
} from '../../vault/support/recovery-methods.ts'
import { everyWayApp, type Vault as Page, Vault } from '../support/embedded-world.ts'
import { apiUrl, startWorld, stores, vaultOrigin, type World } from '../support/world.ts'

const app: AppSettings = {
  ...everyWayApp,
  id: 'latchkey-test-vault-00001',
  // A page says by message what a strict app asks the person in the vault's own window.
  vault: 'compatible',
  icloud: container as AppSettings['icloud'] & object,
}

describe.each(stores)('the vault on $name', (store) => {
  let world: World
  const drives = createDrives()
  beforeAll(async () => {
    // The vault reads the token's time by its own clock.
    world = await startWorld(store, { moreApps: [app], clock: Date.now })
  })
  afterAll(() => world?.stop())

  /** Somebody who sits down at a device. */
  function openDevice(login: Page, device = createDevice()) {
    const vault = createVault({
      settings: { ...settings, appId: app.id, apiUrl },
      clock: systemClock,
      ...partsOf(device),
      async fetch(input, init = {}) {
        if (!input.startsWith(apiUrl)) return drives.fetch(input, init)
        const headers = { ...(init.headers as Record<string, string>), origin: vaultOrigin }
        return world.backend.api.request(input.slice(apiUrl.length), { ...init, headers })
      },
    })
    return { me: person(vault, login.token ?? ''), device }
  }
  const logIn = () => Vault.open(world, { appId: app.id })
  async function made(method: RecoveryMethod) {
    const login = await logIn()
    const { me, device } = openDevice(login)
    const { address = '', error } = await me.create(method.set(drives))
    expect(error).toBeUndefined()
    return { login, me, device, address }
  }
  async function signs(me: ReturnType<typeof person>, address: string) {
    const { response, error } = await me.sign(address, 'hello')
    expect(error).toBeUndefined()
    const signature = response?.data ?? '0x'
    expect(await recoverMessageAddress({ message: 'hello', signature })).toBe(address)
  }

  test.each(eachOf(recoveryMethods, soak(3, 1)))(
    'makes a wallet with recovery by $name, and recovers it on another device',
    async (method) => {
      const { login, me, address } = await made(method)
      await signs(me, address)
      const elsewhere = openDevice(login).me
      expect((await elsewhere.sign(address, 'hello')).error?.type).toBe('wallet_not_on_device')
      expect((await elsewhere.recover(address, method.use(drives))).error).toBeUndefined()
      await signs(elsewhere, address)
      await signs(me, address)
    },
  )

  test('changes recovery in every direction', async () => {
    const { login, me, address } = await made(recoveryMethodOf('automatic'))
    for (const method of [...recoveryMethods, ...recoveryMethods.toReversed()]) {
      const changed = await me.setRecovery(address, method.set(drives))
      expect(changed.error).toBeUndefined()
      expect(changed.recoveryMethod).toBe(method.method)
      const elsewhere = openDevice(login).me
      expect((await elsewhere.recover(address, method.use(drives))).error).toBeUndefined()
      await signs(elsewhere, address)
    }
  })

  test('gets an error for a wrong password, and for too many of them', async () => {
    const { login, address } = await made(recoveryMethodOf('password'))
    const { me } = openDevice(login)
    for (let count = 0; count < 10; count++) {
      const { error } = await me.recover(address, { recoveryPassword: `wrong ${count}` })
      expect(error?.type).toBe('invalid_recovery_pin')
    }
    const { error } = await me.recover(address, { recoveryPassword: password })
    expect(error).toEqual({ type: 'error', message: 'Too many requests (code 429)' })
  })

  test('makes wallets of both chains and of any index, and takes in keys', async () => {
    const login = await logIn()
    const { me, device } = openDevice(login)
    const solana = await me.createSolana()
    const root = solana.publicKey ?? ''
    const ethereum = (await me.createOn('ethereum')).address ?? ''
    const third = await me.add(root, 'ethereum', 3)
    expect(third.error).toBeUndefined()
    expect((await me.add(ethereum, 'ethereum', 3)).address).toBe(third.address)
    expect((await me.add(ethereum, 'solana', 1)).error).toBeUndefined()
    const key = generatePrivateKey()
    for (let time = 0; time < 2; time++)
      expect((await me.importKey('ethereum', key)).address).toBe(privateKeyToAccount(key).address)
    const { user } = (await login.get('users/me')).body
    expect(
      user.linked_accounts
        .slice(1)
        .map((one: Record<string, unknown>) => [one.chain_type, one.wallet_index, one.imported]),
    ).toEqual([
      ['solana', 0, false],
      ['ethereum', 0, false],
      ['ethereum', 3, false],
      ['solana', 1, false],
      ['ethereum', 0, true],
    ])
    const other = openDevice(login, device).me
    await signs(other, ethereum)
    await signs(other, privateKeyToAccount(key).address)
    const { releases } = (await login.page().get('embedded_wallets/releases')).body
    expect(releases.length).toBeGreaterThan(0)
  })

  test('wallet creation: three tabs of one browser and two more browsers at once make one wallet', async () => {
    const login = await logIn()
    const device = createDevice()
    const tabs = [1, 2, 3, 4, 5].map((count) => openDevice(login, count < 4 ? device : undefined).me)
    const answers = await Promise.all(tabs.map((me) => me.create()))
    const created = answers.filter(({ error }) => error === undefined)
    expect(new Set(created.map(({ address }) => address)).size).toBe(1)
    // A browser that comes when there is a wallet already has to show that it is the user's.
    for (const { error } of answers) if (error) expect(error.type).toBe('enrolment_required')
    const { user } = (await login.get('users/me')).body
    expect(user.linked_accounts).toHaveLength(2)
  })

  test.each(recoveryMethods.slice(soak(1, 0), 2))(
    'leaves what rebuilds the keys of $name without this server',
    async (method) => {
      const { login, me, address } = await made(method)
      await me.add(address, 'solana', 0)
      const file = await makeRecoveryFile(
        {
          database: world.backend.database,
          secrets: await loadSecrets(world.dataDir, undefined),
          clock: Date.now,
        },
        login.userId,
      )
      expect(file.roots).toHaveLength(1)
      const files = { 'recovery.json': JSON.stringify(file) }
      const { code, roots } = await recoverWith(files, ['--reveal', '--json'], [password])
      expect(code).toBe(0)
      const found = roots.flatMap((root) => root.wallets)
      expect(found.map(addressByLibrary)).toEqual(
        file.roots.flatMap((root) => root.wallets.map((one) => one.address)),
      )
      expect(found[0]?.address).toBe(address)
      const { releases } = (await login.page().get('embedded_wallets/releases')).body
      expect(releases[0]).toMatchObject({ what: 'recovery-file', address })
    },
  )
})
