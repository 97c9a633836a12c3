import type { Hono } from 'hono'
import * as v from 'valibot'
import { storeEvent } from '../domain/analytics.ts'
import type { ServerEnv, Services } from './context.ts'
import { post } from './post.ts'

const eventBody = v.object({
  event_name: v.pipe(v.string(), v.maxLength(255)),
  client_id: v.nullish(v.pipe(v.string(), v.maxLength(255)), null),
  payload: v.nullish(v.record(v.string(), v.unknown()), {}),
})

/** What clients tell about their use, wire 2.14. */
export function analyticsRoutes(api: Hono<ServerEnv>, services: Services): void {
  api.post(
    '/api/v1/analytics_events',
    post(services, {
      body: eventBody,
      // Sent once whatever happens, so there is nothing to keep.
      actor: async () => undefined,
      async handle({ app, body: { event_name: name, client_id: clientId, payload } }) {
        await storeEvent(services.database, { appId: app.id, name, clientId, payload }, services.clock())
        return { body: null }
      },
    }),
  )
}
