import type { MiddlewareHandler } from 'hono'
import { Refusal } from '../domain/refusal.ts'
import type { ServerEnv, Services } from './context.ts'
import { checkOrigin } from './origins.ts'

/** Finds the app that a call is for, and checks that the caller may speak for it. Wire 1.3. */
export function requireApp(services: Services): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const app = services.apps.find(c.req.header('privy-app-id') ?? '')
    if (!app) throw new Refusal('missing_or_invalid_privy_app_id', 'The app id is missing or unknown.')
    const clientId = c.req.header('privy-client-id')
    if (clientId && !app.clientIds.includes(clientId))
      throw new Refusal('missing_or_invalid_privy_client_id', 'The client id is unknown.')
    const native = c.req.header('x-native-app-identifier')
    if (native && !app.allowedNativeAppIds.includes(native))
      throw new Refusal('invalid_native_app_id', 'This native app may not use this app id.')
    checkOrigin(c, app, services)
    c.set('app', app)
    await next()
  }
}
