import { type RecoveryData, type RecoveryMethod, recoveryMethods } from '../../protocol/frame/calls.ts'
import type { RecoverySecret } from '../embedded/embedded-wallets.ts'

const names = {
  automatic: recoveryMethods.automatic,
  password: recoveryMethods.password,
  'google-drive': recoveryMethods.googleDrive,
  icloud: recoveryMethods.icloud,
} as const satisfies Record<RecoverySecret['method'], RecoveryMethod>

/** A recovery method by its name on the wire. */
export const methodOf = (method: RecoverySecret['method']): RecoveryMethod => names[method]

/** What the vault gets for a recovery method. */
export function recoveryData(secret: RecoverySecret): RecoveryData {
  if (secret.method === 'automatic') return {}
  if (secret.method === 'password') return { recoveryPassword: secret.password }
  return { recoveryAccessToken: secret.accessToken }
}

/** Our name of a recovery method that the server named; `undefined` for one that this version can't do. */
export const ownMethodOf = (name: string | undefined): RecoverySecret['method'] | undefined =>
  (Object.keys(names) as RecoverySecret['method'][]).find((method) => names[method] === name)
