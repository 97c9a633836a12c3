import type { SessionServices } from '../sessions/services.ts'
import type { AccountService } from './accounts.ts'

/** What features work with that know people's accounts. */
export interface AccountServices extends SessionServices {
  accounts: AccountService
}
