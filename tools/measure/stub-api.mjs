/** The few server answers that a measured page asks for; always the same and at once. */

export const appId = 'measured00000000000000000'
/** An app that also has wallets. */
export const walletAppId = 'measured-wallets-00000000'

/** An app with e-mail login. */
const appConfig = {
  id: appId,
  name: 'Measured',
  logo_url: null,
  icon_url: null,
  accent_color: '#4F56E0',
  theme: 'light',
  terms_and_conditions_url: null,
  privacy_policy_url: null,
  require_users_accept_terms: false,
  show_wallet_login_first: false,
  allowed_domains: [],
  allowed_native_app_ids: [],
  allowed_native_app_url_schemes: [],
  ...Object.fromEntries(
    [
      'wallet_auth',
      'solana_wallet_auth',
      'sms_auth',
      'google_oauth',
      'twitter_oauth',
      'discord_oauth',
      'github_oauth',
      'spotify_oauth',
      'instagram_oauth',
      'tiktok_oauth',
      'linkedin_oauth',
      'apple_oauth',
      'farcaster_auth',
      'passkey_auth',
      'passkeys_for_signup_enabled',
      'telegram_auth',
      'guest_auth',
      'twitter_oauth_on_mobile_enabled',
      'farcaster_link_wallets_enabled',
      'disable_plus_emails',
      'allowlist_enabled',
      'enforce_wallet_uis',
      'legacy_wallet_ui_config',
      'fiat_on_ramp_enabled',
      'captcha_enabled',
    ].map((name) => [name, false]),
  ),
  email_auth: true,
  allowlist_config: { error_title: null, error_detail: null, cta_text: null, cta_link: null },
  wallet_connect_cloud_project_id: null,
  custom_api_url: null,
  embedded_wallet_config: { create_on_login: 'off', user_owned_recovery_options: ['user-passcode'] },
  mfa_methods: [],
  verification_key: '',
  max_linked_wallets_per_user: null,
  created_at: 1_700_000_000,
  updated_at: 1_700_000_000,
}

const user = {
  id: 'did:privy:measured',
  created_at: 1_700_000_000,
  linked_accounts: [
    {
      type: 'email',
      address: 'ada@example.com',
      verified_at: 1_700_000_000,
      first_verified_at: 1_700_000_000,
      latest_verified_at: 1_700_000_000,
    },
  ],
  mfa_methods: [],
  has_accepted_terms: true,
  is_guest: false,
  custom_metadata: {},
}

/** A token that reads like a real one; nobody checks its signature in a page. */
const now = Math.floor(Date.now() / 1000)
export const token = [
  { alg: 'ES256', typ: 'JWT' },
  { sid: 'measured', sub: user.id, iss: 'privy.io', aud: appId, iat: now, exp: now + 3600 },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .concat('c2lnbmF0dXJl')
  .join('.')

/** What a page that was logged in before keeps in its storage (src/session/keys.ts). */
export const storedSession = { [`lk:${appId}:token`]: token, [`lk:${appId}:refresh`]: 't' }

/** The body for a request, or undefined when the stub does not know the path. */
export function answer(method, path) {
  if (method === 'GET' && path === `/api/v1/apps/${appId}`) return appConfig
  if (method === 'GET' && path === `/api/v1/apps/${walletAppId}`)
    return {
      ...appConfig,
      id: walletAppId,
      wallet_auth: true,
      wallet_connect_cloud_project_id: '0'.repeat(32),
    }
  if (method === 'GET' && path === '/api/v1/users/me') return { user, identity_token: null }
  if (method === 'POST' && path === '/api/v1/analytics_events') return null
  if (method === 'POST' && path === '/api/v1/sessions') {
    return { user, token, privy_access_token: null, refresh_token: null, session_update_action: 'set' }
  }
  return undefined
}
