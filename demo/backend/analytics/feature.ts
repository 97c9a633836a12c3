import type { Hono } from 'hono'
import * as v from 'valibot'
import type { Feature } from '../http/definition.ts'
import { post } from '../http/post.ts'
import type { CoreServices, ServerEnv } from '../http/services.ts'
import { deleteInBatches } from '../store/delete-in-batches.ts'
import { countEvent } from '../store/rate-limits.ts'
import { storeEvent } from './analytics.ts'
import { analyticsEvents } from './tables.ts'

const minute = 60_000

const eventBody = v.object({
  event_name: v.pipe(v.string(), v.maxLength(255)),
  client_id: v.nullish(v.pipe(v.string(), v.maxLength(255)), null),
  payload: v.nullish(v.record(v.string(), v.unknown()), {}),
})

/** What clients report about their use. */
export const analyticsFeature: Feature<CoreServices> = {
  tables: [analyticsEvents],
  async sweep(database, limits, now) {
    await deleteInBatches(database, analyticsEvents.at, now - limits.analyticsLife)
  },
  start: (services) => ({ routes: (api) => analyticsRoutes(api, services) }),
}

function analyticsRoutes(api: Hono<ServerEnv>, services: CoreServices): void {
  api.post(
    '/api/v1/analytics_events',
    post(services, {
      body: eventBody,
      // Never repeated, so there is nothing to keep.
      actor: async () => undefined,
      async handle({ c, app, body: { event_name: name, client_id: clientId, payload } }) {
        const { database, clock, limits, clientIp } = services
        const now = clock()
        const ip = clientIp(c)
        const window = { most: limits.eventsPerIpMinute, span: minute }
        if (ip !== undefined) await countEvent(database, `event ${ip}`, now, minute, [window])
        await storeEvent(database, { appId: app.id, name, clientId, payload }, now)
        return { body: null }
      },
    }),
  )
}
