import type { Hono } from 'hono'
import * as v from 'valibot'
import type { ServerEnv, Services } from './context.ts'
import { loginRoute } from './proofs.ts'
import { limitStarts, refuseUnlisted } from './start.ts'

const body = v.pipe(
  v.strictObject({ guest_credential: v.pipe(v.string(), v.length(43)) }),
  v.transform(({ guest_credential }) => ({
    credential: guest_credential,
    mode: 'login-or-sign-up' as const,
  })),
)

/** Guest accounts, wire 2.9. */
export function guestRoutes(api: Hono<ServerEnv>, services: Services): void {
  api.post(
    '/api/v1/guest/authenticate',
    loginRoute(services, {
      body,
      method: 'guest',
      async prove(call) {
        await limitStarts(services, call, 'guest')
        refuseUnlisted(call.app)
        return services.guest.prove(call.body.credential)
      },
    }),
  )
}
