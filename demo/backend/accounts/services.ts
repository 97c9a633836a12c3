import type { SessionServices } from '../sessions/services.ts'
import type { AccountService } from './accounts.ts'
import type { AccountChanges } from './changes/changes.ts'

/** What features work with that know people's accounts. */
export interface AccountServices extends SessionServices {
  accounts: AccountService
  /** Changes that wait for an enrolled device. */
  changes: AccountChanges
}
