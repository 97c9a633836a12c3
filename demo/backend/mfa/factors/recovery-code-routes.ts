import type { Hono } from 'hono'
import * as v from 'valibot'
import type { ServerEnv } from '../../http/services.ts'
import { Refusal } from '../../lib/refusal.ts'
import { postAsUser } from '../../sessions/post-as-user.ts'
import type { SessionServices } from '../../sessions/services.ts'
import { methodsOf } from '../methods.ts'
import { addition, anyKey, type FactorChanges, nothing, purpose } from './factor-changes.ts'
import { createRecoveryCodes } from './recovery-codes.ts'
import type { Judge } from './verification.ts'

const recoveryCode = v.pipe(v.string(), v.trim(), v.regex(/^[0-9a-z]{5}[\s-]?[0-9a-z]{5}$/i))

/** Recovery codes: made anew, and shown in the place of a factor. */
export function recoveryCodeRoutes(
  api: Hono<ServerEnv>,
  services: SessionServices,
  { note, tell, statement, verified }: FactorChanges,
): void {
  const { database } = services
  const recoveryCodes = createRecoveryCodes(services)

  api.post(
    '/api/v1/mfa/recovery_codes/generate',
    postAsUser(services, {
      ...addition,
      statement: (call) => statement(call, { action: 'renew', factor: 'recovery-codes', subject: '' }),
      body: nothing,
      async handle(call) {
        const { userId } = call.bearer
        const codes = await services.idempotency.commit(async (tx) => {
          if ((await methodsOf(tx, userId)).length === 0)
            throw new Refusal('missing_mfa_enrollment', 'There is no second factor to stand in for.')
          await note(tx, call, 'recovery-codes-made')
          return recoveryCodes.make(tx, userId)
        })
        tell(call, { what: 'recovery-codes' })
        return { body: { codes } }
      },
    }),
  )
  api.post(
    '/api/v1/mfa/recovery_codes/verify',
    postAsUser(services, {
      ...anyKey,
      body: v.strictObject({ code: recoveryCode, purpose }),
      async handle(call) {
        const { bearer, body } = call
        const judge: Judge = async (tx) => {
          if (!(await recoveryCodes.judge(bearer.userId, body.code)(tx))) return false
          await note(tx, call, 'recovery-code-used')
          return true
        }
        const reply = await verified(call, 'recovery-code', judge)
        const left = await recoveryCodes.left(database, bearer.userId)
        tell(call, { what: 'recovery-code-used', left })
        return reply
      },
    }),
  )
}
