import type { Hono } from 'hono'
import * as v from 'valibot'
import { noteOwn } from '../../audit/audit.ts'
import { readQuery } from '../../http/body.ts'
import type { Feature } from '../../http/definition.ts'
import { notKept } from '../../http/post.ts'
import { requireKnownApp } from '../../http/require-app.ts'
import type { ServerContext, ServerEnv } from '../../http/services.ts'
import { Refusal } from '../../lib/refusal.ts'
import { toSeconds } from '../../lib/time.ts'
import { requireBearer } from '../../sessions/bearer.ts'
import { connectedAppsOf, disconnectApp } from '../../sessions/connected-apps.ts'
import { postAsUser } from '../../sessions/post-as-user.ts'
import { countEvent } from '../../store/rate-limits.ts'
import { withParameters } from '../return-address.ts'
import type { LoginServices } from '../services.ts'
import { oauthCallbackUrl } from './callback.ts'
import { connectionsOf, connects, createCrossApp } from './cross-app.ts'
import { ANSWER_PATH, answerPage, REQUEST_PATH, redirectHeaders, refusedPage } from './request-pages.ts'
import { type CrossAppRequests, createCrossAppRequests, type ShownRequest } from './requests.ts'

/**
 * The side of the app at which people of others log in, and whose wallets others ask: which apps are connected, and what the page of the
 * app that asks its user answers. The requester's side of a login is login with OAuth.
 */
export const crossAppFeature: Feature<LoginServices> = {
  start(services) {
    const requests = createCrossAppRequests(services)
    return {
      publicRoutes: (api) => requestPages(api, services, requests),
      routes(api) {
        crossAppRoutes(api, services)
        requestRoutes(api, services, requests)
        connectedAppRoutes(api, services)
      },
    }
  },
}

/** Pages of windows that other apps open. They know no app: the token says whose user is asked, and by which app. */
function requestPages(api: Hono<ServerEnv>, services: LoginServices, requests: CrossAppRequests): void {
  const limited = async (c: ServerContext) => {
    const ip = services.clientIp(c)
    const { startsPerIpMinute, startsPerIpHour } = services.limits
    if (ip === undefined) return
    await countEvent(services.database, `cross-app request ${ip}`, services.clock(), HOUR, [
      { most: startsPerIpMinute, span: HOUR / 60 },
      { most: startsPerIpHour, span: HOUR },
    ])
  }
  const show = (c: ServerContext, { html, headers }: typeof refusedPage, status: 200 | 400 = 200) =>
    c.html(html, status, headers)

  api.get(REQUEST_PATH, async (c) => {
    await limited(c)
    const query = readQuery(c)
    const opened = await requests.open(query.get('token') ?? '', query.get('request') ?? '')
    if (!opened) return show(c, refusedPage, 400)
    if (!('page' in opened)) return show(c, answerPage(opened))
    for (const [name, value] of Object.entries(redirectHeaders)) c.header(name, value)
    return c.redirect(opened.page, 303)
  })
  api.get(ANSWER_PATH, async (c) => {
    await limited(c)
    const answer = await requests.collect(readQuery(c).get('code') ?? '')
    return answer ? show(c, answerPage(answer)) : show(c, refusedPage, 400)
  })
}
const HOUR = 3_600_000

const requestId = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))
/** A request by its id, and the app that the page has named to the user. */
const namedRequest = { request_id: requestId, requester_app_id: v.nullish(v.string()) }

function requestRoutes(api: Hono<ServerEnv>, services: LoginServices, requests: CrossAppRequests): void {
  const { apiOrigin } = services
  const named = (body: { request_id: string; requester_app_id?: string | null | undefined }) => ({
    id: body.request_id,
    requester: body.requester_app_id ?? undefined,
  })

  api.post(
    '/oauth/transact/review',
    postAsUser(services, {
      body: v.object(namedRequest),
      actor: notKept,
      handle: async ({ body, ...who }) => ({ body: requestView(await requests.read(who, named(body))) }),
    }),
  )
  // The vault shows who asks, and for what, as this server has it, and nothing that a page says of it.
  api.post(
    '/api/v1/embedded_wallets/cross_app_requests/review',
    postAsUser(services, {
      fromVault: true,
      body: v.object({ request_id: requestId }),
      actor: notKept,
      handle: async ({ body, ...who }) => ({ body: requestView(await requests.read(who, named(body))) }),
    }),
  )
  api.post(
    '/oauth/transact/answer',
    postAsUser(services, {
      body: v.object({
        ...namedRequest,
        result: v.nullish(v.string()),
        error: v.nullish(v.picklist(['rejected', 'failed'])),
        disconnect: v.nullish(v.boolean()),
      }),
      async handle({ body, ...who }) {
        const { result, error, disconnect } = body
        if ((result == null) === (error == null))
          throw new Refusal('invalid_data', 'Invalid or missing: result')
        const outcome = result != null ? { result } : { error: error ?? 'failed' }
        const code = await requests.close(who, named(body), { outcome, disconnect: disconnect ?? false })
        return { body: { url: withParameters(apiOrigin + ANSWER_PATH, { code }) } }
      },
    }),
  )
}

