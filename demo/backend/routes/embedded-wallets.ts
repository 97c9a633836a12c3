import type { Hono } from 'hono'
import * as v from 'valibot'
import { seconds } from './account-views.ts'
import { requireBearer } from './bearer.ts'
import type { ServerContext, ServerEnv, Services } from './context.ts'
import {
  address,
  chainType,
  exactAddress,
  proof,
  recovery,
  share,
  transaction,
  transactionView,
  uuid,
} from './embedded-bodies.ts'
import { type AuthorisedCall, notKept, postAsUser } from './post.ts'

export const holderOf = ({ app, bearer }: AuthorisedCall<unknown>) => ({ app, ...bearer })
/** The root that the path names. */
export const rootOf = ({ c }: { c: ServerContext }) => c.req.param('root') ?? ''

const newRoot = v.strictObject({
  wallet_id: uuid,
  secret: v.picklist(['entropy', 'key']),
  chain_type: chainType,
  address,
  set_id: uuid,
  auth_share: share,
  recovery,
  proof,
})
const newWallet = v.strictObject({
  chain_type: chainType,
  wallet_index: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 31 - 1)),
  address,
  proof,
  root_proof: proof,
})

/**
 * Embedded wallets and their shares: our own endpoints, for our vault but for two (wire 2.13, 2.17). `:root` is an
 * index-0 address of a root, or an imported one. Room for: delegation.
 */
export function embeddedWalletRoutes(api: Hono<ServerEnv>, services: Services): void {
  const { roots, exports, transactions, releases } = services.embedded

  api.post(
    '/api/v1/embedded_wallets',
    postAsUser(services, {
      fromVault: true,
      body: newRoot,
      async handle(call) {
        const { body } = call
        const made = await roots.create(holderOf(call), {
          ...exactAddress(body),
          walletId: body.wallet_id,
          secret: body.secret,
          setId: body.set_id,
          authShare: body.auth_share,
          recovery: body.recovery,
          proof: body.proof,
        })
        return { body: { address: made.address, wallet_id: made.walletId, created: made.created } }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/:root/wallets',
    postAsUser(services, {
      fromVault: true,
      body: newWallet,
      async handle(call) {
        const { body } = call
        const { wallet_index: walletIndex, root_proof: rootProof } = body
        const wallet = { ...exactAddress(body), walletIndex, proof: body.proof, rootProof }
        return { body: await roots.addWallet(holderOf(call), rootOf(call), wallet) }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/:root/auth_share',
    postAsUser(services, {
      fromVault: true,
      actor: notKept,
      body: v.strictObject({ set_ids: v.pipe(v.array(uuid), v.minLength(1), v.maxLength(32)) }),
      async handle(call) {
        const found = await roots.authShare(holderOf(call), rootOf(call), call.body.set_ids)
        const { walletId, setId, authShare } = found
        return { body: { wallet_id: walletId, set_id: setId, auth_share: authShare } }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/:root/devices',
    postAsUser(services, {
      fromVault: true,
      body: v.strictObject({ set_id: uuid, auth_share: share, proof }),
      async handle(call) {
        const { set_id: setId, auth_share: authShare } = call.body
        await roots.addDevice(holderOf(call), rootOf(call), { setId, authShare, proof: call.body.proof })
        return { body: {} }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/transactions/populate',
    postAsUser(services, {
      fromVault: true,
      body: v.strictObject({ address, transaction }),
      async handle(call) {
        const filled = await transactions.populate(holderOf(call), call.body.address, call.body.transaction)
        return { body: { transaction: transactionView(filled) } }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/:root/export_ticket',
    postAsUser(services, {
      body: v.strictObject({}),
      // Room for: a fresh second factor (security S2).
      async handle(call) {
        return { body: { ticket: await exports.issue(holderOf(call), rootOf(call)) } }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/export/redeem',
    postAsUser(services, {
      fromVault: true,
      body: v.strictObject({ ticket: v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/)), address }),
      async handle(call) {
        await exports.redeem(holderOf(call), call.body.ticket, call.body.address)
        return { body: {} }
      },
    }),
  )

  api.get('/api/v1/embedded_wallets/releases', async (c) => {
    const app = c.get('app')
    const found = await releases({ app, ...(await requireBearer(c, services)) })
    return c.json({
      releases: found.map(({ at, what, address: of, setId }) => ({
        ...{ at: seconds(at), what, address: of },
        ...(setId !== null && { set_id: setId }),
      })),
    })
  })
}
