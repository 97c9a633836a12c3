import type { Hono } from 'hono'
import * as v from 'valibot'
import { Refusal } from '../domain/refusal.ts'
import type { ServerEnv, Services } from './context.ts'
import { loginRoute, mode } from './proofs.ts'
import { limitStarts } from './start.ts'

/** Login with a token of the app's own, wire 2.9. */
export function customJwtRoutes(api: Hono<ServerEnv>, services: Services): void {
  api.post(
    '/api/v1/custom_jwt_account/authenticate',
    loginRoute(services, {
      body: v.object({ token: v.nullish(v.string()), mode }),
      method: 'custom',
      async prove(call) {
        const { app, body } = call
        if (!body.token) throw new Refusal('invalid_data', 'Invalid or missing: token')
        await limitStarts(services, call, 'custom')
        return services.customLogin.prove(app, body.token)
      },
    }),
  )
}
