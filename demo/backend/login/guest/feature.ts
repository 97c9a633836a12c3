import type { Hono } from 'hono'
import * as v from 'valibot'
import type { Feature } from '../../http/definition.ts'
import type { ServerEnv } from '../../http/services.ts'
import { loginRoute } from '../routes.ts'
import type { LoginServices } from '../services.ts'
import { limitStarts, refuseUnlisted } from '../start.ts'
import { createGuestLogin, type GuestLogin } from './login.ts'

const body = v.pipe(
  v.strictObject({ guest_credential: v.pipe(v.string(), v.length(43)) }),
  v.transform(({ guest_credential }) => ({
    credential: guest_credential,
    mode: 'login-or-sign-up' as const,
  })),
)

/** Accounts of people who have not said who they are. */
export const guestFeature: Feature<LoginServices> = {
  start(services) {
    const login = createGuestLogin(services)
    return { routes: (api) => guestRoutes(api, services, login) }
  },
}

function guestRoutes(api: Hono<ServerEnv>, services: LoginServices, login: GuestLogin): void {
  api.post(
    '/api/v1/guest/authenticate',
    loginRoute(services, {
      body,
      method: 'guest',
      async prove(call) {
        await limitStarts(services, call, 'guest')
        refuseUnlisted(call.app)
        return login.prove(call.body.credential)
      },
    }),
  )
}
