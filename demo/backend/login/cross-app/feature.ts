import type { Hono } from 'hono'
import * as v from 'valibot'
import type { Feature } from '../../http/definition.ts'
import { requireKnownApp } from '../../http/require-app.ts'
import type { ServerEnv } from '../../http/services.ts'
import { postAsUser } from '../../sessions/post-as-user.ts'
import type { LoginServices } from '../services.ts'
import { oauthCallbackUrl } from './callback.ts'
import { connectionsOf, createCrossApp } from './cross-app.ts'

/**
 * The side of the app at which people of others log in: which apps are connected, and the page of the app that asks its
 * user tells the answer here. The requester's side is login with OAuth.
 */
export const crossAppFeature: Feature<LoginServices> = {
  start: (services) => ({ routes: (api) => crossAppRoutes(api, services) }),
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
