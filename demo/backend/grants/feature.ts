import { eq } from 'drizzle-orm'
import type { Handler, Hono } from 'hono'
import * as v from 'valibot'
import { readWalletAddress } from '../chains/address.ts'
import { readBody } from '../http/body.ts'
import type { Feature } from '../http/definition.ts'
import { notKept } from '../http/post.ts'
import type { ServerContext, ServerEnv } from '../http/services.ts'
import { Refusal } from '../lib/refusal.ts'
import { toSeconds } from '../lib/time.ts'
import { requireBearer } from '../sessions/bearer.ts'
import { type AuthorisedCall, postAsUser } from '../sessions/post-as-user.ts'
import type { SessionServices } from '../sessions/services.ts'
import { deleteInBatches } from '../store/delete-in-batches.ts'
import { share } from '../wallets/bodies.ts'
import { rootOf, sessionOf } from '../wallets/calls.ts'
import { endExpiredGrants } from './ending.ts'
import { createGrantKeys } from './grant-keys.ts'
import { createGrants, type GrantReport } from './grants.ts'
import type { GrantRow, UseRow } from './reservations.ts'
import { bodies, isSignedBy, readCanonical, SIGNATURE_HEADER } from './signed-request.ts'
import { createSigner, type Signer } from './signer.ts'
import { grantAmounts, grants, grantUses } from './tables.ts'
import { termsView } from './terms.ts'
import { sealedShareName } from './wallet-key.ts'

const permissionId = v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/)))
const offerBody = v.strictObject({ permission: permissionId })
const newGrant = v.strictObject({
  permission: permissionId,
  key_id: v.pipe(v.string(), v.regex(/^[\w-]{16}$/)),
  encrypted_share: share,
  share: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
})
const nothing = v.strictObject({})

/** Permissions: what servers of apps may do with wallets, as users have agreed to it. */
export const grantFeature: Feature<SessionServices> = {
  tables: [grants, grantUses, grantAmounts],
  sealedColumns: [
    {
      table: grants,
      field: 'sealedShare',
      column: grants.sealedShare,
      key: [grants.id],
      sealedName: ({ id = '' }) => sealedShareName(id),
    },
  ],
  async sweep(database, limits, now) {
    await database.transaction((tx) => endExpiredGrants(tx, now))
    await deleteInBatches(database, grants.notAfter, now - limits.grantLife)
  },
  start(services) {
    const keys = createGrantKeys(services.secrets)
    const given = createGrants({ ...services, keys })
    const signer = createSigner({ ...services, keys })
    return {
      publicRoutes: (api) => signerRoutes(api, services, { signer, given }),
      routes(api) {
        vaultRoutes(api, services, given)
        userRoutes(api, services, given)
      },
      close: signer.close,
    }
  },
}

type Given = ReturnType<typeof createGrants>

/** For the vault alone: what it shows, and what it sends once the user has agreed. `:root` is the wallet's own address. */
function vaultRoutes(api: Hono<ServerEnv>, services: SessionServices, given: Given): void {
  api.post(
    '/api/v1/embedded_wallets/:root/grants/review',
    postAsUser(services, {
      fromVault: true,
      actor: notKept,
      body: offerBody,
      async handle(call) {
        const { terms, address, chainType, key } = await given.offer(
          sessionOf(call),
          rootOf(call),
          call.body.permission,
        )
        return {
          body: {
            address,
            chain_type: chainType,
            terms: termsView(terms),
            key: { id: key.id, public_key: key.publicKey.toString('base64url') },
          },
        }
      },
    }),
  )
  api.post(
    '/api/v1/embedded_wallets/:root/grants',
    postAsUser(services, {
      fromVault: true,
      mfa: 'account',
      // Unmodified clients ask their users in the page, which the owner of a compatible app may let them do.
      statement: async (call) =>
        call.app.vault === 'compatible' && call.app.grantsByPage
          ? undefined
          : given.statementOf(sessionOf(call), rootOf(call), call.body.permission),
      body: newGrant,
      async handle(call) {
        const { permission, key_id: keyId, encrypted_share: encryptedShare, share: half } = call.body
        const split = { permission, keyId, encryptedShare, share: half }
        const { id, notAfter } = await given.create(sessionOf(call), rootOf(call), split)
        return { body: { id, expires_at: toSeconds(notAfter) } }
      },
    }),
  )
}

