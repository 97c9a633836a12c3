import { createHash } from 'node:crypto'

/** Somebody who has an account at a provider: entering the name logs in as that person. */
export interface Person {
  /** What was typed, in lower case. */
  login: string
  username: string
  name: string
  email: string
  emailVerified: boolean
  /** The provider's own id, made of digits. */
  id: string
  picture: string
}

/**
 * The person behind a typed name or e-mail address. Some names have a meaning, so that each way a login can go is
 * within reach: `unverified…`, {@link isSuspended}, {@link isRateLimited}, {@link keepsDrive} and {@link isFull}.
 * @param provider the same name is somebody else at each provider
 */
export function personOf(provider: string, login: string): Person {
  const [username = ''] = login.split('@')
  const digest = createHash('sha256').update(`${provider} ${login}`).digest()
  return {
    login,
    username,
    name: username.replace(/[._+-]+/g, ' ').replace(/(^| )\p{Ll}/gu, (letter) => letter.toUpperCase()),
    email: login.includes('@') ? login : `${login}@example.com`,
    emailVerified: !username.startsWith('unverified'),
    id: String(digest.readUIntBE(0, 6)),
    picture: `https://${provider}.example/pictures/${digest.toString('hex').slice(0, 12)}.png`,
  }
}

export const isSuspended = (login: string) => login.startsWith('suspended')
export const isRateLimited = (login: string) => login.startsWith('ratelimited')
/** Unticks the app's access to the drive, and still signs in. */
export const keepsDrive = (login: string) => login.startsWith('nodrive')
/** Has no room left in the drive. */
export const isFull = (login: string) => login.startsWith('full')

/** A typed name as the provider knows it; `undefined` for what can't be one. */
export function readLogin(text: unknown): string | undefined {
  const login = typeof text === 'string' ? text.trim().toLowerCase() : ''
  return /^[a-z0-9][a-z0-9._+-]{0,63}(@[a-z0-9-]+(\.[a-z0-9-]+)+)?$/.test(login) ? login : undefined
}
