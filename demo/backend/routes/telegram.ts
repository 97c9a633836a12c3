import { readFile } from 'node:fs/promises'
import type { Hono } from 'hono'
import * as v from 'valibot'
import type { App } from '../domain/app-settings.ts'
import { Refusal } from '../domain/refusal.ts'
import { type TelegramData, webAppData, widgetResult } from '../domain/telegram.ts'
import type { ServerEnv, Services } from './context.ts'
import { linkRoute, loginRoute, mode, transferRoute, unlinkRoute } from './proofs.ts'
import { beforeStart, refuseUnlisted } from './start.ts'

const data = { telegram_auth_result: v.nullish(widgetResult), telegram_web_app_data: v.nullish(webAppData) }
const captcha = { captcha_token: v.nullish(v.string()) }

/** Login with Telegram, wire 2.8. */
export function telegramRoutes(api: Hono<ServerEnv>, services: Services): void {
  const { telegram, limits } = services

  api.post(
    '/api/v1/telegram/authenticate',
    loginRoute(services, {
      body: v.object({ ...data, ...captcha, mode }),
      method: 'telegram',
      async prove(call) {
        const { app, body } = call
        await beforeStart(services, call, 'telegram', body.captcha_token)
        checkSeamless(app, body)
        refuseUnlisted(app)
        return telegram.proveOnce(app, body)
      },
    }),
  )
  api.post(
    '/api/v1/telegram/link',
    linkRoute(services, {
      body: v.object({ ...data, ...captcha, mode }),
      method: 'telegram',
      async prove({ app, body }) {
        if (!app.telegram?.link)
          throw new Refusal('feature_not_enabled', 'Telegram accounts cannot be linked in this app.')
        return telegram.proveOnce(app, body)
      },
    }),
  )
  api.post(
    '/api/v1/telegram/transfer',
    transferRoute(services, {
      body: v.object({ nonce: v.string(), ...data }),
      // The very data with which the offer was earned: they are used up as a login, and the nonce is what counts.
      account: async ({ app, body }) => telegram.read(app, body, limits.transferLife),
    }),
  )
  api.post(
    '/api/v1/telegram/unlink',
    unlinkRoute(services, {
      body: v.object({ telegram_user_id: v.string() }),
      account: async ({ body }) => ({ type: 'telegram', subject: body.telegram_user_id }),
    }),
  )
}

/** An app says whether being inside Telegram is enough to be logged in. */
function checkSeamless(app: App, { telegram_web_app_data }: TelegramData): void {
  if (telegram_web_app_data && !app.telegram?.seamless)
    throw new Refusal('disallowed_login_method', 'Login with Telegram not allowed.')
}

/** The script that opens Telegram's page, wire 6.3: the same for everybody, so any page may load and keep it. */
export function telegramScript(api: Hono<ServerEnv>, { outside }: Services): void {
  const source = new URL('./telegram-login.js', import.meta.url)
  let script: Promise<string> | undefined
  api.get('/js/telegram-login.js', async (c) => {
    script ??= readFile(source, 'utf8').then((text) =>
      text.replace("'https://oauth.telegram.org'", () => JSON.stringify(outside.telegramUrl)),
    )
    return c.body(await script, 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
    })
  })
}
