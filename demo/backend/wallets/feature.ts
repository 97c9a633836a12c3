import type { Hono } from 'hono'
import * as v from 'valibot'
import { createProxies } from '../descriptors/proxies.ts'
import { createDescriptors, selectOwn, selectWithProxies } from '../descriptors/registry.ts'
import type { Feature } from '../http/definition.ts'
import { notKept } from '../http/post.ts'
import type { ServerEnv } from '../http/services.ts'
import { toSeconds } from '../lib/time.ts'
import { requireBearer } from '../sessions/bearer.ts'
import { postAsUser } from '../sessions/post-as-user.ts'
import type { SessionServices } from '../sessions/services.ts'
import { countEvent } from '../store/rate-limits.ts'
import {
  address,
  chainType,
  descriptorSelection,
  exactAddress,
  frameTransfer,
  proof,
  recovery,
  share,
  transaction,
  transactionView,
  uuid,
  walletToken,
} from './bodies.ts'
import { deviceSessionOf, rootOf, sessionOf } from './calls.ts'
import { statementFor } from './context.ts'
import { createExportTickets } from './export-tickets.ts'
import { statements } from './proofs.ts'
import { recoveryRoutes } from './recovery/routes.ts'
import { releasesOf } from './releases.ts'
import { createRoots } from './roots.ts'
import { createSpending } from './spending.ts'
import { sealedColumns, sweep } from './stored.ts'
import {
  frameSpendings,
  recoveryChanges,
  recoveryPresent,
  recoverySecrets,
  recoverySourceTries,
  recoveryTries,
  shareReleases,
  walletRoots,
  walletSets,
  wallets,
} from './tables.ts'
import { createTransactions } from './transactions/transactions.ts'

/** The newest ones: as many as a person would look through. */
const SHOWN_RELEASES = 100

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

/** Embedded wallets: the server's half of their shares, their recovery, and what their transactions lack. */
export const walletFeature: Feature<SessionServices> = {
  tables: [
    walletRoots,
    wallets,
    walletSets,
    recoverySecrets,
    recoveryChanges,
    recoveryPresent,
    recoveryTries,
    recoverySourceTries,
    shareReleases,
    frameSpendings,
  ],
  sealedColumns,
  sweep,
  start: (services) => ({
    routes(api) {
      walletRoutes(api, services)
      recoveryRoutes(api, services)
    },
  }),
}

/**
 * Wallets and their shares: our own endpoints, for our vault but for two. `:root` is an index-0 address of a root, or
 * an imported one.
 */
