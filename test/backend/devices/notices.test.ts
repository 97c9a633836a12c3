import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AppSettings } from '../../../demo/backend/settings/app.ts'
import { automatic, everyWayApp, path, random, Vault } from '../support/embedded-world.ts'
import { newNumber, type SmsWorld, startSmsWorld } from '../support/sms-world.ts'
import { minutes, newAddress, stores, vaultOrigin } from '../support/world.ts'

const toldApp = { ...everyWayApp, methods: ['email', 'sms'] } as AppSettings
const quietApp = { ...everyWayApp, id: 'latchkey-test-quiet-00001', notices: false }
const name = everyWayApp.name

describe.each(stores)('a person is mailed on $name', (store) => {
  let world: SmsWorld
  beforeAll(async () => {
    world = await startSmsWorld(store, { moreApps: [toldApp, quietApp] })
  })
  afterAll(() => world?.stop())

  /** Somebody with a wallet, on the device that made it, and the mails that come from now on. */
  async function begin(appId = everyWayApp.id) {
    const email = newAddress()
    const first = new Vault(world, { appId, origin: vaultOrigin })
    await first.post('passwordless/init', { email })
    const login = await first.post('passwordless/authenticate', { email, code: first.lastCode(email) })
    first.token = login.body.token
    first.userId = login.body.user.id
    const root = await first.create(undefined, { recovery: await first.password() })
    const before = world.mailbox.messages().length
    const mails = () =>
      [...world.mailbox.messages()]
        .reverse()
        .slice(before)
        .filter(({ to }) => to === email)
    const shown = { root: root.key.address, proof: first.passwords.get(root.body.recovery.secret_id ?? '') }
    const another = async () => {
      const device = first.elsewhere()
      const { body } = await device.enrol({ factor: 'recovery', ...shown })
      return { device, id: String(body.device_id) }
    }
    const exportKey = async () => {
      const { ticket } = (await first.page().post(`${path(root)}/export_ticket`)).body
      return first.post('embedded_wallets/export/redeem', { ticket, address: root.key.address })
    }
    const linkNumber = async () => {
      const page = first.page()
      const phoneNumber = newNumber()
      await page.post('passwordless_sms/init', { phoneNumber })
      return first.approved(
        page.post('passwordless_sms/link', { phoneNumber, code: page.lastCode(phoneNumber) }),
      )
    }
    const replaceAddress = async () => {
      const page = first.page()
      const to = newAddress()
      const code = await page.codeFor(to)
      return first.approved(page.post('passwordless/update', { oldAddress: email, newAddress: to, code }))
    }
    return { first, email, root, mails, another, exportKey, linkNumber, replaceAddress }
  }
  type Begun = Awaited<ReturnType<typeof begin>>

  const happenings: Record<string, { happens(begun: Begun): Promise<{ status: number }>; subject: string }> =
    {
      'a further device is enrolled': {
        happens: async ({ another }) => ({ status: (await another()).id === 'undefined' ? 0 : 200 }),
        subject: `A new device can use your wallets at ${name}`,
      },
      'a device is removed': {
        happens: async ({ first, another }) => first.post(`devices/${(await another()).id}/remove`),
        subject: `A device was removed at ${name}`,
      },
      'what recovers a wallet is given out to another device': {
        happens: async ({ another, root }) => (await another()).device.post(`${path(root)}/recovery/package`),
        subject: `Your wallet at ${name} is being recovered`,
      },
      'what recovers a wallet is shown by the device that has it': {
        happens: ({ first, root }) => first.post(`${path(root)}/recovery/package`),
        subject: `What recovers your wallet at ${name} was asked for`,
      },
      'a wallet is recovered in another way': {
        happens: ({ first, root }) => first.change(root, automatic()),
        subject: `Your wallet at ${name} is recovered in another way now`,
      },
      'a number is linked': {
        happens: ({ linkNumber }) => linkNumber(),
        subject: `A way to log in was added at ${name}`,
      },
      'their address is replaced': {
        happens: ({ replaceAddress }) => replaceAddress(),
        subject: `A way to log in was changed at ${name}`,
      },
      'their address is taken away': {
        happens: ({ first, email }) =>
          first.approved(first.page().post('passwordless/unlink', { address: email, even_if_sole: true })),
        subject: `A way to log in was removed at ${name}`,
      },
      'a key is shown': {
        happens: ({ exportKey }) => exportKey(),
        subject: `The key of your wallet at ${name} was shown`,
      },
    }

  test.each(Object.entries(happenings))('when %s: what, where and when, and what to do', async (_, given) => {
    const begun = await begin()
    expect((await given.happens(begun)).status).toBe(200)
    const told = () => begun.mails().filter(({ subject }) => subject === given.subject)
    await expect.poll(() => told().length).toBe(1)
    const [mail] = told()
    expect(mail?.body).toContain(`at ${name}`)
    expect(mail?.body).toContain(new Date(world.clock.now).toUTCString())
    expect(mail?.body.match(/not you|n't you|not ask for/g)).toEqual(['not you'])
    expect(mail?.body).toMatch(new RegExp(`${begun.root.key.address}|10\\.\\d+\\.\\d+\\.0/24`))
  })

  test('once for the parts of one request for what recovers a wallet, and again for the next one', async () => {
    const { first, root, mails } = await begin()
    const ask = async () => {
      expect((await first.post(`${path(root)}/recovery/package`)).status).toBe(200)
      expect((await first.post(`${path(root)}/recovery/package`)).status).toBe(200)
    }
    const told = () => mails().filter(({ subject }) => subject.endsWith('was asked for')).length
    await ask()
    await expect.poll(told).toBe(1)
    world.clock.pass(minutes(11))
    await ask()
    await expect.poll(told).toBe(2)
  })

  test('nothing when a device that was enrolled gets its share, nor when somebody’s try was refused', async () => {
    const { first, root, mails, another } = await begin()
    const ask = { set_ids: [root.setId] }
    expect((await first.post(`${path(root)}/auth_share`, ask)).status).toBe(200)
    const stranger = first.elsewhere()
    const guess = { factor: 'recovery', root: root.key.address, proof: random(32) }
    expect((await stranger.enrol(guess)).status).toBe(422)
    expect((await stranger.post(`${path(root)}/recovery/package`)).status).toBe(403)
    // What comes is the mail of something that did happen afterwards, and it alone.
    await another()
    await expect.poll(() => mails().length).toBeGreaterThan(0)
    expect(mails().map(({ subject }) => subject)).toEqual([`A new device can use your wallets at ${name}`])
  })

  test('nothing where the app does not want it; all of it is in the person’s log', async () => {
    const { first, root, mails, another, exportKey } = await begin(quietApp.id)
    const { id } = await another()
    for (const { status } of [
      await first.post(`devices/${id}/remove`),
      await first.post(`${path(root)}/recovery/package`),
      await exportKey(),
      await first.change(root, automatic()),
    ])
      expect(status).toBe(200)
    const { releases } = (await first.page().get('embedded_wallets/releases')).body
    const kinds = releases.map(({ what }: { what: string }) => what)
    expect(kinds).toEqual(
      expect.arrayContaining(['device-enrolled', 'device-removed', 'recovery-package', 'export']),
    )
    // A mail that is wanted leaves later than these would have.
    const other = await begin()
    await other.another()
    await expect.poll(() => other.mails().length).toBe(1)
    expect(mails()).toEqual([])
  })
})
