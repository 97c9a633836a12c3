import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeAddresses } from '../../../../demo/backend/codes/tables.ts'
import { mailboxOf } from '../../../../demo/backend/lib/email-address.ts'
import { Client, otherCode } from '../../support/client.ts'
import { newAccount, WalletClient, walletApp } from '../../support/wallet-world.ts'
import {
  days,
  hours,
  minutes,
  newAddress,
  openApp,
  seconds,
  startWorld,
  stores,
  type World,
} from '../../support/world.ts'

describe.each(stores)('codes on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store, { moreApps: [walletApp] })
  })
  afterAll(() => world?.stop())

  const enter = (client: Client, email: string, code: string) =>
    client.post('passwordless/authenticate', { email, code })
  const send = (client: Client, email: string) => client.post('passwordless/init', { email })

  test('live for ten minutes', async () => {
    const client = new Client(world)
    const [early, late] = [newAddress(), newAddress()]
    const codes = [await client.codeFor(early), await client.codeFor(late)] as const
    world.clock.pass(minutes(10) - 1)
    expect((await enter(client, early, codes[0])).status).toBe(200)
    world.clock.pass(1)
    const refused = await enter(client, late, codes[1])
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_credentials'])
  })

  test('work once', async () => {
    const client = new Client(world)
    const email = newAddress()
    const code = await client.codeFor(email)
    expect((await enter(client, email, code)).status).toBe(200)
    expect((await enter(client, email, code)).status).toBe(422)
  })

  test('are dead after five wrong guesses, and the right one then gets the same answer as a wrong one', async () => {
    const client = new Client(world)
    const email = newAddress()
    const code = await client.codeFor(email)
    let wrong = await enter(client, email, otherCode(code))
    for (let guess = 2; guess <= 5; guess++) wrong = await enter(client, email, otherCode(code))
    const right = await enter(client, email, code)
    expect([right.status, right.text]).toEqual([wrong.status, wrong.text])
  })

  test('are replaced by the next one', async () => {
    const client = new Client(world)
    const email = newAddress()
    const first = await client.codeFor(email)
    world.clock.pass(seconds(30))
    const second = await client.codeFor(email)
    if (first !== second) expect((await enter(client, email, first)).status).toBe(422)
    expect((await enter(client, email, second)).status).toBe(200)
  })

  test('are not sent again within 30 s, unless the last one was used', async () => {
    const client = new Client(world)
    const email = newAddress()
    const code = await client.codeFor(email)
    world.clock.pass(seconds(20))
    const soon = await send(client, email)
    expect([soon.status, soon.body.code, soon.headers.get('retry-after')]).toEqual([
      429,
      'too_many_requests',
      '10',
    ])
    expect((await enter(client, email, code)).status).toBe(200)
    expect((await send(client, email)).status).toBe(200)
    const again = await send(client, email)
    expect([again.status, again.headers.get('retry-after')]).toEqual([429, '30'])
  })

  test('that nobody uses are sent five times an hour and ten times a day; used ones do not count', async () => {
    const email = newAddress()
    const used = new Client(world)
    for (let login = 0; login < 3; login++) expect((await used.login(email)).status).toBe(200)
    for (let hour = 0; hour < 2; hour++) {
      for (let count = 0; count < 5; count++) {
        expect((await send(new Client(world), email)).status).toBe(200)
        world.clock.pass(minutes(1))
      }
      const sixth = await send(new Client(world), email)
      const wait = hour === 0 ? hours(1) - minutes(5) : days(1) - hours(1) - minutes(5)
      expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([429, String(wait / 1_000)])
      world.clock.pass(hours(1) - minutes(5))
    }
    expect((await send(new Client(world), email)).status).toBe(429)
    world.clock.pass(days(1) - hours(2))
    expect((await send(new Client(world), email)).status).toBe(200)
  })

  test('are sent to one network address three times a minute and thirty times an hour', async () => {
    const client = new Client(world)
    for (let batch = 0; batch < 10; batch++) {
      for (let count = 0; count < 3; count++) expect((await send(client, newAddress())).status).toBe(200)
      expect((await send(client, newAddress())).headers.get('retry-after')).toBe(batch < 9 ? '60' : '3060')
      world.clock.pass(minutes(1))
    }
    expect((await send(client, newAddress())).status).toBe(429)
    expect((await send(new Client(world), newAddress())).status).toBe(200)
    world.clock.pass(hours(1))
    expect((await send(client, newAddress())).status).toBe(200)
  })

  test('count one IPv6 network as one address, and believe nobody’s X-Forwarded-For', async () => {
    const neighbours = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:0db8:0001:0002:0:0:0:7']
    for (const ip of neighbours)
      expect((await send(new Client(world, { ip }), newAddress())).status).toBe(200)
    const fourth = new Client(world, { ip: '2001:db8:1:2:abcd::' })
    expect((await send(fourth, newAddress())).status).toBe(429)
    for (let forged = 0; forged < 20; forged++) {
      const headers = { 'x-forwarded-for': `198.51.100.${forged}` }
      expect((await fourth.post('passwordless/init', { email: newAddress() }, headers)).status).toBe(429)
    }
    expect((await send(new Client(world, { ip: '2001:db8:1:3::1' }), newAddress())).status).toBe(200)
  })

  /** Wrong guesses, each from another source unless one is given. */
  async function guess(email: string, count: number, from?: Client, appId?: string) {
    for (let at = 0; at < count; at++) {
      const options = appId ? { appId } : {}
      const client = from ?? new Client(world, options)
      if (at % 3 === 0) {
        world.clock.pass(seconds(31))
        await send(new Client(world, options), email)
      }
      await enter(client, email, otherCode(client.lastCode(email)))
    }
  }

  test('ten failed guesses in an hour pause an address for an hour, and its owner is notified by mail', async () => {
    const email = newAddress()
    await guess(email, 10)
    world.clock.pass(seconds(31))
    const paused = await send(new Client(world), email)
    expect([paused.status, paused.headers.get('retry-after')]).toEqual([429, String(3_600 - 31)])
    await expect
      .poll(() => world.mailbox.messages().find(({ to }) => to === email)?.subject)
      .toBe('Login to Latchkey Demo is paused')
    world.clock.pass(hours(1))
    expect((await new Client(world).login(email)).status).toBe(200)
  })

  test('a code that is outstanding when the pause begins is not judged, even if it is right', async () => {
    const email = newAddress()
    await guess(email, 9)
    world.clock.pass(seconds(31))
    const client = new Client(world)
    const code = await client.codeFor(email)
    const tenth = await enter(client, email, otherCode(code))
    const right = await enter(client, email, code)
    expect([right.status, right.text]).toEqual([422, tenth.text])
  })

  test('one source cannot pause an address: it is stopped itself, and the owner gets in', async () => {
    const [email, guesser, owner] = [newAddress(), new Client(world), new Client(world)]
    await guess(email, 12, guesser)
    const stopped = await enter(guesser, email, owner.lastCode(email))
    expect([stopped.status, stopped.body.code]).toEqual([429, 'too_many_requests'])
    world.clock.pass(hours(1))
    await guess(email, 12, guesser)
    world.clock.pass(seconds(31))
    expect((await owner.login(email)).status).toBe(200)
    // It may still guess elsewhere, and here again after an hour.
    const other = newAddress()
    expect((await guesser.login(other)).status).toBe(200)
    world.clock.pass(hours(1))
    expect((await guesser.login(email)).status).toBe(200)
  })

  test('a pause ends at once when the owner comes in another way', async () => {
    const email = newAddress()
    const owner = new WalletClient(world)
    expect((await owner.login(email)).status).toBe(200)
    const wallet = newAccount()
    expect((await owner.post('siwe/link', await owner.signed(wallet))).status).toBe(200)
    world.clock.pass(minutes(1))
    await guess(email, 10, undefined, walletApp.id)
    world.clock.pass(seconds(31))
    const later = new WalletClient(world)
    expect((await send(later, email)).status).toBe(429)
    expect((await later.enter('siwe', await later.signed(wallet))).status).toBe(200)
    expect((await new WalletClient(world).login(email)).status).toBe(200)
  })

  test('who has guessed for days keeps nobody out who comes in another way, and gets no more guesses for that', async () => {
    const email = newAddress()
    const owner = new WalletClient(world)
    expect((await owner.login(email)).status).toBe(200)
    const wallet = newAccount()
    expect((await owner.post('siwe/link', await owner.signed(wallet))).status).toBe(200)
    for (let round = 0; round < 8; round++) {
      world.clock.pass(hours(12))
      await guess(email, 10, undefined, walletApp.id)
    }
    world.clock.pass(hours(12))
    const stranger = new WalletClient(world)
    expect((await send(stranger, email)).status).toBe(429)
    const elsewhere = new WalletClient(world)
    expect((await elsewhere.enter('siwe', await elsewhere.signed(wallet))).status).toBe(200)
    expect((await new WalletClient(world).login(email)).status).toBe(200)
    world.clock.pass(hours(1))
    expect((await send(stranger, email)).status).toBe(429)
  })
})

