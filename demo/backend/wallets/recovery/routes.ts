import type { Hono } from 'hono'
import * as v from 'valibot'
import { notKept } from '../../http/post.ts'
import type { ServerEnv } from '../../http/services.ts'
import { postAsUser } from '../../sessions/post-as-user.ts'
import type { SessionServices } from '../../sessions/services.ts'
import type { RecoveryMethod } from '../../settings/names.ts'
import { bytes, chainType, deviceProof, passwordProof, recovery, uuid } from '../bodies.ts'
import { deviceSessionOf, rootOf } from '../calls.ts'
import { hasWallets, isGuarded } from '../context.ts'
import { createChanges } from './changes.ts'
import { createRecovery } from './recovery.ts'

/** The protocol's names. It has none for a key of the host's own: that is one that the user's side makes, too. */
const recoveryTypes: Record<RecoveryMethod, string> = {
  privy: 'privy_generated_recovery_key',
  'user-passcode': 'user_passcode_derived_recovery_key',
  'google-drive': 'google_drive_recovery_secret',
  icloud: 'icloud_recovery_secret',
  'recovery-encryption-key': 'user_passcode_derived_recovery_key',
}

/** How embedded wallets come back without their device: for our vault alone. */
export function recoveryRoutes(api: Hono<ServerEnv>, services: SessionServices): void {
  const recoveries = createRecovery(services)
  const changes = createChanges(services)

  api.post(
    '/api/v1/embedded_wallets/:root/recovery/key_material',
    postAsUser(services, {
      fromVault: true,
      mfa: 'use',
      actor: notKept,
      body: v.object({ chain_type: v.nullish(chainType) }),
      async handle(call) {
        const { method, key, salt, fileId, recordName } = await recoveries.material(
          deviceSessionOf(call),
          rootOf(call),
        )
        return {
          body: {
            recovery_type: recoveryTypes[method],
            recovery_key_derivation_salt: salt ?? '',
            recovery_code: '',
            recovery_key: key ?? '',
            file_id: fileId ?? '',
            icloud_record_name: recordName ?? '',
          },
        }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/:root/recovery/package',
    postAsUser(services, {
      fromVault: true,
      mfa: 'use',
      actor: notKept,
      body: v.strictObject({}),
      async handle(call) {
        const {
          walletId,
          method,
          package: text,
        } = await recoveries.package(deviceSessionOf(call), rootOf(call))
        return { body: { wallet_id: walletId, recovery_method: method, recovery_package: text } }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/recovery/secrets',
    postAsUser(services, {
      fromVault: true,
      // A first wallet is made without a second factor; only what there is can be lost.
      mfa: async (call) => ((await hasWallets(services.database, call.bearer)) ? 'recovery' : undefined),
      body: v.strictObject({ proof: passwordProof }),
      async handle(call) {
        const { secretId, evaluation } = await recoveries.newSecret(deviceSessionOf(call), call.body.proof)
        return { body: { secret_id: secretId, evaluation: evaluation.toString('base64url') } }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/:root/recovery/evaluate',
    postAsUser(services, {
      fromVault: true,
      mfa: 'use',
      body: v.strictObject({ proof: passwordProof }),
      async handle(call) {
        const evaluation = await recoveries.evaluate(deviceSessionOf(call), rootOf(call), call.body.proof)
        return { body: { evaluation: evaluation.toString('base64url') } }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/:root/recovery/present',
    postAsUser(services, {
      fromVault: true,
      mfa: 'use',
      actor: notKept,
      body: v.union([v.strictObject({ proof: passwordProof }), v.strictObject({ verifier: bytes(32) })]),
      async handle(call) {
        await recoveries.present(deviceSessionOf(call), rootOf(call), call.body)
        return { body: {} }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/:root/recovery/changes',
    postAsUser(services, {
      fromVault: true,
      mfa: 'recovery',
      statement: async (call) => {
        if (!(await isGuarded(services.database, call.app, call.bearer.userId))) return undefined
        const change = { changeId: call.body.change_id, recovery: call.body.recovery }
        return changes.statementOfPrepare(deviceSessionOf(call), rootOf(call), change)
      },
      body: v.strictObject({ change_id: uuid, recovery, device_proof: deviceProof }),
      async handle(call) {
        const { change_id: changeId, recovery: record, device_proof: signed } = call.body
        const change = { changeId, recovery: record, deviceProof: signed }
        const stored = await changes.prepare(deviceSessionOf(call), rootOf(call), change)
        return { body: { recovery_package: stored } }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/:root/recovery/changes/:change/confirm',
    postAsUser(services, {
      fromVault: true,
      mfa: 'recovery',
      statement: async (call) =>
        (await isGuarded(services.database, call.app, call.bearer.userId))
          ? changes.statementOfConfirm(deviceSessionOf(call), rootOf(call), call.c.req.param('change') ?? '')
          : undefined,
      body: v.strictObject({ device_proof: deviceProof }),
      async handle(call) {
        const change = { changeId: call.c.req.param('change') ?? '', deviceProof: call.body.device_proof }
        const method = await changes.confirm(deviceSessionOf(call), rootOf(call), change)
        return { body: { recovery_method: method } }
      },
    }),
  )
}
