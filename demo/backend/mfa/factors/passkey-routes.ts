import type { Hono } from 'hono'
import * as v from 'valibot'
import { soleAccount, unlinkAccount } from '../../accounts/account-rows.ts'
import type { ServerEnv } from '../../http/services.ts'
import { Refusal } from '../../lib/refusal.ts'
import { credentialId, relyingParty, verifyResponse } from '../../passkeys/bodies.ts'
import { type Page, pageOf } from '../../passkeys/page.ts'
import { postAsUser } from '../../sessions/post-as-user.ts'
import type { SessionServices } from '../../sessions/services.ts'
import { methodsOf } from '../methods.ts'
import { anyKey, change, type FactorChanges, purpose, requireOffered } from './factor-changes.ts'
import { createPasskeyFactors } from './passkeys.ts'

/** Passkeys of the person's: which of them are factors, verified, and taken away altogether. */
export function passkeyRoutes(
  api: Hono<ServerEnv>,
  services: SessionServices,
  { userReply, note, tell, statement, proofOfEnrolment, removed, verified }: FactorChanges,
): void {
  const { database, limits } = services
  const passkeys = createPasskeyFactors(services)

  api.post(
    '/api/v1/mfa/passkeys/init',
    postAsUser(services, {
      whileFrozen: true,
      body: v.strictObject({ relying_party: relyingParty }),
      async handle({ c, app, bearer, body }) {
        const page = pageOf(app, body.relying_party, c.req.header('origin'))
        const { challenge, allowed } = await passkeys.begin(app, page, bearer)
        const options = {
          challenge,
          rp_id: page.rpId,
          timeout: limits.passkeyTimeout,
          allow_credentials: allowed.map((each) => ({ ...each, type: 'public-key' })),
          user_verification: 'required',
        }
        return { body: { options } }
      },
    }),
  )
  api.post(
    '/api/v1/mfa/passkeys/verify',
    postAsUser(services, {
      ...anyKey,
      body: v.strictObject({ authenticator_response: verifyResponse, relying_party: relyingParty, purpose }),
      async handle(call) {
        const { app, bearer, body } = call
        const named: Page | undefined =
          body.relying_party == null ? undefined : pageOf(app, body.relying_party, undefined)
        const judge = await passkeys.judge(app, bearer, named, body.authenticator_response)
        return verified(call, 'passkey', judge)
      },
    }),
  )
  api.post(
    '/api/v1/mfa/passkeys/enrollment',
    postAsUser(services, {
      fromVault: true,
      statement: (call) =>
        statement(call, { action: 'set', factor: 'passkey', subject: call.body.credential_ids.join(',') }),
      // The whole list comes: one that has all that there are takes nothing away.
      mfa: async ({ bearer, body }) =>
        (await passkeys.leavesOut(bearer.userId, body.credential_ids)) ? 'factors' : 'adding',
      body: v.strictObject({
        credential_ids: v.pipe(v.array(credentialId), v.maxLength(100)),
        remove_for_login: v.nullish(v.boolean(), true),
      }),
      async handle(call) {
        const { app, bearer, body } = call
        if (body.credential_ids.length > 0) requireOffered(app, 'passkey')
        const { added, isLeft, token } = await database.transaction(async (tx) => {
          const hadNone = (await methodsOf(tx, bearer.userId)).length === 0
          const changed = await passkeys.set(tx, app, bearer.userId, body.credential_ids)
          if (changed.removed.length > 0 && call.guardedFor !== 'factors')
            throw new Refusal('resource_conflict', 'Another passkey has become a second factor meanwhile.')
          if (changed.added.length > 0) await note(tx, call, 'factor-added', { factor: 'passkey' })
          if (changed.removed.length > 0) await removed(tx, call, 'passkey')
          // The last way in stays: giving a factor up is not leaving.
          if (body.remove_for_login)
            for (const subject of changed.removed)
              if (await unlinkAccount(tx, app, bearer.userId, { type: 'passkey', subject }, false))
                await note(tx, call, 'account-unlinked', { type: 'passkey', subject })
          const added = changed.added.length > 0
          return {
            added,
            isLeft: changed.removed.length > 0,
            // With a factor before, this is no proof of one: the passkey itself was not shown.
            token: added && hadNone ? await proofOfEnrolment(tx, call, 'passkey') : undefined,
          }
        })
        if (added) tell(call, { what: 'factor-added', factor: 'passkey' })
        if (isLeft) tell(call, { what: 'factor-removed', factor: 'passkey' })
        return { body: token === undefined ? {} : { token } }
      },
    }),
  )

  /**
   * Takes a passkey away altogether, second factor or not; the last way in only where `even_if_sole` says that they were warned and
   * want that.
   */
  api.post(
    '/api/v1/mfa/passkeys/unlink',
    postAsUser(services, {
      ...change,
      statement: (call) =>
        statement(call, { action: 'unlink', factor: 'passkey', subject: call.body.credential_id }),
      body: v.strictObject({
        credential_id: credentialId,
        remove_as_mfa: v.nullish(v.boolean(), true),
        even_if_sole: v.nullish(v.boolean(), false),
      }),
      async handle(call) {
        const { app, bearer, body } = call
        const account = { type: 'passkey', subject: body.credential_id } as const
        const wasFactor = await database.transaction(async (tx) => {
          const isFactor =
            body.remove_as_mfa && (await passkeys.drop(tx, app, bearer.userId, account.subject))
          if (isFactor) await removed(tx, call, 'passkey')
          if (!(await unlinkAccount(tx, app, bearer.userId, account, body.even_if_sole))) throw soleAccount()
          await note(tx, call, 'account-unlinked', account)
          return isFactor
        })
        if (wasFactor) tell(call, { what: 'factor-removed', factor: 'passkey' })
        return userReply(call)
      },
    }),
  )
}
