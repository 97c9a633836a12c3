import type { Hono } from 'hono'
import * as v from 'valibot'
import type { Feature } from '../../http/definition.ts'
import type { ServerEnv } from '../../http/services.ts'
import { Refusal } from '../../lib/refusal.ts'
import { loginRoute, mode } from '../routes.ts'
import type { LoginServices } from '../services.ts'
import { limitStarts } from '../start.ts'
import { type CustomLogin, createCustomLogin } from './login.ts'

/** Login with a token of the app's own. */
export const customJwtFeature: Feature<LoginServices> = {
  start(services) {
    const login = createCustomLogin(services)
    return { routes: (api) => customJwtRoutes(api, services, login) }
  },
}

function customJwtRoutes(api: Hono<ServerEnv>, services: LoginServices, login: CustomLogin): void {
  api.post(
    '/api/v1/custom_jwt_account/authenticate',
    loginRoute(services, {
      body: v.object({ token: v.nullish(v.string()), mode }),
      method: 'custom',
      async prove(call) {
        const { app, body } = call
        if (!body.token) throw new Refusal('invalid_data', 'Invalid or missing: token')
        await limitStarts(services, call, 'custom')
        return login.prove(app, body.token)
      },
    }),
  )
}
