import type { Hono } from 'hono'
import * as v from 'valibot'
import { originAllowed } from '../../../../src/lib/origin.ts'
import type { Feature } from '../../http/definition.ts'
import { notKept, post } from '../../http/post.ts'
import type { ServerContext, ServerEnv } from '../../http/services.ts'
import { Refusal } from '../../lib/refusal.ts'
import { postAsUser } from '../../sessions/post-as-user.ts'
import type { App } from '../../settings/app.ts'
import { linkRoute, loginRoute, mode, transferRoute, unlinkRoute } from '../routes.ts'
import type { LoginServices } from '../services.ts'
import { beforeStart, limitStarts, requireMethod } from '../start.ts'
import { createFarcasterChain } from './chain.ts'
import { createFarcasterLogin, type FarcasterLogin } from './login.ts'
import { createFarcasterRelay } from './relay.ts'
import { createFarcasterSigners, type FarcasterSigners, type SignerStatus } from './signer.ts'
import { createSignerRequests } from './signer-requests.ts'
import { farcasterSigners } from './tables.ts'

const fid = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const signed = { message: v.string(), signature: v.string(), fid }
const answered = { ...signed, channel_token: v.string() }
const method = 'farcaster'
/** A public key of ed25519, 0x-hex. */
const signerKey = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{64}$/i),
  v.transform((key) => key.toLowerCase() as `0x${string}`),
)
/** Seconds since 1970; a bigint comes as decimal text. */
const deadline = v.optional(
  v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,12}$/))]),
    v.transform(Number),
    v.safeInteger(),
  ),
)

/** Login with Farcaster. */
export const farcasterFeature: Feature<LoginServices> = {
  tables: [farcasterSigners],
  start(services) {
    const { limits, outside } = services
    const farcaster = createFarcasterLogin({
      ...services,
      relay: createFarcasterRelay({ url: outside.farcasterRelayUrl, limits }),
      chain: createFarcasterChain({ url: outside.optimismRpcUrl, limits }),
    })
    const requests = createSignerRequests({ url: outside.farcasterApiUrl, limits })
    const signers = createFarcasterSigners({ ...services, requests })
    return {
      routes(api) {
        farcasterRoutes(api, services, farcaster)
        signerRoutes(api, services, signers)
      },
    }
  },
}

function farcasterRoutes(api: Hono<ServerEnv>, services: LoginServices, farcaster: FarcasterLogin): void {
  api.post(
    '/api/v1/farcaster/init',
    post(services, {
      body: v.object({
        token: v.nullish(v.string()),
        redirect_url: v.nullish(v.string()),
        relying_party: v.nullish(v.string()),
      }),
      async handle(call) {
        const { c, app, body } = call
        const page = pageOf(c, app, body.relying_party)
        const redirectUrl = returnUrl(app, page, body.redirect_url)
        await beforeStart(services, call, method, body.token)
        const { channelToken, connectUri } = await farcaster.open(app, page, redirectUrl)
        return { body: { channel_token: channelToken, connect_uri: connectUri } }
      },
    }),
  )

  api.get('/api/v1/farcaster/status', async (c) => {
    const app = c.get('app')
    requireMethod(app, method)
    const token = c.req.header('farcaster-channel-token') ?? ''
    const answer = await farcaster.status(app, originOf(c), token)
    if (answer.state === 'pending') return c.json(answer)
    const { displayName, pfpUrl, ...rest } = answer
    return c.json({ ...rest, display_name: displayName, pfp_url: pfpUrl })
  })

  api.post(
    '/api/v1/farcaster/authenticate',
    loginRoute(services, {
      body: v.object({ ...answered, mode }),
      method,
      prove: async ({ c, app, body }) => farcaster.prove(app, originOf(c), body.channel_token, body),
    }),
  )
  api.post(
    '/api/v1/farcaster/link',
    linkRoute(services, {
      body: v.object(answered),
      method,
      prove: async ({ c, app, body }) => farcaster.prove(app, originOf(c), body.channel_token, body),
    }),
  )
  api.post(
    '/api/v1/farcaster/transfer',
    transferRoute(services, {
      body: v.object({
        nonce: v.string(),
        farcaster_id: v.pipe(v.string(), v.regex(/^[1-9]\d{0,15}$/)),
        // Said by the client, and of no use here: the nonce says whose account it is.
        farcaster_embedded_address: v.nullish(v.string()),
      }),
      account: async ({ body }) => ({ type: 'farcaster', subject: body.farcaster_id }),
    }),
  )
  api.post(
    '/api/v1/farcaster/unlink',
    unlinkRoute(services, {
      body: v.object({ fid }),
      account: async ({ body }) => ({ type: 'farcaster', subject: String(body.fid) }),
    }),
  )

  api.post(
    '/api/v2/farcaster/init',
    post(services, {
      body: v.object({}),
      async handle(call) {
        const page = pageOf(call.c, call.app, undefined)
        await limitStarts(services, call, method)
        const { nonce, until } = await farcaster.openFrame(call.app, page)
        return { body: { nonce, expires_at: new Date(until).toISOString() } }
      },
    }),
  )
  api.post(
    '/api/v2/farcaster/authenticate',
    loginRoute(services, {
      body: v.object({ ...signed, mode }),
      method,
      prove: async ({ c, app, body }) => farcaster.proveFrame(app, originOf(c), body),
    }),
  )
}

