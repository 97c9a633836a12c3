/** The vault's own flow on this backend: what the server describes, what the window shows, and what the device signs must agree. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Closed } from '../../../src/dialog/stage.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { accountChange } from '../../../src/vault/approval/account-change/flow.ts'
import { createContext } from '../../../src/vault/create-context.ts'
import { createVault } from '../../../src/vault/entry/vault.ts'
import { readToken } from '../../../src/vault/token.ts'
import { approvalOf } from '../../vault/support/approval.ts'
import { createDevice, type Device, partsOf, person, settings } from '../../vault/support/device.ts'
import type { Client } from '../support/client.ts'
import { Vault } from '../support/embedded-world.ts'
import { mfaApp } from '../support/mfa-world.ts'
import { newNumber, type SmsWorld, startSmsWorld } from '../support/sms-world.ts'
import { apiUrl, newAddress, stores, vaultOrigin } from '../support/world.ts'

describe.each(stores)('the vault approves changes on $name', (store) => {
  let world: SmsWorld
  beforeAll(async () => {
    // The vault reads the token's time by its own clock.
    world = await startSmsWorld(store, { moreApps: [mfaApp], clock: Date.now })
  })
  afterAll(() => world?.stop())

  const partsFor = (device: Device) => ({
    settings: { ...settings, appId: mfaApp.id, apiUrl, vault: 'strict' as const },
    clock: systemClock,
    ...partsOf(device),
    async fetch(input: string, init: RequestInit = {}) {
      const headers = { ...(init.headers as Record<string, string>), origin: vaultOrigin }
      return world.backend.api.request(input.slice(apiUrl.length), { ...init, headers })
    },
  })

  /** A user with a wallet in this very vault, and the page of the same login. */
  async function owner() {
    const login = await Vault.open(world, { appId: mfaApp.id })
    const device = createDevice()
    const { address = '', error } = await person(createVault(partsFor(device)), login.token ?? '').create()
    expect(error).toBeUndefined()
    return { login, page: login.page(), device, address }
  }
  type Owner = Awaited<ReturnType<typeof owner>>
  const changeOf = (answer: { status: number; body: { data?: { change?: string } } }): string => {
    expect(answer.status).toBe(403)
    return answer.body.data?.change ?? ''
  }
  /** The user's decision about a change in the window, and the words that they read there. */
  async function decide({ login, device, address }: Owner, change: string, answer: 'approve' | 'cancel') {
    const vault = createContext({ ...partsFor(device), approves: true })
    const root = { chainType: 'ethereum' as const, address }
    const approval = approvalOf<'account-change'>(vault, login.token ?? '', { change, root, address })
    const token = async () => readToken(login.token ?? '', mfaApp.id, Date.now())
    const outcome = accountChange({ ...approval.cx, token }).then(
      (done) => done,
      (cause: unknown) => cause,
    )
    await approval.act(['account-change', answer])
    const [shown] = approval.seen.filter(({ screen }) => screen === 'account-change')
    return { outcome: await outcome, shown: shown?.props }
  }
  const accountsOf = async (page: Client): Promise<Record<string, string>[]> =>
    (await page.get('users/me')).body.user.linked_accounts
  const linkPhone = async (page: Client, phoneNumber = newNumber()) => {
    await page.post('passwordless_sms/init', { phoneNumber })
    return page.post('passwordless_sms/link', { phoneNumber, code: page.lastCode(phoneNumber) })
  }
  const emailOf = async (page: Client) =>
    (await accountsOf(page)).find(({ type }) => type === 'email')?.address ?? ''

  test('link, and unlink of the same account', async () => {
    const at = await owner()
    const number = newNumber()
    const linked = await decide(at, changeOf(await linkPhone(at.page, number)), 'approve')
    expect(linked).toMatchObject({
      outcome: { changed: true },
      shown: { action: 'link', account: number, isLastLogin: false },
    })
    expect((await accountsOf(at.page)).map(({ type }) => type)).toContain('phone')
    const refused = await at.page.post('passwordless_sms/unlink', { phoneNumber: number })
    const unlinked = await decide(at, changeOf(refused), 'approve')
    expect(unlinked).toMatchObject({
      outcome: { changed: true },
      shown: { action: 'unlink', account: number },
    })
    expect((await accountsOf(at.page)).map(({ type }) => type)).not.toContain('phone')
  })

  test('update: both addresses are shown and signed', async () => {
    const at = await owner()
    const [old, next] = [await emailOf(at.page), newAddress()]
    const code = await at.page.codeFor(next)
    const refused = await at.page.post('passwordless/update', { oldAddress: old, newAddress: next, code })
    expect(await decide(at, changeOf(refused), 'approve')).toMatchObject({
      outcome: { changed: true },
      shown: {
        action: 'update',
        facts: [
          ['Until now', old],
          ['New', next],
        ],
      },
    })
    expect(await emailOf(at.page)).toBe(next)
  })

  test('unlink of the last login: the window warns of it', async () => {
    const at = await owner()
    const address = await emailOf(at.page)
    const refused = await at.page.post('passwordless/unlink', { address, even_if_sole: true })
    expect(await decide(at, changeOf(refused), 'cancel')).toMatchObject({
      outcome: expect.any(Closed),
      shown: { action: 'unlink', account: address, isLastLogin: true },
    })
    expect(await emailOf(at.page)).toBe(address)
  })

  test('the end of one session, and of all others', async () => {
    const at = await owner()
    const { sessions } = (await at.page.get('users/me/sessions')).body
    const [{ id }] = sessions
    const one = await decide(at, changeOf(await at.page.post('users/me/sessions/end_others')), 'approve')
    expect(one).toMatchObject({ outcome: { changed: true }, shown: { action: 'end-sessions' } })
    const own = await decide(at, changeOf(await at.page.post(`users/me/sessions/${id}/end`)), 'cancel')
    expect(own.shown).toMatchObject({ action: 'end-session', account: expect.any(String) })
  })

  test('cancel: the change is gone, and its id approves nothing', async () => {
    const at = await owner()
    const change = changeOf(await linkPhone(at.page))
    expect((await decide(at, change, 'cancel')).outcome).toBeInstanceOf(Closed)
    const again = await at.login.post(`users/me/changes/${change}/review`)
    expect(again.status).toBeGreaterThanOrEqual(400)
    expect((await accountsOf(at.page)).map(({ type }) => type)).not.toContain('phone')
  })
})
