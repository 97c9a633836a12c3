import type { AppSettings } from '../../../demo/backend/settings/demo-apps.ts'
import { personNamed, signWebApp, signWidget } from '../../../demo/world/telegram/sign.ts'
import { Client } from './client.ts'
import type { World } from './world.ts'

export const botToken = '123456789:TEST-TOKEN-not-a-real-bot-token'
const telegram = { botId: '123456789', botName: 'latchkey_bot', botToken, link: true, seamless: true }
const common: Pick<AppSettings, 'allowedDomains' | 'methods'> = {
  allowedDomains: ['http://localhost:*'],
  methods: ['email', 'telegram', 'guest'],
}

export const telegramApp = 'latchkey-test-telegram-01'
/** An app with a bot of its own. */
export const otherBotApp = 'latchkey-test-telegram-02'
/** Neither linking nor mini apps. */
export const plainBotApp = 'latchkey-test-telegram-03'
/** The method is on, but nobody has entered a bot. */
export const noBotApp = 'latchkey-test-telegram-04'
/** For people on a list, which names addresses. */
export const listedApp = 'latchkey-test-telegram-05'
export const telegramApps: AppSettings[] = [
  { ...common, id: listedApp, name: 'By invitation', telegram, allowlist: { emails: ['ada@example.com'] } },
  { ...common, id: telegramApp, name: 'With a bot', telegram },
  { ...common, id: otherBotApp, name: 'Another bot', telegram: { ...telegram, botToken: '2:other' } },
  { ...common, id: plainBotApp, name: 'Plain', telegram: { ...telegram, link: false, seamless: false } },
  { ...common, id: noBotApp, name: 'No bot' },
]

/** What a request sends of a mini app: its fields, with the time as a number. */
export function webAppFields(data: string): Record<string, string | number> {
  const fields = Object.fromEntries(new URLSearchParams(data))
  return { ...fields, auth_date: Number(fields.auth_date) }
}

/** What Telegram signs for somebody, now by the backend's clock. */
export const widgetOf = (world: World, name: string, at = world.clock.now) => ({
  telegram_auth_result: signWidget(botToken, personNamed(name), at),
})
export const webAppOf = (world: World, name: string, at = world.clock.now) => ({
  telegram_web_app_data: webAppFields(
    signWebApp(botToken, personNamed(name), at, { query_id: 'AAE', chat_type: 'private' }),
  ),
})
export const telegramClient = (world: World, appId = telegramApp) => new Client(world, { appId })
