import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterEach, describe, expect, test } from 'vitest'
import { createBackend } from '../../../demo/backend/server.ts'
import { type AppSettings, readApps } from '../../../demo/backend/settings/app.ts'
import { Client } from '../support/client.ts'
import { apiUrl, newAddress, site, startWorld, stores, vaultOrigin, type World } from '../support/world.ts'

const id = 'latchkey-test-names-00001'
const own: AppSettings = { id, name: 'Named', allowedDomains: [site] }
const protocols: AppSettings = { ...own, identity: { issuer: 'privy.io', userIdPrefix: 'did:privy:' } }

describe.each(stores)('the name in which an app’s tokens are issued on $name', (store) => {
  let world: World
  afterEach(() => world?.stop())

  /** What somebody’s own backend finds out about a token with a standard library, from the published keys alone. */
  const verified = async (client: Client, token: string, issuer: string) => {
    const keys = createLocalJWKSet((await client.get(`apps/${id}/jwks.json`)).body)
    const check = { typ: 'JWT', issuer, audience: id, currentDate: new Date(world.clock.now) }
    return (await jwtVerify(token, keys, check)).payload
  }
  /** The same server, started again with the app set up differently. */
  async function startAgain(app: AppSettings) {
    await world.backend.close()
    const { dataDir, databaseUrl, mailbox, clock } = world
    const backend = await createBackend({
      dataDir,
      ...(databaseUrl && { databaseUrl }),
      apiUrl,
      vaultOrigin,
      apps: [app],
      smtpUrl: mailbox.smtp.url,
      vaultFiles: dataDir,
      clock: () => clock.now,
    })
    async function stop() {
      await backend.close()
      await world.cleanUp()
    }
    world = { ...world, backend, stop }
  }

  test('is the server’s own address, and user ids carry its own prefix, unless the app says otherwise', async () => {
    world = await startWorld(store, { moreApps: [own] })
    const client = new Client(world, { appId: id })
    const { body } = await client.login(newAddress())
    expect(body.user.id).toMatch(/^did:latchkey:c[a-z0-9]{24}$/)
    expect((await verified(client, body.token, apiUrl)).sub).toBe(body.user.id)
    await expect(verified(client, body.token, 'privy.io')).rejects.toThrow('"iss"')
  })

  test('can be the one that unmodified backends of the protocol expect', async () => {
    world = await startWorld(store, { moreApps: [protocols] })
    const client = new Client(world, { appId: id })
    const { body } = await client.login(newAddress())
    expect(body.user.id).toMatch(/^did:privy:c[a-z0-9]{24}$/)
    expect((await verified(client, body.token, 'privy.io')).sub).toBe(body.user.id)
    await expect(verified(client, body.token, apiUrl)).rejects.toThrow('"iss"')
  })

  test.each([
    ['from the protocol’s to the server’s own', protocols, own, 'did:privy:', apiUrl],
    ['back', own, protocols, 'did:latchkey:', 'privy.io'],
  ])(
    'may change %s: nobody is logged out, and nobody’s id changes',
    async (_way, first, then, prefix, issuer) => {
      world = await startWorld(store, { moreApps: [first] })
      const email = newAddress()
      const before = new Client(world, { appId: id })
      const { body: old } = await before.login(email)
      expect(old.user.id.startsWith(prefix)).toBe(true)

      await startAgain(then)
      const after = new Client(world, { appId: id })
      for (const name of ['token', 'privy_access_token']) {
        const mine = await after.get('users/me', { authorization: `Bearer ${old[name]}` })
        expect([name, mine.status, mine.body.user?.id]).toEqual([name, 200, old.user.id])
      }
      const { body } = await after.login(email)
      expect(body.user.id).toBe(old.user.id)
      expect((await verified(after, body.token, issuer)).sub).toBe(old.user.id)
    },
  )
})

test('a prefix of user ids that is none is refused by name', () => {
  for (const userIdPrefix of ['', 'latchkey', 'did:latchkey', 'did:a:b', 'did:Ä:'])
    expect(() => readApps([{ ...own, identity: { userIdPrefix } }])).toThrow('identity.userIdPrefix')
})
