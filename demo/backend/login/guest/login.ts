import type { Prove } from '../../accounts/accounts.ts'
import { Refusal } from '../../lib/refusal.ts'
import { keyedHash, type Secrets } from '../../secrets/secrets.ts'

export interface GuestLogin {
  /** Logs in with a guest credential: text of 32 bytes, stored only as a keyed hash. @throws Refusal */
  prove(credential: string): Prove
}

/** Accounts of people who have not said who they are. */
export function createGuestLogin(deps: { secrets: Secrets }): GuestLogin {
  return {
    prove(credential) {
      const bytes = Buffer.from(credential, 'base64url')
      // Two texts for the same bytes would be two guests.
      if (bytes.length !== 32 || bytes.toString('base64url') !== credential)
        throw new Refusal('invalid_data', 'Invalid or missing: guest_credential')
      const subject = keyedHash(deps.secrets, 'guest', credential).toString('base64url')
      return async () => ({ type: 'guest', subject, details: {} })
    },
  }
}
