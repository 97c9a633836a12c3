import { createHmac, timingSafeEqual } from 'node:crypto'
import { parsePlain } from '../../../src/lib/plain.ts'
import { BadWebhook, type RampContext } from './provider.ts'

/** HMAC-SHA256. */
export const hmac = (key: string, text: string | Uint8Array, encoding: 'hex' | 'base64') =>
  createHmac('sha256', key).update(text).digest(encoding)

/** @throws BadWebhook unless the two are equal; how long that takes tells nothing of where they differ */
export function assertSignature(expected: string, given: string): void {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  if (one.length !== other.length || !timingSafeEqual(one, other)) throw new BadWebhook('signature')
}

/** The fields of a signature header, each of which is there once. @throws BadWebhook for other fields, or one twice */
export function readFields(header: string | null, names: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {}
  if (header === null || header.length > 1_024) throw new BadWebhook('missing')
  for (const part of header.split(',')) {
    const at = part.indexOf('=')
    const name = part.slice(0, at).trim()
    if (at < 1 || !names.includes(name) || Object.hasOwn(fields, name)) throw new BadWebhook('header')
    fields[name] = part.slice(at + 1).trim()
  }
  return fields
}

/** @param seconds as the header has them. @throws BadWebhook for a time that is too long ago, or ahead of the clocks' difference */
export function assertAge(seconds: string | undefined, { limits, now }: RampContext): void {
  if (seconds === undefined || !/^\d{10}$/.test(seconds)) throw new BadWebhook('time')
  const age = now() - Number(seconds) * 1_000
  // The header has whole seconds.
  if (age > limits.webhookAge || age < -limits.clockSkew - 1_000) throw new BadWebhook('age')
}

/** The JSON of a genuine body. @throws BadWebhook for what isn't JSON, or has keys that readers drop */
export function readJsonBody(body: Uint8Array): unknown {
  const plain = parsePlain(Buffer.from(body).toString('utf8'), body.length)
  if (plain === undefined) throw new BadWebhook('json')
  return plain
}
