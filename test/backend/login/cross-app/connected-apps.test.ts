import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { audit } from '../../../../demo/backend/audit/tables.ts'
import { sweep } from '../../../../demo/backend/features.ts'
import { connectedApps } from '../../../../demo/backend/sessions/tables.ts'
import { defaultLimits } from '../../../../demo/backend/settings/limits.ts'
import { limit } from '../../../support/limit.ts'
import { Client } from '../../support/client.ts'
import {
  apps,
  asking,
  crossAppWorld,
  friend,
  type Owner,
  readOnly,
  second,
} from '../../support/cross-app-world.ts'
import { OAuthClient } from '../../support/oauth-world.ts'
import {
  days,
  hours,
  minutes,
  newAddress,
  site,
  startWorld,
  stores,
  type World,
} from '../../support/world.ts'

for (const store of stores) {
  describe(`connected apps on ${store.name}`, () => {
    let world: World
    beforeAll(async () => {
      const limits = { startsPerIpMinute: 10_000, startsPerIpHour: 10_000 }
      world = await startWorld(store, { apps, limits })
    }, limit(60_000))
    afterAll(() => world?.stop())
    beforeEach(() => world.clock.pass(1_000))
    const { owner, tokenFor, call, open, opened, answer, messageOf } = crossAppWorld(() => world)

    const listed = async ({ page }: Owner) => (await page.get('connected_apps')).body.connected_apps
    const disconnect = ({ page }: Owner, id: string) => page.post(`connected_apps/${id}/disconnect`, {})
    const isOver = async (who: Owner, token = who.token) =>
      messageOf((await open(who, { token })).text).message

    test('connected apps: each is listed with its access, its last use and the end of its token', async () => {
      const who = await owner()
      const since = Math.floor(world.clock.now / 1_000)
      const [first, ...others] = await listed(who)
      expect([first, others]).toEqual([
        {
          id: asking,
          name: 'Asking & Co',
          icon_url: 'https://asking.example/icon.png',
          access: 'requests',
          connected_at: expect.any(Number),
          last_used_at: expect.any(Number),
          expires_at: expect.any(Number),
        },
        [],
      ])
      expect(first.expires_at).toBeGreaterThan(since + hours(1) / 1_000 - 10)
      world.clock.pass(minutes(5))
      await opened(who)
      const [used] = await listed(who)
      expect(used.last_used_at).toBe(Math.floor(world.clock.now / 1_000))
      expect([used.connected_at, used.expires_at]).toEqual([first.connected_at, first.expires_at])
      world.clock.pass(hours(1))
      const { refreshToken } = who.vault
      const { body } = await who.page.post('sessions', { refresh_token: refreshToken })
      who.page.token = body.token
      who.vault.token = body.token
      expect(await listed(who)).toMatchObject([{ id: asking, expires_at: null }])
      // The one that was used last comes first.
      world.clock.pass(minutes(1))
      await tokenFor(who.vault, second)
      expect((await listed(who)).map(({ id }: { id: string }) => id)).toEqual([second, asking])
    })

    test('connected apps: a read-only provider gives no access to wallets', async () => {
      expect(await listed(await owner(readOnly))).toMatchObject([{ id: asking, access: 'accounts' }])
    })

    test('connected apps: a rejected request leaves the app connected, and a user without any has none', async () => {
      const who = await owner()
      await answer(who.page, await opened(who), { error: 'rejected' })
      expect(await listed(who)).toHaveLength(1)
      const nobody = new Client(world, { appId: friend })
      await nobody.login(newAddress())
      expect((await nobody.get('connected_apps')).body).toEqual({ connected_apps: [] })
    })

    test('disconnect: every token of the app is over with the next request, and another app’s is not', async () => {
      const who = await owner()
      const tokens = [who.token, await tokenFor(who.vault, asking)]
      const other = await tokenFor(who.vault, second)
      expect((await disconnect(who, asking)).status).toBe(200)
      for (const token of tokens)
        expect(await isOver(who, token)).toEqual({
          type: 'PRIVY_CROSS_APP_ACTION_ERROR',
          error: 'Transactions require a valid token',
          token: { action: 'clear' },
        })
      const secondPage = { token: other, callbackUrl: 'https://second.example' }
      expect((await open(who, secondPage)).status).toBe(303)
      expect((await listed(who)).map(({ id }: { id: string }) => id)).toEqual([second])
      // Once more, and for an app that never was connected, there is nothing to end.
      expect((await disconnect(who, asking)).status).toBe(200)
      expect((await disconnect(who, 'unknown')).status).toBe(200)
      const { database } = world.backend
      const log = await database
        .select({ action: audit.action, details: audit.details })
        .from(audit)
        .where(eq(audit.userId, who.vault.userId))
      expect(log.filter(({ action }) => action === 'cross-app-disconnected')).toEqual([
        { action: 'cross-app-disconnected', details: { app: asking } },
      ])
    })

    test('disconnect: a later login of the user connects the app anew, and revives no earlier token', async () => {
      const who = await owner()
      await disconnect(who, asking)
      const fresh = await tokenFor(who.vault, asking)
      expect((await open(who, { token: fresh })).status).toBe(303)
      expect(await isOver(who)).toMatchObject({ token: { action: 'clear' } })
    })

    test('disconnect: holds also after the clock was set back', async () => {
      const who = await owner()
      await disconnect(who, asking)
      world.clock.pass(-minutes(10))
      try {
        expect(await isOver(who)).toMatchObject({ token: { action: 'clear' } })
      } finally {
        world.clock.pass(minutes(10))
      }
    })

    test('disconnect: an open request is over, for the page and for the vault', async () => {
      const who = await owner()
      const id = await opened(who)
      await disconnect(who, asking)
      const inVault = await who.vault.post('embedded_wallets/cross_app_requests/review', { request_id: id })
      for (const { body } of [
        inVault,
        await call(who.page, 'transact/review', { request_id: id }),
        await answer(who.page, id),
      ])
        expect(body.code).toBe('cross_app_request_over')
    })

    test('disconnect: a login that the user allowed before gives the app no token after', async () => {
      const who = await owner()
      const client = new OAuthClient(world, { appId: asking, origin: site })
      const provider = `privy:${friend}`
      const begun = await client.begin(provider)
      const query = new URL(begun.url).searchParams
      const grant = {
        redirect_to: query.get('redirect_uri'),
        state: query.get('state'),
        code_challenge: query.get('code_challenge'),
      }
      const allow = () => call(who.page, 'authorization_code', grant)
      await who.vault.approved(allow())
      const { url } = (await allow()).body
      await disconnect(who, asking)
      const back = await client.comeBack({ method: 'GET', url, fields: new URL(url).searchParams })
      const login = await client.authenticate(begun, back, { provider })
      expect(login.status).not.toBe(200)
      expect(await listed(who)).toEqual([])
    })

    test('disconnect: only the user’s own, and not without a login', async () => {
      const [who, other] = [await owner(), await owner()]
      await disconnect(other, asking)
      expect(await listed(who)).toHaveLength(1)
      expect((await open(who)).status).toBe(303)
      const nobody = new Client(world, { appId: friend })
      expect((await nobody.get('connected_apps')).status).toBe(401)
      expect((await nobody.post(`connected_apps/${asking}/disconnect`, {})).status).toBe(401)
    })

    test('disconnect: of ten at once with ten requests no request that begins later is opened', async () => {
      const who = await owner()
      await Promise.all([
        ...Array.from({ length: 10 }, () => disconnect(who, asking)),
        ...Array.from({ length: 10 }, (_, at) => open(who, { params: [`Hello ${at}`, who.address] })),
      ])
      expect(await isOver(who)).toMatchObject({ token: { action: 'clear' } })
    })

    test('connected apps: one that nobody has used for 90 days is swept, and its row is no token’s any more', async () => {
      const who = await owner()
      const { database } = world.backend
      const count = () => database.$count(connectedApps, eq(connectedApps.userId, who.vault.userId))
      await sweep(database, defaultLimits, world.clock.now + days(89))
      expect(await count()).toBe(1)
      await sweep(database, defaultLimits, world.clock.now + days(91))
      expect(await count()).toBe(0)
      expect(await isOver(who)).toMatchObject({ token: { action: 'clear' } })
    })
  })
}