describe.each(stores)('the sending of codes on $name', (store) => {
  const small = {
    id: 'latchkey-tests-sending-01',
    name: 'Small',
    allowedDomains: ['http://localhost:*'],
    sendsPerHour: { email: 3 },
  }
  let world: World
  beforeAll(async () => {
    world = await startWorld(store, { moreApps: [small], limits: { mailsPerHour: 12, mailsPerAppHour: 6 } })
  })
  afterAll(() => world?.stop())
  const send = (email: string, appId?: string) =>
    new Client(world, appId ? { appId } : {}).post('passwordless/init', { email })

  test('counts all addresses of one mailbox as one, and knows people by the address as they gave it', async () => {
    const name = newAddress().split('@')[0]?.replaceAll('-', '') ?? ''
    expect((await send(`${name}@gmail.com`)).status).toBe(200)
    for (const same of [
      `${name}+1@gmail.com`,
      `${name.slice(0, 3)}.${name.slice(3)}@gmail.com`,
      `${name}+2@googlemail.com`,
    ])
      expect([same, (await send(same)).status]).toEqual([same, 429])
    const tagged = newAddress().replace('@', '+news@')
    const client = new Client(world)
    const { body } = await client.login(tagged)
    expect(body.user.linked_accounts).toMatchObject([{ address: tagged }])
    const untagged = await client.post('passwordless/init', { email: tagged.replace('+news', '') })
    expect(untagged.status).toBe(200)
    expect((await client.post('passwordless/init', { email: tagged })).status).toBe(429)
    world.clock.pass(hours(2))
  })

  test('has a limit for each app and one in all, which begin anew with the hour', async () => {
    for (let at = 0; at < 3; at++) expect((await send(newAddress(), small.id)).status).toBe(200)
    const refused = await send(newAddress(), small.id)
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3_600)
    expect(world.logged.at(-1)).toContain(`send email ${small.id} has reached 3`)
    for (let at = 0; at < 6; at++) expect((await send(newAddress())).status).toBe(200)
    expect((await send(newAddress())).status).toBe(429)
    const third = 'latchkey-demo-terms-00002'
    for (let at = 0; at < 3; at++) expect((await send(newAddress(), third)).status).toBe(200)
    expect((await send(newAddress(), third)).status).toBe(429)
    expect((await send(newAddress(), 'latchkey-demo-limit-00004')).status).toBe(429)
    world.clock.pass(hours(1))
    for (const appId of [small.id, third, openApp]) expect((await send(newAddress(), appId)).status).toBe(200)
  })
})

