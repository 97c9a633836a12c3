import { message, type Original, words } from './original.ts'
import type { Person } from './people.ts'

const openId = ({ id }: Person) => `-000${id}`

/** Those at which a client asks for the profile. */
export const plainOriginals = {
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
        id,
        username,
        discriminator: '0',
        global_name: name,
        avatar: null,
        locale: 'en-GB',
        flags: 0,
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
      // Failures are reported with 200, and tokens don't expire.
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
          id,
          username,
          name,
          ...(words(query.get('user.fields')).includes('profile_image_url') && {
            profile_image_url: picture,
          }),
        },
      },
    }),
    suspended: message(403, {
      title: 'Forbidden',
      status: 403,
      type: 'https://api.twitter.com/2/problems/user-suspended',
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
        id,
        display_name: name,
        type: 'user',
        uri: `spotify:user:${id}`,
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
      // Failures are reported with 200 here too.
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
        open_id: openId(person),
        union_id: `union-${person.id}`,
        avatar_url: person.picture,
        display_name: person.name,
        username: person.username,
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
} satisfies Record<string, Original>