function walletRoutes(api: Hono<ServerEnv>, services: SessionServices): void {
  const roots = createRoots(services)
  const exports = createExportTickets(services)
  const transactions = createTransactions({ ...services, rpcUrls: services.outside.chainRpcUrls })
  const spending = createSpending(services)
  const descriptors = createDescriptors()
  const proxies = createProxies({ rpcUrls: services.outside.chainRpcUrls, limits: services.limits })
  /** The public registry and the app's own descriptors, of which a request gets no more than its own part. */
  const describeFor = async (
    { userId, app }: ReturnType<typeof sessionOf>,
    { chain_id: chainId, ...needed }: v.InferOutput<typeof descriptorSelection>,
  ) => {
    const { database, clock, limits } = services
    const window = { most: limits.previewsPerMinute, span: 60_000 }
    await countEvent(database, `descriptors ${userId}`, clock(), 60_000, [window])
    const found = await selectWithProxies({ descriptors, proxies }, chainId, needed)
    const { registry, implementations } = found
    const contracts = [...needed.contracts, ...Object.values(implementations)]
    const own = selectOwn(app.descriptors, chainId, { contracts, messages: needed.messages })
    return { body: { registry, implementations, ...(own.length > 0 && { own }) } }
  }

  api.post(
    '/api/v1/embedded_wallets',
    postAsUser(services, {
      fromVault: true,
      // An imported key may be one that somebody else knows, and its address is one to which others pay.
      statement: async (call) =>
        call.body.secret === 'key'
          ? statementFor(services.database, call, (signer) =>
              statements.keyImport(signer, { address: call.body.address, walletId: call.body.wallet_id }),
            )
          : undefined,
      body: newRoot,
      async handle(call) {
        const { body } = call
        const made = await roots.create(deviceSessionOf(call), {
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
      mfa: 'use',
      body: newWallet,
      async handle(call) {
        const { body } = call
        const { wallet_index: walletIndex, root_proof: rootProof } = body
        const wallet = { ...exactAddress(body), walletIndex, proof: body.proof, rootProof }
        return { body: await roots.addWallet(deviceSessionOf(call), rootOf(call), wallet) }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/:root/auth_share',
    postAsUser(services, {
      fromVault: true,
      mfa: 'use',
      actor: notKept,
      body: v.strictObject({ set_ids: v.pipe(v.array(uuid), v.minLength(1), v.maxLength(32)) }),
      async handle(call) {
        const found = await roots.authShare(deviceSessionOf(call), rootOf(call), call.body.set_ids)
        const { walletId, setId, authShare } = found
        return { body: { wallet_id: walletId, set_id: setId, auth_share: authShare } }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/:root/devices',
    postAsUser(services, {
      fromVault: true,
      mfa: 'use',
      body: v.strictObject({ set_id: uuid, auth_share: share, proof }),
      async handle(call) {
        const { set_id: setId, auth_share: authShare } = call.body
        await roots.addDevice(deviceSessionOf(call), rootOf(call), {
          setId,
          authShare,
          proof: call.body.proof,
        })
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
        const filled = await transactions.populate(sessionOf(call), call.body.address, call.body.transaction)
        return { body: { transaction: transactionView(filled) } }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/tokens/figures',
    postAsUser(services, {
      fromVault: true,
      actor: notKept,
      body: walletToken,
      async handle(call) {
        const { address, chain_id: chainId, token, owner } = call.body
        const figures = await transactions.tokenFigures(sessionOf(call), { address, chainId, token, owner })
        const { balance, supply, ...metadata } = figures
        return {
          body: {
            balance: String(balance),
            ...(supply !== undefined && { supply: String(supply) }),
            ...metadata,
          },
        }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/descriptors',
    postAsUser(services, {
      fromVault: true,
      actor: notKept,
      body: descriptorSelection,
      handle: (call) => describeFor(sessionOf(call), call.body),
    }),
  )

  api.post(
    '/api/v1/descriptors',
    postAsUser(services, {
      actor: notKept,
      body: descriptorSelection,
      handle: (call) => describeFor(sessionOf(call), call.body),
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/spending',
    postAsUser(services, {
      fromVault: true,
      actor: notKept,
      body: frameTransfer,
      async handle(call) {
        const { reserve, ...transfer } = call.body
        return { body: { allowed: await spending.count(deviceSessionOf(call), transfer, reserve) } }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/:root/export_ticket',
    postAsUser(services, {
      body: v.strictObject({}),
      async handle(call) {
        return { body: { ticket: await exports.issue(sessionOf(call), rootOf(call)) } }
      },
    }),
  )

  api.post(
    '/api/v1/embedded_wallets/export/redeem',
    postAsUser(services, {
      fromVault: true,
      mfa: 'export',
      statement: (call) =>
        statementFor(services.database, call, (signer) => statements.keyExport(signer, call.body)),
      body: v.strictObject({ ticket: v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/)), address }),
      async handle(call) {
        await exports.redeem(deviceSessionOf(call), call.body.ticket, call.body.address)
        return { body: {} }
      },
    }),
  )

  api.get('/api/v1/embedded_wallets/releases', async (c) => {
    const app = c.get('app')
    const session = { app, ...(await requireBearer(c, services)) }
    const found = await releasesOf(services.database, session, SHOWN_RELEASES)
    return c.json({
      releases: found.map(({ at, what, address: of }) => ({
        at: toSeconds(at),
        what,
        ...(of !== null && { address: of }),
      })),
    })
  })
}