const requestView = ({ requester, call, expiresAt }: ShownRequest) => ({
  requester: {
    id: requester.id,
    name: requester.name,
    icon_url: requester.iconUrl,
    origin: requester.origin,
  },
  method: call.method,
  params: call.params,
  expires_at: expiresAt,
})

/** For the user's page: reading and disconnecting take no approval, since neither gives anything away. */
function connectedAppRoutes(api: Hono<ServerEnv>, services: LoginServices): void {
  const { database, apps, clock } = services

  api.get('/api/v1/connected_apps', async (c) => {
    const { userId } = await requireBearer(c, services)
    const app = c.get('app')
    const rows = await connectedAppsOf(database, { appId: app.id, userId })
    const { crossApp } = app
    const access = crossApp?.transactUrl && !crossApp.readOnly ? 'requests' : 'accounts'
    return c.json({
      connected_apps: rows
        .filter(({ requester }) => connects(app, requester))
        .map(({ requester, connectedAt, lastUsedAt, tokensUntil }) => ({
          id: requester,
          name: apps.find(requester)?.name ?? requester,
          icon_url: apps.find(requester)?.iconUrl ?? null,
          access,
          connected_at: toSeconds(connectedAt),
          last_used_at: toSeconds(lastUsedAt),
          expires_at: tokensUntil === null || tokensUntil <= clock() ? null : toSeconds(tokensUntil),
        })),
    })
  })
  api.post(
    '/api/v1/connected_apps/:id/disconnect',
    postAsUser(services, {
      whileFrozen: true,
      // Each call ends what there is by then.
      actor: notKept,
      body: v.strictObject({}),
      async handle({ c, app, bearer, place }) {
        const requester = c.req.param('id') ?? ''
        await database.transaction(async (tx) => {
          const { userId } = bearer
          if (!(await disconnectApp(tx, { appId: app.id, userId }, requester))) return
          const actor = { app, userId, place }
          await noteOwn(tx, actor, 'cross-app-disconnected', clock(), { app: requester })
        })
        return { body: {} }
      },
    }),
  )
}

function crossAppRoutes(api: Hono<ServerEnv>, services: LoginServices): void {
  const { apps, apiOrigin } = services
  const crossApp = createCrossApp({ ...services, callbackUrl: oauthCallbackUrl(apiOrigin) })

  api.get('/api/v1/apps/:appId/cross-app/connections', (c) => {
    const connections = connectionsOf(apps, requireKnownApp(apps, c.req.param('appId'))).map((app) => ({
      provider_app_id: app.id,
      provider_app_name: app.name,
      provider_app_icon_url: app.iconUrl,
      // All apps of this backend are served by itself.
      provider_app_custom_api_url: null,
      read_only: app.crossApp?.readOnly ?? false,
    }))
    return c.json({ connections })
  })

  api.get('/api/v1/apps/:appId/cross-app/details', (c) => {
    const { name, iconUrl } = requireKnownApp(apps, c.req.param('appId'))
    return c.json({ name, icon_url: iconUrl })
  })

  api.post(
    '/oauth/authorization_code',
    postAsUser(services, {
      body: v.object({
        redirect_to: v.string(),
        state: v.string(),
        code_challenge: v.string(),
        /** Whom the page has named to the user. */
        requester_app_id: v.nullish(v.string()),
      }),
      async handle({ body, ...call }) {
        const url = await crossApp.allow(call, {
          redirectTo: body.redirect_to,
          state: body.state,
          challenge: body.code_challenge,
          requester: body.requester_app_id ?? undefined,
        })
        return { body: { url } }
      },
    }),
  )
}