/** For the user's page: reading and stopping take no approval, since neither gives anything away. */
function userRoutes(api: Hono<ServerEnv>, services: SessionServices, given: Given): void {
  api.get('/api/v1/grants', async (c) => {
    const { userId } = await requireBearer(c, services)
    const owner = { appId: c.get('app').id, userId }
    return c.json({ grants: (await given.listOf(owner)).map(reportView) })
  })
  api.post(
    '/api/v1/grants/:id/revoke',
    postAsUser(services, {
      whileFrozen: true,
      body: nothing,
      async handle(call: AuthorisedCall<unknown>) {
        await given.end(sessionOf(call), call.c.req.param('id') ?? '')
        return { body: {} }
      },
    }),
  )
  api.post(
    '/api/v1/wallets/revoke',
    postAsUser(services, {
      whileFrozen: true,
      // Each call ends what there is by then.
      actor: notKept,
      body: nothing,
      async handle(call: AuthorisedCall<unknown>) {
        await given.endAll(sessionOf(call))
        return { body: { message: 'All delegated wallets have been revoked.' } }
      },
    }),
  )
}

/** For servers of apps, with a signature of the grant's own key over each request. */
function signerRoutes(
  api: Hono<ServerEnv>,
  services: SessionServices,
  { signer, given }: { signer: Signer; given: Given },
): void {
  const { database, apps, clock, limits } = services

  /** @throws Refusal `invalid_credentials` (401), the same for what isn't there and what isn't theirs */
  function requireSigned(
    c: ServerContext,
    bytes: Uint8Array,
    publicKey: string | undefined,
    expiresAt: number,
  ): void {
    const signature = c.req.header(SIGNATURE_HEADER) ?? ''
    const path = new URL(c.req.url).pathname
    if (publicKey === undefined || !isSignedBy(publicKey, { path, bytes, signature }))
      throw new Refusal('invalid_credentials', 'The signature of this request is not valid.', { status: 401 })
    const left = expiresAt * 1_000 - clock()
    if (left <= 0 || left > limits.grantRequestLife)
      throw new Refusal('invalid_credentials', 'This request has expired, or expires too late.', {
        status: 401,
      })
  }

  async function signedGrant(
    c: ServerContext,
    bytes: Uint8Array,
    { app, grant: id, expires_at: expiresAt }: { app: string; grant: string; expires_at: number },
  ): Promise<GrantRow> {
    const [row] = await database.select().from(grants).where(eq(grants.id, id))
    const own = row?.appId === app && apps.find(app) ? row : undefined
    requireSigned(c, bytes, own?.terms.signer.publicKey, expiresAt)
    return own as GrantRow
  }

  const read =
    (handle: (c: ServerContext, bytes: Uint8Array) => Promise<object>): Handler<ServerEnv> =>
    async (c) => {
      c.header('cache-control', 'no-store')
      return c.json(await handle(c, await readBody(c)))
    }

  api.post(
    '/api/v1/grants/transactions',
    read(async (c, bytes) => {
      const body = readCanonical(bytes, bodies.transaction)
      const grant = await signedGrant(c, bytes, body)
      return { use: useView(await signer.execute(grant, body)) }
    }),
  )
  api.post(
    '/api/v1/grants/status',
    read(async (c, bytes) => {
      const body = readCanonical(bytes, bodies.status)
      const { id } = await signedGrant(c, bytes, body)
      const [row] = await database.select().from(grants).where(eq(grants.id, id))
      const [report] = row ? await given.reports([row]) : []
      if (!report) throw new Refusal('linked_account_not_found', 'There is no such permission.')
      return reportView(report)
    }),
  )
  api.post(
    '/api/v1/grants/find',
    read(async (c, bytes) => {
      const { app: appId, permission: id, address: text, expires_at: at } = readCanonical(bytes, bodies.find)
      const permission = apps.find(appId)?.permissions.find((each) => each.id === id)
      requireSigned(c, bytes, permission?.signer.publicKey, at)
      const address = readWalletAddress(text)?.address
      const found = address === undefined ? [] : await given.find({ appId, address, permission: id })
      // A key that was replaced in the settings has grants of its own.
      const own = found.filter(({ grant }) => grant.terms.signer.publicKey === permission?.signer.publicKey)
      return { grants: own.map(reportView) }
    }),
  )
}

const useView = ({ id, at, chain, target, status, hash }: UseRow) => ({
  id,
  at: toSeconds(at),
  chain,
  target,
  status,
  hash,
})

function reportView({ grant, address, chainType, status, uses, spent, latest }: GrantReport) {
  const { id, terms, notBefore, notAfter, endedAt, endedBy } = grant
  return {
    id,
    address,
    chain_type: chainType,
    status,
    ...termsView(terms),
    not_before: toSeconds(notBefore),
    not_after: toSeconds(notAfter),
    ended_at: endedAt === null ? null : toSeconds(endedAt),
    ended_by: endedBy,
    uses,
    spent: spent.map(({ chain, asset, inWindow, total }) => ({
      chain,
      asset,
      in_window: String(inWindow),
      total: String(total),
    })),
    latest: latest.map(({ use, amounts }) => ({ ...useView(use), amounts })),
  }
}
