import {
  type FrameCalls,
  type frameEvents,
  type RecoveryData,
  type RecoveryMethod,
  recoveryMethods,
} from '../../protocol/frame/calls.ts'
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

/** What the vault gets to show that somebody has the present method. */
export function presentData(
  secret: RecoverySecret | undefined,
): Pick<FrameCalls[typeof frameEvents.setRecovery]['data'], 'presentPassword' | 'presentAccessToken'> {
  if (!secret || secret.method === 'automatic') return {}
  if (secret.method === 'password') return { presentPassword: secret.password }
  return { presentAccessToken: secret.accessToken }
}

/** Our name of a recovery method that the server named; `undefined` for one that this version can't do. */
export const ownMethodOf = (name: string | undefined): RecoverySecret['method'] | undefined =>
  (Object.keys(names) as RecoverySecret['method'][]).find((method) => names[method] === name)

/** The drive of a recovery method that the server named, if it has one. */
export function driveOf(name: string | undefined): 'google-drive' | 'icloud' | undefined {
  const method = ownMethodOf(name)
  return method === 'google-drive' || method === 'icloud' ? method : undefined
}
