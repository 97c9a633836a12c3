import { lt } from 'drizzle-orm'
import type { Hono } from 'hono'
import * as v from 'valibot'
import { soleAccount, unlinkAccount } from '../../accounts/accounts.ts'
import { loadUser, shownName, type User } from '../../accounts/user.ts'
import { userView } from '../../accounts/user-view.ts'
import { noteOwn } from '../../audit/audit.ts'
import type { AuditAction } from '../../audit/tables.ts'
import { createCodes } from '../../codes/codes.ts'
import { readPhoneNumber, requireSendable } from '../../codes/phone-number.ts'
import { createSmsGateway } from '../../codes/sms-gateway.ts'
import type { Feature } from '../../http/definition.ts'
import type { Reply } from '../../http/post.ts'
import type { ServerContext, ServerEnv } from '../../http/services.ts'
import { Refusal } from '../../lib/refusal.ts'
import { toSeconds } from '../../lib/time.ts'
import { credentialId, relyingParty, verifyResponse } from '../../passkeys/bodies.ts'
import { type Page, pageOf } from '../../passkeys/page.ts'
import { requireBearer } from '../../sessions/bearer.ts'
import { type AuthorisedCall, type KeyCall, postAsUser } from '../../sessions/post-as-user.ts'
import {
  type MfaMethod,
  type MfaPurpose,
  mfaPurposes,
  type ShownFactor,
} from '../../sessions/second-factor.ts'
import type { SessionServices } from '../../sessions/services.ts'
import type { App } from '../../settings/app.ts'
import type { Transaction } from '../../store/database.ts'
import { hintOf } from '../../users/addresses.ts'
import { createNotices, type Notice } from '../../users/notices.ts'
import { notEnrolled } from '../../wallets/context.ts'
import { issueMfaToken } from '../guard.ts'
import { methodsOf } from '../methods.ts'
import { mfaFactors, mfaPasskeys, mfaRecoveryCodes, mfaTokens } from '../tables.ts'
import { createAuthenticatorApp, totpSecretName } from './authenticator-app.ts'
import { createPasskeyFactors } from './passkeys.ts'
import { createRecoveryCodes } from './recovery-codes.ts'
import { createTextMessages } from './text-messages.ts'
import { createVerification, type Judge, type Trying } from './verification.ts'

const code = v.pipe(v.string(), v.regex(/^\d{6}$/))
const phoneNumber = v.string()
const purpose = v.nullish(v.picklist(mfaPurposes))
const nothing = v.strictObject({})
const recoveryCode = v.pipe(v.string(), v.trim(), v.regex(/^[0-9a-z]{5}[\s-]?[0-9a-z]{5}$/i))

/** Enough for a "too old" instead of an "unknown" as long as somebody may still hold one. */
const TOKENS_KEPT = 24 * 3_600_000

/**
 * Second factors: how people add, show and remove them. All that is not begun on the host's page is for the vault alone.
 * A verification answers a token; the vault sends it along (`latchkey-mfa`) with what the guard asks it for.
 */
export const mfaFeature: Feature<SessionServices> = {
  tables: [mfaFactors, mfaPasskeys, mfaTokens, mfaRecoveryCodes],
  sealedColumns: [
    {
      ...{ table: mfaFactors, field: 'sealedSecret', column: mfaFactors.sealedSecret },
      key: [mfaFactors.userId, mfaFactors.type],
      sealedName: ({ userId = '' }) => totpSecretName(userId),
    },
  ],
  async sweep(database, _, now) {
    await database.delete(mfaTokens).where(lt(mfaTokens.at, now - TOKENS_KEPT))
  },
  start: (services) => ({ routes: (api) => mfaRoutes(api, services) }),
}

