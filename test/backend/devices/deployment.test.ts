/** What the settings of a deployment change in how devices become somebody's. */
import { afterEach, describe, expect, test } from 'vitest'
import { Client, otherCode } from '../support/client.ts'
import { everyWayApp, path, Vault, verdict } from '../support/embedded-world.ts'
import { newNumber, startSmsWorld } from '../support/sms-world.ts'
import { startWorld, stores, vaultOrigin, type World } from '../support/world.ts'

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
    const factor = factors.find(({ type }: { type: string }) => type === 'sms')
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
