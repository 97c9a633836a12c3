import type { Hono } from 'hono'
import * as v from 'valibot'
import { noteOwn } from '../../audit/audit.ts'
import { notKept } from '../../http/post.ts'
import type { ServerEnv } from '../../http/services.ts'
import { Refusal } from '../../lib/refusal.ts'
import { toSeconds } from '../../lib/time.ts'
import { enrollResponse } from '../../passkeys/bodies.ts'
import { passkeyAlgorithms } from '../../passkeys/verification.ts'
import { type DeviceCall, postAsUser } from '../../sessions/post-as-user.ts'
import { createNotices } from '../../users/notices.ts'
import { deviceSessionOf } from '../../wallets/calls.ts'
import { isGuarded, signerOf } from '../../wallets/context.ts'
import { statements } from '../../wallets/proofs.ts'
import { appearanceOf } from '../describe.ts'
import { originOfVault } from './callers.ts'
import type { Enrolment, EnrolmentServices } from './enrolment.ts'
import { standingOf } from './standing.ts'
import { type VaultPasskey, vaultPasskeysOf } from './vault-passkeys.ts'

const nothing = v.strictObject({})
const passkeyView = ({ id, name, createdAt }: VaultPasskey) => ({
  id,
  name,
  created_at: toSeconds(createdAt),
})

/** The vault's own passkeys: registered, listed and removed on an enrolled device. */
export function passkeyRoutes(
  api: Hono<ServerEnv>,
  services: EnrolmentServices,
  { passkeys }: Enrolment,
): void {
  const { database, limits, clock } = services
  const notices = createNotices(services)

  /** Requires the statement that the window has shown, where the user has a wallet. @throws Refusal `account_frozen` */
  async function approved(call: DeviceCall<unknown>, text: string): Promise<string | undefined> {
    const session = deviceSessionOf(call)
    if ((await standingOf(database, session, limits)).frozenAt !== null)
      throw new Refusal('account_frozen', 'This account is frozen.')
    return (await isGuarded(database, session.app, session.userId)) ? text : undefined
  }
  const credentialOf = (call: DeviceCall<unknown>) => call.c.req.param('id') ?? ''

  api.post(
    '/api/v1/devices/passkeys/options',
    postAsUser(services, {
      fromVault: true,
      mfa: 'recovery',
      actor: notKept,
      body: nothing,
      async handle(call) {
        const { app } = call
        const begun = await passkeys.beginRegistration(deviceSessionOf(call), originOfVault(call.c))
        return {
          body: {
            rp: { name: app.name, id: begun.rpId },
            user: { id: begun.userHandle, name: app.name, display_name: app.name },
            challenge: begun.challenge,
            pub_key_cred_params: passkeyAlgorithms.map((alg) => ({ alg, type: 'public-key' })),
            timeout: limits.passkeyTimeout,
            exclude_credentials: begun.known.map(({ id, transports }) => ({
              id,
              type: 'public-key',
              transports,
            })),
            authenticator_selection: {
              require_resident_key: true,
              resident_key: 'required',
              user_verification: 'required',
            },
            attestation: 'none',
          },
        }
      },
    }),
  )

  api.post(
    '/api/v1/devices/passkeys',
    postAsUser(services, {
      fromVault: true,
      mfa: 'recovery',
      body: v.strictObject({ attestation: enrollResponse }),
      statement: (call) =>
        approved(call, statements.vaultPasskey(signerOf(deviceSessionOf(call)), call.body.attestation.id)),
      async handle(call) {
        const session = deviceSessionOf(call)
        const { name } = appearanceOf(call.c, services)
        const made = await passkeys.register(session, call.body.attestation, name)
        await noteOwn(database, session, 'vault-passkey-added', clock())
        notices.tell(session, { what: 'vault-passkey-added', name, place: session.place })
        return { body: passkeyView(made) }
      },
    }),
  )

  api.post(
    '/api/v1/devices/passkeys/list',
    postAsUser(services, {
      fromVault: true,
      actor: notKept,
      body: nothing,
      async handle(call) {
        const found = await vaultPasskeysOf(database, deviceSessionOf(call))
        return { body: { passkeys: found.map(passkeyView) } }
      },
    }),
  )

  api.post(
    '/api/v1/devices/passkeys/:id/remove',
    postAsUser(services, {
      fromVault: true,
      mfa: 'recovery',
      body: nothing,
      statement: (call) =>
        approved(call, statements.vaultPasskeyRemoved(signerOf(deviceSessionOf(call)), credentialOf(call))),
      async handle(call) {
        const session = deviceSessionOf(call)
        const was = await database.transaction(async (tx) => {
          const isGone = await passkeys.remove(tx, session, credentialOf(call))
          if (isGone) await noteOwn(tx, session, 'vault-passkey-removed', clock())
          return isGone
        })
        if (!was) throw new Refusal('linked_account_not_found', 'There is no such passkey.')
        const { name } = appearanceOf(call.c, services)
        notices.tell(session, { what: 'vault-passkey-removed', name, place: session.place })
        return { body: {} }
      },
    }),
  )
}
