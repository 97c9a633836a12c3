import { isRateLimited, isSuspended, type Person } from './people.ts'

export const providerNames = [
  'google',
  'discord',
  'github',
  'linkedin',
  'twitter',
  'spotify',
  'instagram',
  'tiktok',
  'apple',
] as const
export type ProviderName = (typeof providerNames)[number]

/** An answer as JSON; 200 unless it says otherwise. */
export interface Reply {
  status?: number
  headers?: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: each provider has a shape of its own
  body: any
}

/** In what one provider differs from the OAuth standard and from the others. Paths are those of the original. */
export interface Original {
  name: string
  authorize: string
  token: string
  profile?: string
  jwks?: string
  scopes: readonly string[]
  clientAuth: 'client_secret_basic' | 'client_secret_post'
  /** `refused`: a code verifier makes the token request fail. */
  pkce?: 'required' | 'refused'
  /** Gives out refresh tokens. */
  refreshable?: true
  /** What a denial is called. */
  denied?: string
  /** Puts the request for the sign-in page into the standard's words. Returns what is wrong with it. */
  onAuthorize?(query: URLSearchParams): string | undefined
  /** The same for a token request. */
  onToken?(form: URLSearchParams): void
  /** Puts the standard's token answer into the original's words. */
  tokenReply?(reply: Reply, person: Person | undefined): Reply
  claims?(person: Person): Record<string, unknown>
  profileReply?(person: Person, scopes: ReadonlySet<string>, path: string, query: URLSearchParams): Reply
  /** What the first call of a kind of account is refused with: the profile's, or else the token's. */
  suspended: Reply
  rateLimited: Reply
}

/** Accounts that the provider itself refuses. */
export function refusalOf(original: Original, { login }: Person): Reply | undefined {
  if (isSuspended(login)) return original.suspended
  return isRateLimited(login) ? original.rateLimited : undefined
}

const words = (scopes: string | null) => (scopes ?? '').split(/[\s,]+/).filter(Boolean)
const openidClaims = ({ id, name, picture, email, emailVerified }: Person) => ({
  sub: id,
  ...{ name, given_name: name.split(' ')[0], picture, email, email_verified: emailVerified },
})
const userinfo = (person: Person): Reply => ({ body: openidClaims(person) })
const message = (status: number, body: object, headers?: Record<string, string>): Reply => ({
  status,
  body,
  ...(headers && { headers }),
})

