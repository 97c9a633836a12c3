import { type MfaAsked, VaultError } from '../errors.ts'

/** What the person gave to be verified is wrong, or they have to give something. */
export const wrongMfa = (mfa: MfaAsked, cause?: unknown): VaultError =>
  new VaultError('missing_or_invalid_mfa', 'Invalid MFA code', { mfa, cause })
