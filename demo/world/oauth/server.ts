import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { Provider } from 'oidc-provider/lib/provider.js'
import { createMemory } from './memory.ts'
import type { Original } from './original.ts'
import { originals, type ProviderName } from './originals.ts'
import type { Person } from './people.ts'
import { formPostHeaders, formPostPage, pageHeaders, problemPage } from './sign-in-page.ts'

/** Paths of the machinery below a provider, apart from those of its original. */
export const machinery = {
  token: '/-/token',
  userinfo: '/-/userinfo',
  jwks: '/-/jwks',
  interaction: '/-/sign-in',
}

/** The server itself, by the standard. */
export async function createServer(
  id: ProviderName,
  issuer: string,
  client: { clientId: string; secret: string; redirectUris: string[] },
  people: ReadonlyMap<string, Person>,
) {
  const original: Original = originals[id]
  const openid = original.claims !== undefined
  // Only OpenID providers sign anything that a client sees.
  const algorithm = openid ? 'RS256' : 'ES256'
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const key: JWK = { ...(await exportJWK(privateKey)), alg: algorithm, use: 'sig', kid: `${id}-1` }

  const configuration: Configuration = {
    adapter: createMemory(),
    clients: [
      {
        client_id: client.clientId,
        client_name: 'Latchkey',
        client_secret: client.secret,
        redirect_uris: client.redirectUris,
        grant_types: ['authorization_code', ...(original.refreshable ? ['refresh_token'] : [])],
        token_endpoint_auth_method: original.clientAuth,
        id_token_signed_response_alg: algorithm,
      },
    ],
    jwks: { keys: [key as never] },
    routes: {
      authorization: original.authorize,
      jwks: original.jwks ?? machinery.jwks,
      token: machinery.token,
      userinfo: machinery.userinfo,
    },
    scopes: [...original.scopes],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'picture'],
    },
    conformIdTokenClaims: false,
    pkce: { required: () => original.pkce === 'required' },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      // The nine share an origin here.
      names: { interaction: `${id}_interaction`, resume: `${id}_resume`, session: `${id}_session` },
    },
    ttl: {
      AccessToken: 3_600,
      AuthorizationCode: 60,
      IdToken: 3_600,
      Interaction: 600,
      Session: 600,
      Grant: 86_400,
      RefreshToken: 86_400,
    },
    findAccount(_context, sub) {
      const who = people.get(sub)
      return who && { accountId: sub, claims: async () => ({ ...original.claims?.(who), sub }) }
    },
    interactions: {
      url: (_context, { uid }) => `${new URL(issuer).pathname}${machinery.interaction}/${uid}`,
    },
    // Signing in implies consent: there is no second question.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        ...(oidc.client && { clientId: oidc.client.clientId }),
        ...(oidc.session?.accountId && { accountId: oidc.session.accountId }),
      })
      grant.addOIDCScope(original.scopes.join(' '))
      await grant.save()
      return grant
    },
    issueRefreshToken: async () => original.refreshable === true,
    renderError(context, { error, error_description }) {
      context.type = 'html'
      context.set(pageHeaders)
      context.body = problemPage({ id, name: original.name }, `${error}: ${error_description ?? ''}`)
    },
  }
  const provider = new Provider(issuer, configuration)
  provider.on('server_error', (_context, error) => console.error(`${original.name} failed:`, error))

  const met = new Set<string>()
  provider.registerResponseMode('form_post_with_user', (context: KoaContextWithOIDC, address, fields) => {
    const who = people.get(context.oidc.session?.accountId ?? '')
    const answer: Record<string, string> = {}
    for (const [name, value] of Object.entries(fields)) if (name !== 'iss') answer[name] = String(value)
    // The name is sent only once, in the response that the browser carries.
    if (who && 'code' in answer && !met.has(who.id)) {
      met.add(who.id)
      const [firstName = '', ...others] = who.name.split(' ')
      answer.user = JSON.stringify({ name: { firstName, lastName: others.join(' ') }, email: who.email })
    }
    context.type = 'html'
    context.status = 200
    context.set(formPostHeaders)
    context.body = formPostPage(address, answer)
  })
  return provider
}
