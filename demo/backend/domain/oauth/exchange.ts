import { errors, importPKCS8, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import * as v from 'valibot'
import type { KeySets } from '../key-sets.ts'
import type { RateLimits } from '../limits.ts'
import { askOutside, type OutsideAnswer } from '../outside-json.ts'
import { Unavailable } from '../refusal.ts'
import { accountSuspended, ProviderFailure, providerLimit } from './failure.ts'
import { type Profile, readProfile } from './profiles.ts'
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
/**
 * Makes a provider's code into who the person is.
 * @throws ProviderFailure, or Refusal when the provider refuses the account or is asked too often
 */
export type Exchange = (
  provider: Provider,
  client: OAuthClient,
  given: { code: string; verifier?: string | undefined; nonce?: string | undefined; callbackUrl: string },
) => Promise<{ profile: Profile; tokens: ProviderTokens }>

/** Seconds that a secret which is signed for one request is good. */
const SECRET_LIFE = 300

const token = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,16384}$/))
const life = v.fallback(v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1e10))), undefined)
const tokenAnswer = v.object({
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

/** This backend as a confidential client of each provider: code, tokens, profile. Security T6. */
export function createExchange(deps: {
  keySets: KeySets
  limits: RateLimits
  clock: () => number
}): Exchange {
  const { keySets, limits, clock } = deps
  const bounds = { timeout: limits.outsideTimeout, most: limits.outsideAnswerSize }

  async function ask(
    provider: Provider,
    address: string,
    options: { form?: URLSearchParams; headers?: Record<string, string> },
  ): Promise<unknown> {
    let answer: OutsideAnswer
    try {
      answer = await askOutside(provider.name, address, { ...options, ...bounds })
    } catch (cause) {
      throw new ProviderFailure(provider, 'unreachable', '', { cause })
    }
    if (answer.status < 400 && !saysError(answer.body)) return answer.body
    if (limited(answer)) throw providerLimit(provider)
    if (answer.status < 500 && /suspend/i.test(JSON.stringify(answer.body) ?? ''))
      throw accountSuspended(provider)
    throw new ProviderFailure(provider, answer.status < 500 ? 'refused' : 'unreachable', `${answer.status}`)
  }

  /** The claims of an identity token that this very login asked for. */
  async function readIdToken(
    provider: Provider,
    { clientId }: OAuthClient,
    idToken: string | undefined,
    nonce: string | undefined,
  ): Promise<JWTPayload> {
    const wrong = (detail: string, cause?: unknown) =>
      new ProviderFailure(provider, 'wrong identity token', detail, { cause })
    const { issuer, jwks, oldIssuer } = provider
    if (idToken === undefined || !issuer || !jwks) throw wrong('missing')
    try {
      const { payload } = await jwtVerify(idToken, keySets.keyOf(jwks), {
        // All three sign with it; the token's own word is not asked.
        algorithms: ['RS256'],
        issuer: oldIssuer ? [issuer, oldIssuer] : issuer,
        audience: clientId,
        requiredClaims: ['iat', 'exp', 'sub'],
        currentDate: new Date(clock()),
        clockTolerance: limits.clockSkew / 1_000,
      })
      if (Array.isArray(payload.aud) && payload.aud.length > 1 && payload.azp !== clientId) throw wrong('azp')
      if (provider.nonce && payload.nonce !== nonce) throw wrong('nonce')
      return payload
    } catch (cause) {
      if (cause instanceof Unavailable) throw new ProviderFailure(provider, 'unreachable', 'keys', { cause })
      if (cause instanceof errors.JOSEError) throw wrong(cause.code, cause)
      throw cause
    }
  }

  async function askProfile(provider: Provider, address: string, accessToken: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${accessToken}`, 'user-agent': 'latchkey' }
    if (provider.id !== 'github') return ask(provider, address, { headers })
    const [answer, emails] = await Promise.all([
      ask(provider, address, { headers }),
      ask(provider, `${address}/emails`, { headers }).catch((cause: unknown) => {
        // Other scopes may have been asked for: then there is no address, and that is no failure.
        if (cause instanceof ProviderFailure && cause.kind === 'refused') return []
        throw cause
      }),
    ])
    return { ...(answer as object), emails }
  }

  return async (provider, client, { code, verifier, nonce, callbackUrl }) => {
    const form = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: callbackUrl })
    if (verifier !== undefined) form.set('code_verifier', verifier)
    const headers = await authenticate(provider, client, form, clock())
    const answer = v.safeParse(tokenAnswer, await ask(provider, provider.token, { form, headers }))
    if (!answer.success) throw new ProviderFailure(provider, 'unusable answer', 'tokens')
    const { access_token: accessToken, id_token: idToken, scope, ...more } = answer.output
    const said = provider.profile
      ? await askProfile(provider, provider.profile, accessToken)
      : await readIdToken(provider, client, idToken, nonce)
    return {
      profile: readProfile(provider, said),
      tokens: {
        accessToken,
        expiresIn: more.expires_in,
        refreshToken: more.refresh_token,
        refreshExpiresIn: more.refresh_expires_in,
        scopes: scope?.split(/[\s,]+/).filter(Boolean),
      },
    }
  }
}

/** Proves that the request comes from the client: in the form, or in the headers that it returns. */
async function authenticate(
  provider: Provider,
  { clientId, clientSecret }: OAuthClient,
  form: URLSearchParams,
  now: number,
): Promise<Record<string, string>> {
  if (provider.clientAuth === 'basic') {
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`
    return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
  }
  form.set(provider.clientIdName ?? 'client_id', clientId)
  const secret =
    provider.clientAuth === 'signed'
      ? await signedSecret(provider, { clientId, clientSecret }, now)
      : clientSecret
  form.set('client_secret', secret)
  return {}
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

/** Each has its own way to say "too often". */
function limited({ status, headers, body }: OutsideAnswer): boolean {
  if (status === 429 || (status === 403 && headers.get('x-ratelimit-remaining') === '0')) return true
  return /request limit reached|rate.limit/i.test(textOf(body, 'message'))
}

/** Some tell a failure with status 200. */
function saysError(body: unknown): boolean {
  const error = fieldOf(body, 'error')
  if (typeof error === 'string') return error !== ''
  const code = fieldOf(error, 'code')
  return error !== undefined && error !== null && code !== 'ok'
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

function textOf(body: unknown, name: string): string {
  const text = fieldOf(fieldOf(body, 'error') ?? body, name)
  return typeof text === 'string' ? text : ''
}
