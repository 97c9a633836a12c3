import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from '../support/client.ts'
import { Vault } from '../support/embedded-world.ts'
import { newAddress, startWorld, stores, vaultOrigin, type World } from '../support/world.ts'

const lures = [
  'Your account is locked. Unlock it at evil.example/1.0',
  // A parser of browsers takes what stands before the version for a name.
  'Your account is locked. Unlock it at evil.example/1.0 (now)',
  'Your account is locked. Unlock it at evil.example/1.0 now',
  'Mozilla/5.0 (Your account is locked. Unlock it at https://evil.example) Chrome/1.0',
  'https://evil.example',
  'evil.example/1.0 Chrome/120',
  'Chrome (call +1 555 0100)/1.0',
  'Your wallet/2.0 (is empty; see evil.example) Safari/1',
  '<a href="https://evil.example">Chrome</a>/1',
  'Call\u202e support/1.0',
  `${'evil.example '.repeat(200)}/1`,
  'generic/1 (X11; Linux x86_64) evil.example/3',
]

describe.each(stores)('the name of a browser in mails, on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store)
  })
  afterAll(() => world?.stop())

  test.each(lures)('text of a caller is in no mail and in no list of sessions: %j', async (userAgent) => {
    const email = newAddress()
    const headers = { 'user-agent': Buffer.from(userAgent).toString('latin1') }
    const client = new Client(world, { headers })
    const { body } = await client.login(email)
    const mail = world.mailbox.messages().find(({ to }) => to === email)
    expect(JSON.stringify(mail)).not.toMatch(/evil|support|locked|555 0100|wallet\/|Call/)
    const listed = await client.get('users/me/sessions', { authorization: `Bearer ${body.token}` })
    expect(listed.body.sessions[0].name).toMatch(
      /^(An unknown device|A browser on [\w ]+|[\w -]+ on [\w ]+)$/,
    )
    expect(listed.body.sessions[0].name).not.toMatch(/evil|support|locked|555/)
  })

  test.each(lures)(
    'text of a caller is in no mail that the vault has sent, without a login: %j',
    async (userAgent) => {
      const email = newAddress()
      const headers = { 'user-agent': Buffer.from(userAgent).toString('latin1') }
      const vault = new Vault(world, { origin: vaultOrigin, headers })
      expect((await vault.post('passwordless/init', { email })).status).toBe(200)
      const mail = world.mailbox.messages().find(({ to }) => to === email)
      expect(JSON.stringify(mail)).toContain('use your wallets there')
      expect(JSON.stringify(mail)).not.toMatch(/evil|support|locked|555 0100|wallet\/|Call/)
    },
  )

  test('a known browser and system are named', async () => {
    const headers = {
      'user-agent':
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
    }
    const client = new Client(world, { headers })
    const { body } = await client.login(newAddress())
    const listed = await client.get('users/me/sessions', { authorization: `Bearer ${body.token}` })
    expect(listed.body.sessions[0].name).toBe('Chrome on Windows')
  })
})
