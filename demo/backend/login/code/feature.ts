import { isNull, lt, or } from 'drizzle-orm'
import { createCodes } from '../../codes/codes.ts'
import { createSmsGateway } from '../../codes/sms-gateway.ts'
import { codeAddresses } from '../../codes/tables.ts'
import type { Feature } from '../../http/definition.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import type { LoginServices } from '../services.ts'
import { createEmailLogin } from './email-login.ts'
import { emailRoutes } from './email-routes.ts'
import { createSmsLogin } from './sms-login.ts'
import { smsRoutes } from './sms-routes.ts'

const month = 30 * 24 * 3_600_000

/** Login with a code that is sent by e-mail or SMS. */
export const codeFeature: Feature<LoginServices> = {
  tables: [codeAddresses],
  async sweep(database, _, now) {
    const { touchedAt, lockedUntil } = codeAddresses
    await deleteInBatches(database, touchedAt, now - month, or(isNull(lockedUntil), lt(lockedUntil, now)))
  },
  start(services) {
    const { mailer, outside, limits, log } = services
    const codes = createCodes(services)
    const emailLogin = createEmailLogin({ codes, mailer, limits })
    const smsLogin = createSmsLogin({ codes, limits, sms: createSmsGateway(outside.sms, limits, log) })
    return {
      routes(api) {
        emailRoutes(api, services, emailLogin)
        smsRoutes(api, services, smsLogin)
      },
    }
  },
}
