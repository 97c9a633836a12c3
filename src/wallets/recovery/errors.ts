import type { CopyKey, PlainKey } from '../../copy/copy.ts'
import type { KitError } from '../../errors/kit-error.ts'
import { judge, type Table, type Verdict, type Words } from '../../errors/verdict.ts'

/** What a person reads under the field of their recovery password. */
const password = {
  invalid_recovery_pin: inline('error.password.wrong'),
  invalid_request_arguments: inline('error.password.wrong'),
  too_many_requests: inline('error.password.tooMany'),
  otherwise: inline('error.password.other'),
} as const satisfies Table

function inline<Key>(key: Key) {
  return { show: 'inline', words: { key } } as const
}

export const recoveryPasswordVerdict = (error: KitError): Verdict => judge(password, error)

/**
 * What a person reads when their drive could not be used. Worth another try, because they may have chosen
 * another account than the one that holds the backup.
 * @param provider the drive's name
 */
export function driveVerdict(
  purpose: keyof typeof driveTitles,
  provider: string,
): (error: KitError) => DriveFailure {
  const about = (key: CopyKey): Words => ({ key, values: { provider } })
  const title = about(driveTitles[purpose])
  return ({ code }) => {
    if (code === 'disallowed_recovery_method')
      return { title, detail: { key: 'error.recovery.disallowed' }, retryable: false }
    if (code === 'popup_closed' || code === 'popup_timeout' || code === 'recovery_oauth_error')
      return { title, detail: about('error.drive.declined'), retryable: true }
    const key = unreachable.get(code)
    if (key) return { title, detail: { key }, retryable: true }
    return { title, detail: about('error.drive.account'), retryable: true }
  }
}
const driveTitles = {
  recover: 'error.drive.recover',
  'back-up': 'error.drive.backUp',
  present: 'error.drive.present',
} as const
/** Failures in which the drive had no part. */
const unreachable: ReadonlyMap<string, PlainKey> = new Map([
  ['network_unavailable', 'error.network.detail'],
  ['vault_unavailable', 'error.wallet.blocked'],
  ['vault_timeout', 'error.wallet.unreachable'],
  ['vault_crashed', 'error.wallet.unreachable'],
] as const)
export interface DriveFailure {
  readonly title: Words
  readonly detail: Words
  readonly retryable: boolean
}
