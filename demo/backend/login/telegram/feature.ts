import { readFile } from 'node:fs/promises'
import type { Hono } from 'hono'
import * as v from 'valibot'
import type { Feature } from '../../http/definition.ts'
import type { ServerEnv } from '../../http/services.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { App } from '../../settings/app.ts'
import { linkRoute, loginRoute, mode, transferRoute, unlinkRoute } from '../routes.ts'
import type { LoginServices } from '../services.ts'
import { beforeStart, refuseUnlisted } from '../start.ts'
import {
  createTelegramLogin,
  requireTelegramLink,
  type TelegramData,
  type TelegramLogin,
  webAppData,
  widgetResult,
} from './login.ts'

const data = { telegram_auth_result: v.nullish(widgetResult), telegram_web_app_data: v.nullish(webAppData) }
const captcha = { captcha_token: v.nullish(v.string()) }

/** Login with Telegram. */
export const telegramFeature: Feature<LoginServices> = {
  start(services) {
    const telegram = createTelegramLogin(services)
    return {
      publicRoutes: (api) => telegramScript(api, services),
      routes: (api) => telegramRoutes(api, services, telegram),
    }
  },
}

function telegramRoutes(api: Hono<ServerEnv>, services: LoginServices, telegram: TelegramLogin): void {
  const { limits } = services

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
        requireTelegramLink(app)
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

/** The script that opens Telegram's page: the same for everybody, so any page may load and keep it. */
function telegramScript(api: Hono<ServerEnv>, { outside }: LoginServices): void {
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
