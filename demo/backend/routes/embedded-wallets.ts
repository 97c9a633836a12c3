import type { Hono } from 'hono'
import * as v from 'valibot'
import { Refusal } from '../domain/refusal.ts'
import { checkWalletProof } from '../domain/wallet-proof.ts'
import type { ServerContext, ServerEnv, Services } from './context.ts'
import { type AuthorisedCall, postAsUser } from './post.ts'

const ETHEREUM = /^0x[0-9a-f]{40}$/i
const uuid = v.pipe(v.string(), v.uuid(), v.toLowerCase())
const share = v.pipe(v.string(), v.minLength(1), v.maxLength(8_192))
const newWallet = v.strictObject({
  wallet_id: uuid,
  chain_type: v.literal('ethereum'),
  address: v.pipe(v.string(), v.regex(ETHEREUM)),
  wallet_index: v.literal(0),
  set_id: uuid,
  auth_share: share,
  recovery_package: share,
  recovery_method: v.literal('privy'),
  recovery_key: v.pipe(v.string(), v.minLength(1), v.maxLength(256)),
  proof: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{130}$/i)),
})

/**
 * The shares of embedded wallets: our own endpoints, for our vault alone (wire 2.13, 2.17).
 * Room for: other chains, import, recovery by password or cloud drive, delegation.
 */
export function embeddedWalletRoutes(api: Hono<ServerEnv>, services: Services): void {
  const { wallets } = services
  const holder = ({ app, bearer }: AuthorisedCall<unknown>) => ({ appId: app.id, ...bearer })

  function addressOf(c: ServerContext): string {
    const address = c.req.param('address') ?? ''
    if (!ETHEREUM.test(address)) throw new Refusal('linked_account_not_found', 'There is no such wallet.')
    return address
  }

  api.post(
    '/api/v1/embedded_wallets',
    postAsUser(services, {
      fromVault: true,
      body: newWallet,
      async handle(call) {
        const { wallet_id: walletId, address, proof, ...body } = call.body
        const { appId, userId } = holder(call)
        await checkWalletProof({ appId, userId, walletId, address }, proof)
        const result = await wallets.create(holder(call), {
          walletId,
          address,
          chainType: body.chain_type,
          walletIndex: body.wallet_index,
          setId: body.set_id,
          authShare: body.auth_share,
          recoveryPackage: body.recovery_package,
          recoveryMethod: body.recovery_method,
          recoveryKey: body.recovery_key,
        })
        return { body: { address: result.address, wallet_id: result.walletId, created: result.created } }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/:address/auth_share',
    postAsUser(services, {
      fromVault: true,
      body: v.strictObject({ set_id: uuid }),
      async handle(call) {
        const { walletId, authShare } = await wallets.authShare(
          holder(call),
          addressOf(call.c),
          call.body.set_id,
        )
        return { body: { wallet_id: walletId, auth_share: authShare } }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/:address/recovery/key_material',
    postAsUser(services, {
      fromVault: true,
      body: v.object({ chain_type: v.nullish(v.literal('ethereum')) }),
      async handle(call) {
        const recoveryKey = await wallets.recoveryKey(holder(call), addressOf(call.c))
        return {
          body: {
            recovery_type: 'privy_generated_recovery_key',
            recovery_key_derivation_salt: '',
            recovery_code: '',
            recovery_key: recoveryKey,
            file_id: '',
            icloud_record_name: '',
          },
        }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/:address/recovery/package',
    postAsUser(services, {
      fromVault: true,
      body: v.strictObject({}),
      async handle(call) {
        const { walletId, recoveryPackage } = await wallets.recoveryPackage(holder(call), addressOf(call.c))
        return { body: { wallet_id: walletId, recovery_package: recoveryPackage } }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/:address/devices',
    postAsUser(services, {
      fromVault: true,
      body: v.strictObject({ set_id: uuid, auth_share: share }),
      async handle(call) {
        await wallets.addSet(holder(call), addressOf(call.c), call.body.set_id, call.body.auth_share)
        return { body: {} }
      },
    }),
  )
}
