import { type RecoveryData, type RecoveryMethod, recoveryMethods } from '../../wire/frame/calls.ts'
import type { RecoverySecret } from './embedded-wallets.ts'

const names = {
  automatic: recoveryMethods.automatic,
  password: recoveryMethods.password,
  'google-drive': recoveryMethods.googleDrive,
  icloud: recoveryMethods.icloud,
} as const satisfies Record<RecoverySecret['method'], RecoveryMethod>

/** A way of recovery as the wire names it. */
export const methodOf = (method: RecoverySecret['method']): RecoveryMethod => names[method]

/** What the vault is given for a way of recovery. Wire 7.5. */
export function recoveryData(secret: RecoverySecret): RecoveryData {
  if (secret.method === 'automatic') return {}
  if (secret.method === 'password') return { recoveryPassword: secret.password }
  return { recoveryAccessToken: secret.accessToken }
}

/** Our name of a way of recovery that the server named; `undefined` for one that this version can't do. */
export const ownMethodOf = (name: string | undefined): RecoverySecret['method'] | undefined =>
  (Object.keys(names) as RecoverySecret['method'][]).find((method) => names[method] === name)
