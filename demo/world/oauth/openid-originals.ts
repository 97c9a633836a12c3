import { message, type Original, type Reply, words } from './original.ts'
import { keepsDrive, type Person } from './people.ts'

/** The scope that opens an app's own folder, and nothing else of a person's drive. */
export const appDataScope = 'https://www.googleapis.com/auth/drive.appdata'

const openidClaims = ({ id, name, picture, email, emailVerified }: Person) => ({
  sub: id,
  name,
  given_name: name.split(' ')[0],
  picture,
  email,
  email_verified: emailVerified,
})
const userinfo = (person: Person): Reply => ({ body: openidClaims(person) })

/** Those that say who somebody is in an identity token. */
export const openidOriginals = {
  google: {
    name: 'Google',
    authorize: '/o/oauth2/v2/auth',
    token: '/token',
    profile: '/v1/userinfo',
    jwks: '/oauth2/v3/certs',
    scopes: ['openid', 'email', 'profile', appDataScope],
    explains: {
      [appDataScope]: 'See, create and delete its own configuration data in your Google Drive.',
    },
    clientAuth: 'client_secret_post',
    // People may grant less than what was asked for, and then the answer says so.
    tokenReply(reply, person) {
      if (!person || !keepsDrive(person.login) || !reply.body.scope) return reply
      const scope = words(reply.body.scope).filter((each) => each !== appDataScope)
      return { ...reply, body: { ...reply.body, scope: scope.join(' ') } }
    },
    claims: openidClaims,
    profileReply: userinfo,
    suspended: message(400, { error: 'invalid_grant', error_description: 'Account has been suspended.' }),
    rateLimited: message(429, { error: 'rate_limit_exceeded', error_description: 'Quota exceeded.' }),
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
} satisfies Record<string, Original>
