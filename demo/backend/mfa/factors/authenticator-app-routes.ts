import type { Hono } from 'hono'
import * as v from 'valibot'
import { shownName } from '../../accounts/user.ts'
import type { ServerEnv } from '../../http/services.ts'
import { postAsUser } from '../../sessions/post-as-user.ts'
import type { SessionServices } from '../../sessions/services.ts'
import { createAuthenticatorApp } from './authenticator-app.ts'
import {
  addition,
  anyKey,
  change,
  code,
  type FactorChanges,
  nothing,
  purpose,
  requireOffered,
} from './factor-changes.ts'

/** Codes of an authenticator app: added, verified, removed. */
export function authenticatorAppRoutes(
  api: Hono<ServerEnv>,
  services: SessionServices,
  { load, statement, enrol, unenrol, verified }: FactorChanges,
): void {
  const authenticator = createAuthenticatorApp(services)

  api.post(
    '/api/v1/mfa/totp/init',
    postAsUser(services, {
      ...addition,
      body: nothing,
      async handle({ app, bearer }) {
        requireOffered(app, 'totp')
        const label = shownName(await load(app, bearer.userId)) ?? app.name
        const { secret, url } = await authenticator.begin(bearer.userId, { issuer: app.name, label })
        return { body: { totpSecret: secret, totpAuthUrl: url } }
      },
    }),
  )
  api.post(
    '/api/v1/mfa/totp/enroll',
    postAsUser(services, {
      ...addition,
      statement: (call) => statement(call, { action: 'add', factor: 'totp', subject: '' }),
      body: v.strictObject({ code }),
      async handle(call) {
        requireOffered(call.app, 'totp')
        return enrol(call, 'totp', authenticator.confirm(call.bearer.userId, call.body.code))
      },
    }),
  )
  api.post(
    '/api/v1/mfa/totp/verify',
    postAsUser(services, {
      ...anyKey,
      body: v.strictObject({ code, purpose }),
      async handle(call) {
        const judge = authenticator.judge(call.bearer.userId, call.body.code)
        return verified(call, 'totp', judge)
      },
    }),
  )
  api.post(
    '/api/v1/mfa/totp/unenroll',
    postAsUser(services, {
      ...change,
      statement: (call) => statement(call, { action: 'remove', factor: 'totp', subject: '' }),
      body: nothing,
      handle: (call) => unenrol(call, 'totp', (tx) => authenticator.remove(tx, call.bearer.userId)),
    }),
  )
}
