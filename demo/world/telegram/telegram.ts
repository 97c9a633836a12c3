import { Hono } from 'hono'
import * as v from 'valibot'
import { authPage, authPolicy, clientPage, clientPolicy } from './pages.ts'
import { personNamed, signWebApp, signWidget } from './sign.ts'

export { personNamed, signWebApp, signWidget } from './sign.ts'

const name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64))
const signBody = v.object({ bot_id: v.string(), name })
const startBody = v.object({ name })

/** Pages of this machine: what the real bot's owner registers as the bot's domain. */
const isOurs = (address: string | undefined) =>
  URL.canParse(address ?? '') &&
  /^https?:\/\/(localhost|127\.0\.0\.1|[a-z0-9-]+\.localhost)(:\d+)?$/.test(new URL(address ?? '').origin)

/**
 * Telegram, as far as a login needs it: the page of the login widget, which answers by a message or by going back, and
 * a client that starts mini apps. The bot's token signs for real.
 * @param options.base where it is mounted, such as `http://localhost:4805/telegram`
 * @param options.vaultBot a second bot, whose domain is the one origin that is given
 */
export function createTelegram({
  base,
  botToken,
  botId,
  vaultBot,
  now = Date.now,
}: {
  base: string
  botToken: string
  botId: string
  vaultBot?: { botId: string; botToken: string; origin: string } | undefined
  now?: () => number
}) {
  const tokenOf = (id: string | undefined) =>
    id === botId ? botToken : id === vaultBot?.botId ? vaultBot?.botToken : undefined
  const app = new Hono()
  app.get('/auth', (c) => {
    const { bot_id, origin, return_to = origin } = c.req.query()
    if (tokenOf(bot_id) === undefined) return c.text('Bot not found', 404)
    const home = isOurs(origin) && isOurs(return_to) && new URL(return_to ?? '').origin === origin
    if (!home || (bot_id === vaultBot?.botId && origin !== vaultBot?.origin))
      return c.text('Bot domain invalid', 400)
    return c.html(authPage, 200, { 'content-security-policy': authPolicy })
  })
  app.post('/auth/sign', async (c) => {
    const body = v.safeParse(signBody, await c.req.json().catch(() => undefined))
    const token = body.success ? tokenOf(body.output.bot_id) : undefined
    if (!body.success || token === undefined) return c.json({ error: 'Bad request' }, 400)
    return c.json(signWidget(token, personNamed(body.output.name), now()))
  })
  app.get('/client', (c) => c.html(clientPage, 200, { 'content-security-policy': clientPolicy }))
  app.post('/client/start', async (c) => {
    const body = v.safeParse(startBody, await c.req.json().catch(() => undefined))
    if (!body.success) return c.json({ error: 'Bad request' }, 400)
    const more = { query_id: `AA${now().toString(36)}`, chat_type: 'private' }
    return c.json({ data: signWebApp(botToken, personNamed(body.output.name), now(), more) })
  })
  /** Where the client that starts mini apps is. */
  const clientUrl = (page: string) => `${base}/client?${new URLSearchParams({ page })}`
  return { app, clientUrl }
}
