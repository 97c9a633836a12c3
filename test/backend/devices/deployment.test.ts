/** What the settings of a deployment change in how devices become somebody's. */
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { walletSets } from '../../../demo/backend/wallets/tables.ts'
import { Client, otherCode } from '../support/client.ts'
import { everyWayApp, path, type Root, Vault, verdict } from '../support/embedded-world.ts'
import { newNumber, startSmsWorld } from '../support/sms-world.ts'
import { minutes, startWorld, stores, vaultOrigin, type World } from '../support/world.ts'

const app = { ...everyWayApp, id: 'latchkey-test-numbers-001', methods: ['sms'] as 'sms'[] }
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

describe.each(stores)('a device on $name', (store) => {
  let world: World | undefined
  afterEach(() => world?.stop())

  test('is enrolled by a code that is sent to the person’s number, names it and fills itself in on the vault’s page', async () => {
    const running = await startSmsWorld(store, { moreApps: [app] })
    world = running
    const phoneNumber = newNumber()
    const first = new Vault(running, { appId: app.id, origin: vaultOrigin })
    expect((await first.post('passwordless_sms/init', { phoneNumber })).status).toBe(200)
    const code = first.lastCode(phoneNumber)
    const login = await first.post('passwordless_sms/authenticate', { phoneNumber, code })
    expect(login.status).toBe(200)
    first.token = login.body.token
    first.userId = login.body.user.id
    const root = await first.create()

    const next = first.elsewhere({ headers: { 'user-agent': chrome } })
    expect(verdict(await next.enrol())).toEqual([403, 'enrolment_required'])
    const { factors } = (await next.post('devices/enroll/options')).body
    const [factor] = factors
    expect(factor).toMatchObject({ type: 'sms', hint: expect.stringMatching(/\d{2}$/) })
    expect(factor.hint).not.toContain(phoneNumber.slice(4, 9))
    expect((await next.post('devices/enroll/code', { id: factor.id })).body).toEqual({ hint: factor.hint })
    const message = running.mailbox.messages().find(({ to, kind }) => kind === 'sms' && to === phoneNumber)
    const sent = message?.code ?? ''
    expect(message?.body).toContain(`${sent} lets Chrome on Windows (${next.ip.replace(/\d+$/, '0')}/24) use`)
    expect(message?.body).toContain("If this isn't you, ignore it.")
    expect(message?.body.split('\n').at(-1)).toBe(`@${new URL(vaultOrigin).hostname} #${sent}`)
    // It is no code of a login, nor is one of a login good here.
    const page = new Client(running, { appId: app.id })
    expect((await page.post('passwordless_sms/authenticate', { phoneNumber, code: sent })).status).toBe(422)
    expect((await next.enrol({ factor: 'code', code: otherCode(sent) })).status).toBe(422)
    expect((await next.enrol({ factor: 'code', code: sent })).status).toBe(200)
    expect((await next.post(`${path(root)}/recovery/package`)).status).toBe(200)
  })

  /** Puts the sets of a root back to the time before devices had keys. */
  const before = (running: World, root: Root) =>
    running.backend.database
      .update(walletSets)
      .set({ deviceId: null })
      .where(eq(walletSets.setId, root.setId))
  const proofOf = (vault: Vault, root: Root) =>
    root.key.prove(
      [
        ...['Latchkey device key', `app: ${everyWayApp.id}`, `user: ${vault.userId}`],
        ...[`wallet: ${root.walletId}`, `set: ${root.setId}`, `thumbprint: ${vault.key.thumbprint}`],
      ].join('\n'),
    )

  test('that has held a share since before devices had keys is enrolled by it until the deployment ends that', async () => {
    const ends = Date.UTC(2026, 0, 15, 12) + minutes(30)
    const running = await startWorld(store, { moreApps: [everyWayApp], deviceMigrationEnds: ends })
    world = running
    const first = await Vault.open(running, { appId: everyWayApp.id })
    const roots = [await first.create()]
    const other = await Vault.open(running, { appId: everyWayApp.id })
    roots.push(await other.create())
    for (const root of roots) await before(running, root)
    const share = (vault: Vault, root: Root) =>
      vault.post(`${path(root)}/auth_share`, { set_ids: [root.setId] })
    const enrol = async (vault: Vault, root: Root) =>
      vault.enrol({
        factor: 'share',
        root: root.key.address,
        set_id: root.setId,
        proof: await proofOf(vault, root),
      })

    const [early, late] = [first.elsewhere(), other.elsewhere()]
    const [ofEarly, ofLate] = roots as [Root, Root]
    running.clock.now = ends - minutes(1)
    expect((await share(early, ofEarly)).body.auth_share).toBe(ofEarly.body.auth_share)
    expect((await enrol(early, ofEarly)).status).toBe(200)

    running.clock.now = ends
    expect(verdict(await share(late, ofLate))).toEqual([403, 'device_not_enrolled'])
    expect(verdict(await enrol(late, ofLate))).toEqual([403, 'enrolment_required'])
    // Who was enrolled in time goes on, and who was not has the other ways.
    expect((await share(early, ofEarly)).status).toBe(200)
    const { factors } = (await late.post('devices/enroll/options')).body
    expect(factors).toMatchObject([{ type: 'email' }])
  })

  test('has the place that a trusted proxy tells, which nobody else can write', async () => {
    const proxy = '10.255.0.1'
    const running = await startWorld(store, {
      moreApps: [everyWayApp],
      trustedProxies: [proxy],
      placeHeader: 'cf-ipcity',
    })
    world = running
    const headers = { 'cf-ipcity': 'Zürich<b>', 'x-forwarded-for': '203.0.113.7' }
    const through = await Vault.open(running, { appId: everyWayApp.id, ip: proxy, headers })
    const direct = await Vault.open(running, { appId: everyWayApp.id, ip: '198.51.100.9', headers })
    const silent = await Vault.open(running, {
      appId: everyWayApp.id,
      ip: proxy,
      headers: { 'x-forwarded-for': '203.0.113.7' },
    })
    const placeOf = async (vault: Vault) => (await vault.page().get('devices')).body.devices[0].place
    expect(await placeOf(through)).toBe('Zürichb')
    expect(await placeOf(direct)).toBe('198.51.100.0/24')
    expect(await placeOf(silent)).toBe('203.0.113.0/24')
  })
})