test.each([
  ['ada+news@example.com', 'ada@example.com'],
  ['ada+a+b@example.com', 'ada@example.com'],
  ['+ada@example.com', '+ada@example.com'],
  ['a.da@example.com', 'a.da@example.com'],
  ['a.d.a+x@gmail.com', 'ada@gmail.com'],
  ['ada@googlemail.com', 'ada@gmail.com'],
  ['a.da@gmail.com.example', 'a.da@gmail.com.example'],
])('mail to %s ends in %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox)
})

describe.each(stores)('a guesser on $name', (store) => {
  let world: World
  const unlimited = 1_000_000
  beforeAll(async () => {
    const sends = { sendsPerAddressHour: unlimited, sendsPerAddressDay: unlimited, sendsPerIpHour: unlimited }
    world = await startWorld(store, { limits: { ...sends, sendsPerIpMinute: unlimited } })
  })
  afterAll(() => world?.stop())
  const enter = (client: Client, email: string, code: string) =>
    client.post('passwordless/authenticate', { email, code })
  const send = (client: Client, email: string) => client.post('passwordless/init', { email })

  test('over 50 network addresses gets at most 100 guesses judged in 30 days, and the owner comes in from where they have been before', async () => {
    const clients = Array.from({ length: 50 }, () => new Client(world))
    const email = newAddress()
    const [home, away] = [new Client(world), new Client(world)]
    expect((await home.login(email)).status).toBe(200)
    const judged = async () => {
      const rows = await world.backend.database.select().from(codeAddresses)
      return rows.find(({ appId, address }) => appId !== '' && address === email)?.failed.length ?? 0
    }
    let code: string | undefined
    async function guess(from: number, to: number, every: number) {
      for (let at = from; at < to; at++) {
        const client = clients[at % clients.length] as Client
        if ((await client.post('passwordless/init', { email })).status === 200) code = client.lastCode(email)
        await client.post('passwordless/authenticate', { email, code: otherCode(code ?? '000000') })
        world.clock.pass(every)
      }
    }
    // Fast enough for a pause, then too slow for one, then now and again for the rest of the month.
    await guess(0, 36, minutes(5))
    await guess(36, 120, minutes(10))
    await guess(120, 148, hours(24))
    const evaluated = await judged()
    console.log(`guesses at one address in 30 days on ${store.name}: ${evaluated} evaluated`)
    expect(evaluated).toBe(80)
    const told = world.mailbox.messages().filter(({ to, subject }) => to === email && /paused/.test(subject))
    expect(told.length).toBeLessThanOrEqual(30)
    const refused = await send(away, email)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 3_600]).toEqual([429, true])
    expect((await home.login(email)).status).toBe(200)
    // What is left is for the owner's own mistakes.
    for (let at = 0; at < 24; at++) {
      world.clock.pass(minutes(1))
      if ((await send(home, email)).status === 200) code = home.lastCode(email)
      await enter(home, email, otherCode(code ?? '000000'))
      if (at % 8 === 7) world.clock.pass(minutes(2))
    }
    expect(await judged()).toBeLessThanOrEqual(100)
    world.clock.pass(days(30))
    expect((await away.login(email)).status).toBe(200)
  })

  test('learns nothing about who has an account: the bytes are the same, and how long they take is printed', async () => {
    const known = newAddress()
    await new Client(world).login(known)
    const client = new Client(world)
    const times = { known: [] as number[], unknown: [] as number[] }
    const seen = new Set<string>()
    for (let round = 0; round < 100; round++) {
      for (const who of ['known', 'unknown'] as const) {
        const email = who === 'known' ? known : newAddress()
        const begun = performance.now()
        const { status, text, headers } = await client.post('passwordless/init', { email })
        times[who].push(performance.now() - begun)
        seen.add(JSON.stringify([status, text, [...headers]]))
      }
      world.clock.pass(minutes(1))
    }
    expect([...seen]).toHaveLength(1)
    const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
    const difference = Math.abs(median(times.known) - median(times.unknown))
    console.log(`enumeration on ${store.name}: medians differ by ${difference.toFixed(2)} ms`)
  })
})
