import { compactVerify, decodeJwt, errors, importPKCS8, type JWTPayload, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import * as v from 'valibot'
import { isLoopbackHost } from '../../../../src/lib/origin.ts'
import { Unavailable } from '../../lib/refusal.ts'
import { fetchOutside, type OutsideAnswer, parseJson } from '../../outside/ask.ts'
import type { KeySets } from '../../outside/key-sets.ts'
import type { Limits } from '../../settings/limits.ts'
import { ProviderFailure, requireSuccess } from './failure.ts'
import type { Provider } from './providers.ts'

/** What a provider hands out. Never logged; given to the app's page only where its settings say so. */
export interface ProviderTokens {
  accessToken: string
  expiresIn?: number | undefined
  refreshToken?: string | undefined
  refreshExpiresIn?: number | undefined
  scopes?: string[] | undefined
}
export interface OAuthClient {
  clientId: string
  clientSecret: string
}
/** What a login brings back from a provider, and what it was begun with. */
export interface CodeGrant {
  code: string
  verifier?: string | undefined
  nonce?: string | undefined
  callbackUrl: string
}
export interface TokenDependencies {
  limits: Limits
  clock: () => number
}
interface TokenAnswer {
  tokens: ProviderTokens
  idToken: string | undefined
  /** As the provider sent it; the client library reads it once more for the identity token. */
  response: Response
}

/** Seconds that a secret which is signed for one request is good. */
const SECRET_LIFE = 300

const token = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,16384}$/))
const life = v.fallback(v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1e10))), undefined)
const tokenFields = v.object({
  access_token: token,
  id_token: v.optional(token),
  expires_in: life,
  refresh_token: v.optional(token),
  refresh_expires_in: life,
  scope: v.fallback(v.optional(v.string()), undefined),
})
const appleKey = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ teamId: v.string(), keyId: v.string(), privateKey: v.string() }),
)

/**
 * Has a provider make a code into tokens (RFC 6749, 4.1.3).
 * @throws ProviderFailure, or Refusal when the provider refuses the account or is asked too often
 */
export async function requestTokens(
  provider: Provider,
  client: OAuthClient,
  { code, verifier, callbackUrl }: CodeGrant,
  { limits, clock }: TokenDependencies,
): Promise<TokenAnswer> {
  const server: oauth.AuthorizationServer = { issuer: issuerOf(provider), token_endpoint: provider.token }
  const known = { client_id: client.clientId }
  const bounds = { timeout: limits.outsideTimeout, most: limits.outsideAnswerSize }
  // The state and the sender were judged when the person came back.
  const parameters = oauth.validateAuthResponse(
    server,
    known,
    new URLSearchParams({ code }),
    oauth.expectNoState,
  )
  let fields: v.InferOutput<typeof tokenFields> | undefined

  /** Calls the provider within our bounds, and turns its own dialect into what the standard has. */
  async function send(address: string, init: RequestInit): Promise<Response> {
    let response: Response
    try {
      response = await fetchOutside(provider.name, address, init, bounds)
    } catch (cause) {
      throw new ProviderFailure(provider, 'unreachable', '', { cause })
    }
    const { status, headers } = response
    const answer: OutsideAnswer = { status, headers, body: parseJson(await response.text()) }
    requireSuccess(provider, answer)
    const parsed = v.safeParse(tokenFields, answer.body)
    if (!parsed.success) throw new ProviderFailure(provider, 'unusable answer', 'tokens')
    fields = parsed.output
    const { access_token, refresh_token, expires_in, id_token } = fields
    // Some leave the type out. Where the profile says who somebody is, an identity token is not asked for.
    const standard = {
      access_token,
      refresh_token,
      expires_in,
      token_type: 'Bearer',
      ...(!provider.profile && { id_token }),
    }
    return Response.json(standard)
  }

  const response = await oauth.authorizationCodeGrantRequest(
    server,
    known,
    await clientAuth(provider, client, clock()),
    parameters,
    callbackUrl,
    verifier ?? oauth.nopkce,
    {
      [oauth.customFetch]: (address, init) => send(address, { ...init, signal: null }),
      [oauth.allowInsecureRequests]: isLocal(provider.token),
    },
  )
  if (!fields) throw new ProviderFailure(provider, 'unusable answer', 'tokens')
  return {
    tokens: {
      accessToken: fields.access_token,
      expiresIn: fields.expires_in,
      refreshToken: fields.refresh_token,
      refreshExpiresIn: fields.refresh_expires_in,
      scopes: fields.scope?.split(/[\s,]+/).filter(Boolean),
    },
    idToken: fields.id_token,
    response,
  }
}