function mfaRoutes(api: Hono<ServerEnv>, services: SessionServices): void {
  const { database, limits, outside, log, clock, clientIp, vaultOrigins } = services
  const notices = createNotices(services)
  const verification = createVerification({ ...services, notices })
  const authenticator = createAuthenticatorApp(services)
  const messages = createTextMessages({
    ...{ database, limits, clock },
    codes: createCodes(services),
    sms: createSmsGateway(outside.sms, limits, log),
  })
  const passkeys = createPasskeyFactors(services)
  const recoveryCodes = createRecoveryCodes(services)

  /** @throws Refusal `feature_not_enabled` */
  function requireOffered({ mfaMethods }: App, method: MfaMethod): void {
    if (!mfaMethods.includes(method))
      throw new Refusal('feature_not_enabled', 'This second factor is not enabled for this app.')
  }
  async function load(app: App, userId: string): Promise<User> {
    const user = await loadUser(database, app.id, userId)
    if (!user) throw new Refusal('missing_or_invalid_token', 'This user no longer exists.')
    return user
  }
  const userReply = async ({ app, bearer }: AuthorisedCall<unknown>) => ({
    body: userView(await load(app, bearer.userId)),
  })
  const tryingOf = ({ app, bearer, device }: KeyCall<unknown>): Trying => ({
    ...{ appId: app.id, ...bearer, thumbprint: device.thumbprint, deviceId: device.id },
  })
  function number(app: App, text: string): string {
    const read = readPhoneNumber(text)
    if (!read) throw new Refusal('invalid_data', 'This is not a phone number.', { status: 422 })
    requireSendable(app, read)
    return read.e164
  }
  /** A code is typed where the app has it typed: in a strict one in the vault's own field, whoever had it sent. */
  const asking = (c: ServerContext, { vault }: App) => ({
    ip: clientIp(c),
    origin: vault === 'strict' ? vaultOrigins.at(-1) : c.req.header('origin'),
  })
  const note = (
    tx: Transaction,
    { app, bearer, place }: AuthorisedCall<unknown>,
    action: AuditAction,
    details: Record<string, unknown> = {},
  ) => noteOwn(tx, { app, userId: bearer.userId, place }, action, clock(), details)
  const tell = ({ app, bearer }: AuthorisedCall<unknown>, notice: Notice) =>
    notices.tell({ app, userId: bearer.userId }, notice)

  /** Whoever has just set a factor up need not show it again for what they add next. */
  const proofOfEnrolment = (tx: Transaction, call: KeyCall<unknown>, factor: MfaMethod) =>
    issueMfaToken(tx, tryingOf(call), { factor, purpose: 'enrolment' }, clock())

  /** A verified code makes a factor. */
  async function enrol(
    call: KeyCall<unknown>,
    factor: MfaMethod,
    judge: Judge,
    add: (tx: Transaction) => Promise<void> = async () => {},
  ): Promise<Reply> {
    const token = await verification.tried(call.app, tryingOf(call), judge, async (tx) => {
      await add(tx)
      await note(tx, call, 'factor-added', { factor })
      return proofOfEnrolment(tx, call, factor)
    })
    tell(call, { what: 'factor-added', factor })
    return { body: { ...(await userReply(call)).body, token } }
  }
  /** What stands in for factors goes with the last of them. */
  async function removed(tx: Transaction, call: AuthorisedCall<unknown>, factor: MfaMethod): Promise<void> {
    await note(tx, call, 'factor-removed', { factor })
    if ((await methodsOf(tx, call.bearer.userId)).length === 0)
      await recoveryCodes.remove(tx, call.bearer.userId)
  }
  async function unenrol(
    call: AuthorisedCall<unknown>,
    factor: MfaMethod,
    remove: (tx: Transaction) => Promise<boolean>,
  ): Promise<Reply> {
    const was = await database.transaction(async (tx) => {
      const isGone = await remove(tx)
      if (isGone) await removed(tx, call, factor)
      return isGone
    })
    if (was) tell(call, { what: 'factor-removed', factor })
    return { body: { success: true } }
  }
  async function verified(
    call: KeyCall<{ purpose?: MfaPurpose | null | undefined }>,
    factor: ShownFactor,
    judge: Judge,
  ): Promise<Reply> {
    const purpose = call.body.purpose ?? 'use'
    const token = await verification.token(call.app, tryingOf(call), { factor, purpose }, judge)
    return { body: { token } }
  }
  /** Verified on any key of the vault: what enrols a browser is shown before it is the person's. */
  const anyKey = { fromVault: true, device: 'any' } as const
  /** Who has a factor shows one before anything about factors changes. */
  const change = { fromVault: true, mfa: 'factors' } as const
  /** The same where nothing is taken away. */
  const addition = { fromVault: true, mfa: 'adding' } as const

  api.get('/api/v1/mfa', async (c) => {
    const { userId } = await requireBearer(c, services)
    const phone = await messages.phoneOf(database, userId)
    return c.json({
      methods: (await methodsOf(database, userId)).map(({ type, verifiedAt }) => ({
        ...{ type, verified_at: toSeconds(verifiedAt) },
        ...(type === 'sms' && phone !== undefined && { hint: hintOf('sms', phone) }),
      })),
      recovery_codes_left: await recoveryCodes.left(database, userId),
    })
  })

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
      body: nothing,
      handle: (call) => unenrol(call, 'totp', (tx) => authenticator.remove(tx, call.bearer.userId)),
    }),
  )

  const sms = '/api/v1/mfa/passwordless_sms'
  const smsInit = v.variant('action', [
    v.strictObject({ action: v.literal('verify') }),
    v.strictObject({ action: v.literal('enroll'), phoneNumber }),
  ])
  const beginSms = postAsUser(services, {
    ...anyKey,
    mfa: async ({ body }) => (body.action === 'enroll' ? 'adding' : undefined),
    body: smsInit,
    async handle({ c, app, bearer, body, device }) {
      if (body.action === 'verify') await messages.send(app, bearer.userId, asking(c, app))
      else {
        requireOffered(app, 'sms')
        if (device.id === undefined) throw notEnrolled()
        await messages.begin(app, bearer.userId, number(app, body.phoneNumber), asking(c, app))
      }
      return { body: { success: true } }
    },
  })
  const verifySms = postAsUser(services, {
    body: v.strictObject({ action: v.literal('verify') }),
    async handle({ c, app, bearer }) {
      await messages.send(app, bearer.userId, asking(c, app))
      return { body: { success: true } }
    },
  })
  api.post(`${sms}/init`, (c, next) => {
    // The page has a code sent that verifies; a number that is to be a factor comes from the vault.
    const isVault = c.req.header('dpop') !== undefined
    return (isVault ? beginSms : verifySms)(c, next)
  })
  api.post(
    `${sms}/enroll`,
    postAsUser(services, {
      ...addition,
      body: v.strictObject({ code, phoneNumber, action: v.nullish(v.literal('enroll')) }),
      async handle(call) {
        const { c, app, bearer, body } = call
        requireOffered(app, 'sms')
        const phone = number(app, body.phoneNumber)
        const judge = messages.confirm(app, bearer.userId, phone, body.code, clientIp(c))
        return enrol(call, 'sms', judge, (tx) => messages.add(tx, app, bearer.userId, phone))
      },
    }),
  )
  api.post(
    `${sms}/verify`,
    postAsUser(services, {
      ...anyKey,
      body: v.strictObject({ code, purpose }),
      async handle(call) {
        const { c, app, bearer, body } = call
        const judge = messages.judge(app, bearer.userId, body.code, clientIp(c))
        return verified(call, 'sms', judge)
      },
    }),
  )
  api.post(
    `${sms}/unenroll`,
    postAsUser(services, {
      ...change,
      body: nothing,
      handle: (call) => unenrol(call, 'sms', (tx) => messages.remove(tx, call.bearer.userId)),
    }),
  )

  api.post(
    '/api/v1/mfa/passkeys/init',
    postAsUser(services, {
      body: v.strictObject({ relying_party: relyingParty }),
      async handle({ c, app, bearer, body }) {
        const page = pageOf(app, body.relying_party, c.req.header('origin'))
        const { challenge, allowed } = await passkeys.begin(app, page, bearer)
        const options = {
          ...{ challenge, rp_id: page.rpId, timeout: limits.passkeyTimeout },
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
            ...{ added, isLeft: changed.removed.length > 0 },
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

  api.post(
    '/api/v1/mfa/recovery_codes/generate',
    postAsUser(services, {
      ...addition,
      body: nothing,
      async handle(call) {
        const { userId } = call.bearer
        const codes = await database.transaction(async (tx) => {
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
