import { createHash, createHmac } from 'node:crypto'

/** Somebody who uses Telegram. */
export interface Person {
  id: number
  first_name: string
  last_name?: string
  username?: string
}

/** A person by name: the same name is the same person. */
export function personNamed(name: string): Person {
  const [first = 'Somebody', ...rest] = name.trim().split(/\s+/)
  const username = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  return {
    id: createHash('sha256').update(name.trim().toLowerCase()).digest().readUIntBE(0, 5) + 1,
    first_name: first,
    ...(rest.length > 0 && { last_name: rest.join(' ') }),
    ...(username && { username }),
  }
}

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1_000)
const sign = (secret: Buffer, fields: object) =>
  createHmac('sha256', secret)
    .update(
      Object.entries(fields)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, value]) => `${key}=${value}`)
        .join('\n'),
    )
    .digest('hex')

/** What the login widget gives. https://core.telegram.org/widgets/login */
export function signWidget(botToken: string, person: Person, now: number) {
  const fields = { ...person, auth_date: seconds(now) }
  return { ...fields, hash: sign(createHash('sha256').update(botToken).digest(), fields) }
}

/** What a mini app is started with, in the fragment. https://core.telegram.org/bots/webapps */
export function signWebApp(botToken: string, person: Person, now: number, more: Record<string, string> = {}) {
  const user = JSON.stringify({ ...person, language_code: 'en', allows_write_to_pm: true })
  const fields = { ...more, user, auth_date: String(seconds(now)) }
  const secret = createHmac('sha256', 'WebAppData').update(botToken).digest()
  return new URLSearchParams({ ...fields, hash: sign(secret, fields) }).toString()
}
