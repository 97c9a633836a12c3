import type { FailureOf } from '../../../mfa/calls.ts'
import { VaultError } from '../../errors.ts'
import { PasskeyRefused } from '../connection.ts'

/** Why something of a factor has failed, as far as a person is told. Without a connection, or a login, nothing can go on. */
export const failureOf: FailureOf = (cause) => {
  if (cause instanceof PasskeyRefused) return cause.why === 'declined' ? 'declined' : 'other'
  if (!(cause instanceof VaultError)) return undefined
  switch (cause.type) {
    case 'missing_or_invalid_mfa':
      return 'wrong'
    case 'mfa_verification_max_attempts_reached':
      return 'max-attempts'
    case 'mfa_timeout':
      return 'timeout'
    case 'twilio_verification_failed':
      return 'unsent'
    case 'error':
      if (cause.remedy === 'connect') return 'network'
      if (cause.remedy === 'wait') return 'too-many'
      return cause.remedy === 'login' ? undefined : 'other'
    default:
      return undefined
  }
}