/** The vault asks for a key, and the page follows its approval. */
function signerRoutes(api: Hono<ServerEnv>, services: LoginServices, signers: FarcasterSigners): void {
  const view = (key: string, status: SignerStatus) => ({
    public_key: key,
    status: status.status,
    ...('fid' in status && { fid: status.fid }),
  })
  api.post(
    '/api/v1/farcaster/signer/init',
    postAsUser(services, {
      fromVault: true,
      body: v.object({ ed25519_public_key: signerKey, deadline }),
      async handle({ app, bearer, body }) {
        const key = body.ed25519_public_key
        const status = await signers.init(app, bearer.userId, key, body.deadline)
        const url = 'url' in status && status.url ? { signer_approval_url: status.url } : {}
        return { body: { ...view(key, status), ...url } }
      },
    }),
  )
  api.post(
    '/api/v1/farcaster/signer/status',
    postAsUser(services, {
      body: v.object({ ed25519_public_key: signerKey }),
      actor: notKept,
      async handle({ app, bearer, body }) {
        const key = body.ed25519_public_key
        return { body: view(key, await signers.status(app, bearer.userId, key)) }
      },
    }),
  )
}

const originOf = (c: ServerContext) => c.req.header('origin')

/** The page that the person's app will name. A program that is no page says for which page of the app it asks. */
function pageOf(c: ServerContext, app: App, party: string | null | undefined): string {
  const origin = originOf(c)
  const named = party && URL.canParse(party) ? new URL(party).origin : undefined
  if (
    party &&
    (named === undefined || !originAllowed(named, app.allowedDomains) || named !== (origin ?? named))
  )
    throw new Refusal('invalid_origin', 'This page may not use this app.')
  const page = origin ?? named
  if (page === undefined)
    throw new Refusal('missing_origin', 'A login with Farcaster is only possible from a page.')
  return page
}

/** Where the person's app sends them afterwards: to the page again, or into an app of the owner's. */
function returnUrl(app: App, page: string, address: string | null | undefined): string | undefined {
  if (!address) return undefined
  const url = URL.canParse(address) ? new URL(address) : undefined
  const native = app.allowedNativeAppUrlSchemes.map((scheme) => scheme.replace(/:(\/\/)?$/, ''))
  if (url && (url.origin === page || native.includes(url.protocol.slice(0, -1)))) return url.href
  throw new Refusal('invalid_data', 'Invalid or missing: redirect_url')
}
