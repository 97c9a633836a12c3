import { createHash, timingSafeEqual } from 'node:crypto'
import type { CoreServices, ServerContext } from '../http/services.ts'
import { Refusal } from '../lib/refusal.ts'
import type { App } from '../settings/app.ts'
import { countEvent } from '../store/rate-limits.ts'

/** Who calls as an operator of an app. */
export interface Admin {
  app: App
  /** The name of the key. */
  name: string
}

const hour = 3_600_000
const unauthorised = () =>
  new Refusal('missing_or_invalid_token', 'The app id or its admin key is missing or not valid.')

/** @returns the app and the key of `Authorization: Basic <app id>:<key>` */
function readBasic(c: ServerContext): { appId: string; key: string } | undefined {
  const encoded = /^Basic ([\w+/=]{1,1024})$/i.exec(c.req.header('authorization') ?? '')?.[1]
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8')
  const at = text.indexOf(':')
  return at < 1 ? undefined : { appId: text.slice(0, at), key: text.slice(at + 1) }
}

/**
 * Who calls with a key of an app. A browser never does: a key in a page is everybody's.
 * @throws Refusal `invalid_origin`, `missing_or_invalid_token`, `too_many_requests` after too many wrong ones
 */
export async function requireAdmin(services: CoreServices, c: ServerContext): Promise<Admin> {
  if (c.req.header('origin') !== undefined)
    throw new Refusal('invalid_origin', 'The admin API is not for pages.')
  const given = readBasic(c)
  const app = given && services.apps.find(given.appId)
  const hash = createHash('sha256')
    .update(given?.key ?? '')
    .digest()
  const key = app?.adminKeys.find(({ sha256 }) => timingSafeEqual(Buffer.from(sha256, 'hex'), hash))
  if (app && key) return { app, name: key.name }
  const ip = services.clientIp(c)
  const window = { most: services.limits.adminFailuresPerHour, span: hour }
  if (ip !== undefined) await countEvent(services.database, `admin ${ip}`, services.clock(), hour, [window])
  throw unauthorised()
}
