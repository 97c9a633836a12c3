import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crowd } from '../../support/soak.ts'
import { Client } from '../support/client.ts'
import { ethereumKey, type Root, Vault, verdict } from '../support/embedded-world.ts'
import {
  minutes,
  newAddress,
  openApp,
  seconds,
  site,
  startWorld,
  stores,
  vaultOrigin,
  type World,
} from '../support/world.ts'

const spent = [400, 'token_already_used']

describe.each(stores)('tickets to see a key on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store)
  })
  afterAll(() => world?.stop())

  const ticketFor = async (vault: Vault, { key }: Pick<Root, 'key'>) => {
    const { status, body } = await vault.page().post(`embedded_wallets/${key.address}/export_ticket`)
    expect(status).toBe(200)
    return body.ticket as string
  }
  const redeem = (vault: Client, { key }: Pick<Root, 'key'>, ticket: string) =>
    vault.post('embedded_wallets/export/redeem', { ticket, address: key.address })

  test('open one wallet once, and are noted then', async () => {
    const vault = await Vault.open(world)
    const root = await vault.create()
    const ticket = await ticketFor(vault, root)
    const page = vault.page()
    expect(await page.releases()).toEqual([])
    const used = await redeem(vault, root, ticket)
    expect([used.status, used.body]).toEqual([200, {}])
    expect(verdict(await redeem(vault, root, ticket))).toEqual(spent)
    const at = Math.floor(world.clock.now / 1_000)
    const release = { at, what: 'export', address: root.key.address }
    expect(await page.releases()).toEqual([release])
  })

  test('are for any wallet of the person’s, by its own address', async () => {
    const vault = await Vault.open(world)
    const root = await vault.create()
    const key = ethereumKey()
    await vault.add(root, 1, key)
    const imported = await vault.create(ethereumKey(), { secret: 'key' })
    for (const wallet of [{ key }, imported]) {
      const ticket = await ticketFor(vault, wallet)
      expect((await redeem(vault, wallet, ticket)).status).toBe(200)
    }
    const stranger = await vault.page().post(`embedded_wallets/${ethereumKey().address}/export_ticket`)
    expect(verdict(stranger)).toEqual([404, 'linked_account_not_found'])
  })

  test(`have one winner of ${crowd} who use it at once`, async () => {
    const vault = await Vault.open(world)
    const root = await vault.create()
    const ticket = await ticketFor(vault, root)
    const answers = await Promise.all(Array.from({ length: crowd }, () => redeem(vault, root, ticket)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => verdict(answer)[1] === spent[1])).toHaveLength(crowd - 1)
    console.log(`${store.name}: ${crowd} parallel uses of an export ticket: 1 winner`)
  })

  test('are good for a minute, to their own login and for their own wallet', async () => {
    const vault = await Vault.open(world)
    const root = await vault.create()
    const late = await ticketFor(vault, root)
    world.clock.pass(minutes(1))
    expect(verdict(await redeem(vault, root, late))).toEqual(spent)
    const inTime = await ticketFor(vault, root)
    world.clock.pass(minutes(1) - seconds(1))
    expect((await redeem(vault, root, inTime)).status).toBe(200)

    const other = await Vault.open(world)
    const elsewhere = await Vault.open(world, { appId: 'latchkey-demo-terms-00002' })
    const imported = await vault.create(ethereumKey(), { secret: 'key' })
    for (const [by, wallet] of [
      [other, root],
      [elsewhere, root],
      [vault, imported],
    ] as const)
      expect(verdict(await redeem(by, wallet, await ticketFor(vault, root)))).toEqual(spent)
    for (const made of [randomUUID(), 'x', 'A'.repeat(43)])
      expect(verdict(await redeem(vault, root, made))).toEqual(spent)

    // The same person, with another session.
    const email = newAddress()
    const first = new Client(world)
    const { body } = await first.login(email)
    const own = new Vault(world, { origin: vaultOrigin })
    own.token = body.token
    own.userId = body.user.id
    await own.enrol()
    const wallet = await own.create()
    const ticket = await ticketFor(own, wallet)
    const second = new Vault(world, { origin: vaultOrigin })
    world.clock.pass(minutes(1) / 2)
    second.token = (await new Client(world).login(email)).body.token
    second.userId = own.userId
    // In the same browser, so that nothing but the session is another one.
    second.key = own.key
    expect(verdict(await redeem(second, wallet, ticket))).toEqual(spent)
  })

  test('are given to a page of the app, and taken by the vault alone', async () => {
    const vault = await Vault.open(world)
    const root = await vault.create()
    const ticket = await ticketFor(vault, root)
    const body = { ticket, address: root.key.address }
    const asPage = await vault.post('embedded_wallets/export/redeem', body, { origin: site })
    expect(verdict(asPage)).toEqual([403, 'invalid_origin'])
    expect((await redeem(vault, root, ticket)).status).toBe(200)
    const call = `embedded_wallets/${root.key.address}/export_ticket`
    const evil = await vault.page().post(call, {}, { origin: 'https://evil.example' })
    expect(verdict(evil)).toEqual([403, 'invalid_origin'])
    const nobody = new Client(world, { appId: openApp })
    expect(verdict(await nobody.post(call))).toEqual([401, 'missing_or_invalid_token'])
    for (const wrong of [{}, { ticket: '' }, { ticket: 'a b', address: root.key.address }])
      expect(verdict(await vault.post('embedded_wallets/export/redeem', wrong))).toEqual([
        400,
        'invalid_data',
      ])
  })

  test('are not given without end', async () => {
    const vault = await Vault.open(world)
    const root = await vault.create()
    for (let count = 0; count < 60; count++) await ticketFor(vault, root)
    const more = await vault.page().post(`embedded_wallets/${root.key.address}/export_ticket`)
    expect(verdict(more)).toEqual([429, 'too_many_requests'])
  })
})