export const originals: Record<ProviderName, Original> = {
  google: {
    name: 'Google',
    authorize: '/o/oauth2/v2/auth',
    token: '/token',
    profile: '/v1/userinfo',
    jwks: '/oauth2/v3/certs',
    scopes: ['openid', 'email', 'profile'],
    clientAuth: 'client_secret_post',
    claims: openidClaims,
    profileReply: userinfo,
    suspended: message(400, { error: 'invalid_grant', error_description: 'Account has been suspended.' }),
    rateLimited: message(429, { error: 'rate_limit_exceeded', error_description: 'Quota exceeded.' }),
  },
  discord: {
    name: 'Discord',
    authorize: '/oauth2/authorize',
    token: '/api/oauth2/token',
    profile: '/api/users/@me',
    scopes: ['identify', 'email'],
    clientAuth: 'client_secret_post',
    refreshable: true,
    profileReply: ({ id, username, name, email, emailVerified }, scopes) => ({
      body: {
        ...{ id, username, discriminator: '0', global_name: name, avatar: null, locale: 'en-GB', flags: 0 },
        ...(scopes.has('email') && { email, verified: emailVerified }),
      },
    }),
    suspended: message(403, { message: 'This account has been suspended.', code: 40007 }),
    rateLimited: message(
      429,
      { message: 'You are being rate limited.', retry_after: 1.5, global: false },
      { 'retry-after': '2' },
    ),
  },
  github: {
    name: 'GitHub',
    authorize: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    profile: '/user',
    scopes: ['read:user', 'user:email'],
    clientAuth: 'client_secret_post',
    tokenReply({ status = 200, body }) {
      // A failure is told with 200, and a token has no end.
      if (status === 200)
        return {
          body: {
            access_token: body.access_token,
            token_type: 'bearer',
            scope: body.scope.replaceAll(' ', ','),
          },
        }
      const error = body.error === 'invalid_client' ? 'incorrect_client_credentials' : 'bad_verification_code'
      return { body: { error, error_description: 'The code passed is incorrect or expired.' } }
    },
    profileReply({ id, username, name, picture, email, emailVerified }, scopes, path) {
      if (path === '/user')
        return {
          body: { login: username, id: Number(id), avatar_url: picture, name, email: null, type: 'User' },
        }
      if (!scopes.has('user:email')) return message(404, { message: 'Not Found' })
      return {
        body: [
          {
            email: `${username}@users.noreply.github.example`,
            primary: false,
            verified: true,
            visibility: null,
          },
          { email, primary: true, verified: emailVerified, visibility: 'private' },
        ],
      }
    },
    suspended: message(403, { message: 'Sorry. Your account was suspended.' }),
    rateLimited: message(
      403,
      { message: 'API rate limit exceeded for user ID 1.' },
      { 'x-ratelimit-remaining': '0' },
    ),
  },
  linkedin: {
    name: 'LinkedIn',
    authorize: '/oauth/v2/authorization',
    token: '/oauth/v2/accessToken',
    profile: '/v2/userinfo',
    jwks: '/oauth/openid/jwks',
    scopes: ['openid', 'profile', 'email'],
    clientAuth: 'client_secret_post',
    pkce: 'refused',
    denied: 'user_cancelled_login',
    // It takes a nonce and never gives it back.
    onAuthorize: (query) =>
      void ['nonce', 'code_challenge', 'code_challenge_method'].map((name) => query.delete(name)),
    claims: openidClaims,
    profileReply: userinfo,
    suspended: message(403, {
      error: 'access_denied',
      error_description: 'The member account is suspended.',
    }),
    rateLimited: message(429, {
      serviceErrorCode: 101,
      message: 'Resource level throttle limit is reached.',
    }),
  },
  twitter: {
    name: 'Twitter',
    authorize: '/i/oauth2/authorize',
    token: '/2/oauth2/token',
    profile: '/2/users/me',
    scopes: ['users.read', 'tweet.read', 'users.email', 'offline.access'],
    clientAuth: 'client_secret_basic',
    pkce: 'required',
    profileReply: ({ id, username, name, picture }, _scopes, _path, query) => ({
      body: {
        data: {
          ...{ id, username, name },
          ...(words(query.get('user.fields')).includes('profile_image_url') && {
            profile_image_url: picture,
          }),
        },
      },
    }),
    suspended: message(403, {
      ...{ title: 'Forbidden', status: 403, type: 'https://api.twitter.com/2/problems/user-suspended' },
      detail: 'Your account is suspended and is not permitted to access this feature.',
    }),
    rateLimited: message(429, { title: 'Too Many Requests', detail: 'Too Many Requests', status: 429 }),
  },
  spotify: {
    name: 'Spotify',
    authorize: '/authorize',
    token: '/api/token',
    profile: '/v1/me',
    scopes: ['user-read-email', 'user-read-private'],
    clientAuth: 'client_secret_basic',
    refreshable: true,
    profileReply: ({ id, name, email, picture }, scopes) => ({
      body: {
        ...{ id, display_name: name, type: 'user', uri: `spotify:user:${id}` },
        ...(scopes.has('user-read-email') && { email }),
        images: [{ url: picture, height: 300, width: 300 }],
      },
    }),
    suspended: message(403, { error: { status: 403, message: 'The user account is suspended.' } }),
    rateLimited: message(
      429,
      { error: { status: 429, message: 'API rate limit exceeded' } },
      { 'retry-after': '5' },
    ),
  },
  instagram: {
    name: 'Instagram',
    authorize: '/oauth/authorize',
    token: '/oauth/access_token',
    profile: '/me',
    scopes: ['instagram_business_basic'],
    clientAuth: 'client_secret_post',
    onAuthorize: (query) => void query.set('scope', words(query.get('scope')).join(' ')),
    tokenReply({ status = 200, body }, person) {
      if (status !== 200 || !person)
        return message(400, {
          error_type: 'OAuthException',
          code: 400,
          error_message: body.error_description,
        })
      const { access_token, scope } = body
      return { body: { access_token, user_id: Number(person.id), permissions: words(scope) } }
    },
    profileReply({ id, username, picture }, _scopes, _path, query) {
      const known: Record<string, string> = { id, user_id: id, username, profile_picture_url: picture }
      const asked = words(query.get('fields')).filter((field) => field in known)
      return { body: { ...Object.fromEntries(asked.map((field) => [field, known[field]])), id } }
    },
    suspended: message(400, {
      error: { message: 'The user account is suspended.', type: 'OAuthException', code: 190 },
    }),
    rateLimited: message(403, {
      error: { message: '(#4) Application request limit reached', type: 'OAuthException', code: 4 },
    }),
  },
  tiktok: {
    name: 'TikTok',
    authorize: '/v2/auth/authorize/',
    token: '/v2/oauth/token/',
    profile: '/v2/user/info/',
    scopes: ['user.info.basic', 'user.info.profile'],
    clientAuth: 'client_secret_post',
    refreshable: true,
    onAuthorize(query) {
      if (query.has('client_id')) return 'client_key'
      query.set('client_id', query.get('client_key') ?? '')
      query.delete('client_key')
      query.set('scope', words(query.get('scope')).join(' '))
      return undefined
    },
    onToken(form) {
      form.set('client_id', form.get('client_key') ?? '')
      form.delete('client_key')
    },
    tokenReply({ status = 200, body }, person) {
      // A failure is told with 200 here too.
      if (status !== 200 || !person)
        return { body: { error: body.error, error_description: body.error_description, log_id: '2026' } }
      return {
        body: {
          ...body,
          scope: words(body.scope).join(','),
          open_id: openId(person),
          refresh_expires_in: 31_536_000,
        },
      }
    },
    profileReply(person, scopes, _path, query) {
      const asked = words(query.get('fields'))
      const ok = { code: 'ok', message: '', log_id: '2026' }
      if (asked.includes('username') && !scopes.has('user.info.profile'))
        return message(401, { data: {}, error: { ...ok, code: 'scope_not_authorized' } })
      const known: Record<string, string> = {
        ...{ open_id: openId(person), union_id: `union-${person.id}`, avatar_url: person.picture },
        ...{ display_name: person.name, username: person.username },
      }
      const user = Object.fromEntries(
        asked.flatMap((field) => (field in known ? [[field, known[field]]] : [])),
      )
      return { body: { data: { user }, error: ok } }
    },
    suspended: message(403, {
      data: {},
      error: { code: 'user_suspended', message: 'The user account is suspended.' },
    }),
    rateLimited: message(429, {
      data: {},
      error: { code: 'rate_limit_exceeded', message: 'Try again later.' },
    }),
  },
  apple: {
    name: 'Apple',
    authorize: '/auth/authorize',
    token: '/auth/token',
    jwks: '/auth/keys',
    scopes: ['openid', 'name', 'email'],
    clientAuth: 'client_secret_post',
    refreshable: true,
    denied: 'user_cancelled_authorize',
    onAuthorize(query) {
      const scopes = words(query.get('scope'))
      if (scopes.length > 0 && query.get('response_mode') !== 'form_post') return 'response_mode'
      query.set('scope', ['openid', ...scopes].join(' '))
      if (query.get('response_mode') === 'form_post') query.set('response_mode', 'form_post_with_user')
      return undefined
    },
    // Truth is a word here.
    claims: ({ id, email, emailVerified }) => ({
      sub: `000123.${id}.0456`,
      email,
      email_verified: String(emailVerified),
    }),
    suspended: message(400, { error: 'invalid_grant', error_description: 'The account is suspended.' }),
    rateLimited: message(429, { error: 'rate_limit_exceeded' }),
  },
}

const openId = ({ id }: Person) => `-000${id}`
