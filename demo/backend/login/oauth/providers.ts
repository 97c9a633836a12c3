import type { OAuthProvider } from '../../settings/names.ts'
import type { OAuthEndpoints } from '../../settings/outside.ts'

/** How a social provider is spoken to. */
export interface Provider {
  id: OAuthProvider
  /** As people know it. */
  name: string
  authorize: string
  token: string
  /** Where the profile is read; without it the identity token says it all. */
  profile?: string
  /** What its answers name as their sender: RFC 9207, and `iss` of identity tokens. */
  issuer?: string
  /** The same in identity tokens of an older form. */
  oldIssuer?: string
  jwks?: string
  scopes: readonly string[]
  scopeSeparator?: ','
  /** How this backend proves to be the client: in a header, in the form, or by a secret that it signs each time. */
  clientAuth: 'basic' | 'form' | 'signed'
  /** The name of the parameter with the client's id. */
  clientIdName?: 'client_key'
  /** Proves to the provider that the sender of the code also requested it (RFC 7636, S256). */
  pkce: boolean
  /** Binds the identity token to this one login. */
  nonce?: boolean
  /** More parameters for the sign-in page. */
  authorizeWith?: Readonly<Record<string, string>>
  /** Parameters that make the user act at the provider, where a session there alone is not enough. */
  freshWith?: Readonly<Record<string, string>>
  /** The address of the return ends in a fragment, which must not reach the app's page. */
  leavesFragment?: true
}

/** The nine with their real addresses, as their documentation has them. */
const providers: { [Id in OAuthProvider]: Provider & { id: Id } } = {
  google: {
    id: 'google',
    name: 'Google',
    authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    issuer: 'https://accounts.google.com',
    oldIssuer: 'accounts.google.com',
    jwks: 'https://www.googleapis.com/oauth2/v3/certs',
    scopes: ['openid', 'email', 'profile'],
    clientAuth: 'form',
    pkce: true,
    nonce: true,
    authorizeWith: { prompt: 'select_account' },
    freshWith: { prompt: 'consent select_account' },
  },
  discord: {
    id: 'discord',
    name: 'Discord',
    authorize: 'https://discord.com/oauth2/authorize',
    token: 'https://discord.com/api/oauth2/token',
    profile: 'https://discord.com/api/users/@me',
    scopes: ['identify', 'email'],
    clientAuth: 'form',
    pkce: true,
    freshWith: { prompt: 'consent' },
  },
  twitter: {
    id: 'twitter',
    name: 'Twitter',
    authorize: 'https://x.com/i/oauth2/authorize',
    token: 'https://api.x.com/2/oauth2/token',
    profile: 'https://api.x.com/2/users/me?user.fields=profile_image_url',
    scopes: ['users.read', 'tweet.read'],
    clientAuth: 'basic',
    pkce: true,
  },
  github: {
    id: 'github',
    name: 'GitHub',
    authorize: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    profile: 'https://api.github.com/user',
    scopes: ['read:user', 'user:email'],
    clientAuth: 'form',
    pkce: true,
    freshWith: { prompt: 'select_account' },
  },
  spotify: {
    id: 'spotify',
    name: 'Spotify',
    authorize: 'https://accounts.spotify.com/authorize',
    token: 'https://accounts.spotify.com/api/token',
    profile: 'https://api.spotify.com/v1/me',
    scopes: ['user-read-email'],
    clientAuth: 'basic',
    pkce: true,
    freshWith: { show_dialog: 'true' },
  },
  instagram: {
    id: 'instagram',
    name: 'Instagram',
    authorize: 'https://www.instagram.com/oauth/authorize',
    token: 'https://api.instagram.com/oauth/access_token',
    profile: 'https://graph.instagram.com/me?fields=user_id,username',
    scopes: ['instagram_business_basic'],
    scopeSeparator: ',',
    clientAuth: 'form',
    pkce: false,
    leavesFragment: true,
  },
  tiktok: {
    id: 'tiktok',
    name: 'TikTok',
    authorize: 'https://www.tiktok.com/v2/auth/authorize/',
    token: 'https://open.tiktokapis.com/v2/oauth/token/',
    profile: 'https://open.tiktokapis.com/v2/user/info/?fields=open_id,display_name,username',
    scopes: ['user.info.basic', 'user.info.profile'],
    scopeSeparator: ',',
    clientAuth: 'form',
    clientIdName: 'client_key',
    pkce: false,
    freshWith: { disable_auto_auth: '1' },
  },
  linkedin: {
    id: 'linkedin',
    name: 'LinkedIn',
    authorize: 'https://www.linkedin.com/oauth/v2/authorization',
    token: 'https://www.linkedin.com/oauth/v2/accessToken',
    issuer: 'https://www.linkedin.com/oauth',
    jwks: 'https://www.linkedin.com/oauth/openid/jwks',
    scopes: ['openid', 'profile', 'email'],
    clientAuth: 'form',
    // It refuses a verifier and keeps a nonce to itself.
    pkce: false,
  },
  apple: {
    id: 'apple',
    name: 'Apple',
    authorize: 'https://appleid.apple.com/auth/authorize',
    token: 'https://appleid.apple.com/auth/token',
    issuer: 'https://appleid.apple.com',
    jwks: 'https://appleid.apple.com/auth/keys',
    scopes: ['email'],
    clientAuth: 'signed',
    pkce: false,
    nonce: true,
    // Apple requires it when a scope is requested.
    authorizeWith: { response_mode: 'form_post' },
  },
}

/**
 * A provider at the addresses that the settings give, or at its real ones. Of the profile's address only what stands
 * before the query is a setting.
 */
export function readProvider(id: OAuthProvider, given: Partial<OAuthEndpoints> = {}): Provider {
  const known: Provider = providers[id]
  const { authorize, token, profile, issuer, jwks } = given
  const query = known.profile ? new URL(known.profile).search : ''
  const { oldIssuer, ...rest } = known
  return {
    ...rest,
    ...(oldIssuer && !issuer && { oldIssuer }),
    ...(authorize && { authorize }),
    ...(token && { token }),
    ...(profile && known.profile && { profile: profile + query }),
    ...(issuer && { issuer }),
    ...(jwks && known.jwks && { jwks }),
  }
}
