import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoApps } from '../../../../demo/backend/settings/demo-apps.ts'
import { Client } from '../../support/client.ts'
import { minutes, startWorld, stores, type World } from '../../support/world.ts'

const appIds = demoApps
  .filter(
    ({ methods, captcha, allowlist }) => (!methods || methods.includes('email')) && !captcha && !allowlist,
  )
  .map(({ id }) => id)

describe.each(stores)('codes for one mailbox, on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store)
  })
  afterAll(() => world?.stop())

  let names = 0
  const newName = () => `ada${++names}`
  const init = (appId: string, email: string) =>
    new Client(world, { appId }).post('passwordless/init', { email })

  test('all apps of a server together send one code to a mailbox in 30 s', async () => {
    const email = `${newName()}@example.com`
    const answers = await Promise.all(appIds.map((appId) => init(appId, email)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(appIds.length - 1)
    expect(world.mailbox.messages().filter(({ to }) => to === email)).toHaveLength(1)
  })

  test.each([
    ['ada.x', ['gmail.com', 'googlemail.com']],
    ['ada', ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me']],
    ['ada', ['icloud.com', 'me.com', 'mac.com']],
    ['ada', ['yandex.com', 'yandex.ru', 'yandex.by', 'yandex.kz', 'ya.ru']],
    ['ada', ['example.com', 'EXAMPLE.com']],
  ])('aliases of a domain are one mailbox: %s at %j', async (prefix, domains) => {
    const name = `${prefix}${newName()}`
    const [first = '', ...others] = domains.map((domain) => `${name}@${domain}`)
    const [appId = ''] = appIds
    expect((await init(appId, first)).status).toBe(200)
    for (const [at, email] of others.entries())
      expect((await init(appIds[at % appIds.length] ?? '', email)).status, email).toBe(429)
    expect((await init(appId, first.replace('@', '+tag@'))).status).toBe(429)
    expect((await init(appId, `x${first}`)).status).toBe(200)
  })

  test('a code that was used makes room for another app at once', async () => {
    const email = `${newName()}@example.com`
    const [one = '', other = ''] = appIds
    expect((await new Client(world, { appId: one }).login(email)).status).toBe(200)
    expect((await init(other, email)).status).toBe(200)
  })

  test('five unused codes in an hour are all that a mailbox gets, from whichever apps', async () => {
    const email = `${newName()}@example.com`
    let sent = 0
    for (let at = 0; at < 12; at++) {
      if ((await init(appIds[at % appIds.length] ?? '', email)).status === 200) sent++
      world.clock.pass(minutes(1))
    }
    expect(sent).toBe(5)
  })
})
