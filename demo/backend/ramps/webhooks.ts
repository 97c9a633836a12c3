import type { Hono } from 'hono'
import { readBody } from '../http/body.ts'
import type { ServerEnv } from '../http/services.ts'
import { Refusal } from '../lib/refusal.ts'
import type { FundingContext } from './context.ts'
import { BadWebhook } from './provider.ts'
import { rampsOf } from './ramps.ts'

/** No webhook of a provider is larger. */
const MOST_BYTES = 65_536

/**
 * Where providers say what became of a purchase. Nobody is asked on the way: the signature is the proof, and the answer takes one
 * transaction, where providers wait for five seconds.
 */
export function webhookRoutes(api: Hono<ServerEnv>, { services, purchases, cx }: FundingContext): void {
  const { apps, log } = services
  api.post('/api/v1/funding/webhooks/:provider/:app', async (c) => {
    const app = apps.find(c.req.param('app'))
    const ramp = app && rampsOf(app).find(({ id }) => id === c.req.param('provider'))
    if (!app || !ramp) throw new Refusal('feature_not_enabled', 'There is no such webhook.', { status: 404 })
    if (Number(c.req.header('content-length') ?? 0) > MOST_BYTES) throw tooLarge()
    const body = await readBody(c)
    if (body.length > MOST_BYTES) throw tooLarge()
    try {
      const seen = ramp.verifyWebhook({ headers: c.req.raw.headers, body }, cx)
      if (seen) await purchases.receive({ appId: app.id, provider: ramp.id, body }, seen)
    } catch (cause) {
      if (!(cause instanceof BadWebhook)) throw cause
      log(`Webhook of ${ramp.id} for app=${app.id} refused: ${cause.message}`)
      throw new Refusal('invalid_request', 'The signature is missing, wrong or too old.', { status: 401 })
    }
    return c.json(null)
  })
}

const tooLarge = () => new Refusal('invalid_request', 'The request is too large.', { status: 413 })