/**
 * The claims of an identity token that this very login asked for (OpenID Connect Core, 3.1.3.7).
 * @throws ProviderFailure
 */
export async function readIdToken(
  provider: Provider,
  { clientId }: OAuthClient,
  { idToken, response }: TokenAnswer,
  nonce: string | undefined,
  { keySets, limits, clock }: TokenDependencies & { keySets: KeySets },
): Promise<JWTPayload> {
  const wrong = (detail: string, cause?: unknown) =>
    new ProviderFailure(provider, 'wrong identity token', detail, { cause })
  const { jwks, oldIssuer } = provider
  if (idToken === undefined || !jwks) throw wrong('missing')
  const client: oauth.Client = {
    client_id: clientId,
    // All three sign with it; the token's own word is not asked.
    id_token_signed_response_alg: 'RS256',
    [oauth.clockSkew]: Math.floor(clock() / 1_000) - Math.floor(Date.now() / 1_000),
    [oauth.clockTolerance]: limits.clockSkew / 1_000,
  }
  try {
    await compactVerify(idToken, keySets.keyOf(jwks), { algorithms: ['RS256'] })
    const named = decodeJwt(idToken).iss
    const server = { issuer: named !== undefined && named === oldIssuer ? oldIssuer : issuerOf(provider) }
    const answer = provider.nonce
      ? await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: nonce ?? '',
          requireIdToken: true,
        })
      : await oauth.processGenericTokenEndpointResponse(server, client, response)
    const claims = oauth.getValidatedIdTokenClaims(answer)
    if (!claims) throw wrong('missing')
    return claims
  } catch (cause) {
    if (cause instanceof Unavailable) throw new ProviderFailure(provider, 'unreachable', 'keys', { cause })
    if (cause instanceof errors.JOSEError) throw wrong(cause.code, cause)
    if (cause instanceof oauth.OperationProcessingError || cause instanceof oauth.UnsupportedOperationError)
      throw wrong(cause.code ?? '', cause)
    throw cause
  }
}

/** A provider without identity tokens names no issuer; the library only wants one. */
const issuerOf = ({ issuer, token: address }: Provider) => issuer ?? new URL(address).origin

/** Plain http is for stand-ins on this machine. */
function isLocal(address: string): boolean {
  const { hostname } = new URL(address)
  return isLoopbackHost(hostname) || hostname.endsWith('.localhost')
}

/** How this backend proves to be the client. */
async function clientAuth(provider: Provider, client: OAuthClient, now: number): Promise<oauth.ClientAuth> {
  const { clientId, clientSecret } = client
  if (provider.clientAuth === 'basic') {
    // Not the library's, which also encodes `-` and `_` as RFC 6749 has it: not every provider decodes those.
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`
    const header = `Basic ${Buffer.from(pair).toString('base64')}`
    return (_server, _client, _body, headers) => headers.set('authorization', header)
  }
  const secret = provider.clientAuth === 'signed' ? await signedSecret(provider, client, now) : clientSecret
  const { clientIdName } = provider
  if (!clientIdName) return oauth.ClientSecretPost(secret)
  return (_server, _client, body) => {
    body.set(clientIdName, clientId)
    body.set('client_secret', secret)
  }
}

/** Apple's secret: signed with the client's key, or made by the app's owner beforehand. */
async function signedSecret(provider: Provider, client: OAuthClient, now: number): Promise<string> {
  if (!client.clientSecret.startsWith('{')) return client.clientSecret
  const { teamId, keyId, privateKey } = v.parse(appleKey, client.clientSecret)
  const iat = Math.floor(now / 1_000)
  return new SignJWT({
    iss: teamId,
    sub: client.clientId,
    aud: provider.issuer ?? '',
    iat,
    exp: iat + SECRET_LIFE,
  })
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .sign(await importPKCS8(privateKey, 'ES256'))
}
