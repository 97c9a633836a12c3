import type { MiddlewareHandler } from 'hono'
import { Refusal } from '../lib/refusal.ts'
import type { App, Apps } from '../settings/app.ts'
import { checkOrigin } from './origins.ts'
import type { CoreServices, ServerEnv } from './services.ts'

/** @throws Refusal `missing_or_invalid_privy_app_id` */
export function requireKnownApp(apps: Apps, id: string): App {
  const app = apps.find(id)
  if (!app) throw new Refusal('missing_or_invalid_privy_app_id', 'The app id is missing or unknown.')
  return app
}

/** Finds the app that a call is for, and checks that the caller may speak for it. */
export function requireApp(services: CoreServices): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const app = requireKnownApp(services.apps, c.req.header('privy-app-id') ?? '')
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
