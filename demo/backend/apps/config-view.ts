import { toSeconds } from '../lib/time.ts'
import { rampViews } from '../ramps/ramps.ts'
import type { App } from '../settings/app.ts'
import type { Outside } from '../settings/outside.ts'

/** What is public about an app: every field of the protocol, and of our own where Telegram's clients are. */
export function appConfigView(app: App, verificationKey: string, outside: Outside) {
  const on = (method: App['methods'][number]) => app.methods.includes(method)
  const { embeddedWallets, funding, captcha, telegram, allowlist } = app
  return {
    id: app.id,
    name: app.name,
    logo_url: app.logoUrl,
    icon_url: app.iconUrl,
    accent_color: app.accentColor,
    theme: app.theme,
    terms_and_conditions_url: app.termsUrl,
    privacy_policy_url: app.privacyUrl,
    require_users_accept_terms: app.requireTerms,
    show_wallet_login_first: app.showWalletLoginFirst,
    allowed_domains: app.allowedDomains,
    allowed_native_app_ids: app.allowedNativeAppIds,
    allowed_native_app_url_schemes: app.allowedNativeAppUrlSchemes,
    wallet_auth: on('wallet'),
    solana_wallet_auth: on('solana-wallet'),
    email_auth: on('email'),
    sms_auth: on('sms'),
    google_oauth: on('google'),
    twitter_oauth: on('twitter'),
    discord_oauth: on('discord'),
    github_oauth: on('github'),
    spotify_oauth: on('spotify'),
    instagram_oauth: on('instagram'),
    tiktok_oauth: on('tiktok'),
    linkedin_oauth: on('linkedin'),
    apple_oauth: on('apple'),
    farcaster_auth: on('farcaster'),
    passkey_auth: on('passkey'),
    passkeys_for_signup_enabled: on('passkey-signup'),
    telegram_auth: on('telegram'),
    guest_auth: on('guest'),
    twitter_oauth_on_mobile_enabled: app.twitterOnMobile,
    farcaster_link_wallets_enabled: app.farcasterLinkWallets,
    disable_plus_emails: !app.plusEmails,
    allowlist_enabled: allowlist !== undefined,
    allowlist_config: {
      error_title: allowlist?.title ?? null,
      error_detail: allowlist?.detail ?? null,
      cta_text: allowlist?.buttonText ?? null,
      cta_link: allowlist?.link ?? null,
    },
    wallet_connect_cloud_project_id: app.walletConnectProjectId,
    custom_api_url: null,
    embedded_wallet_config: {
      create_on_login: embeddedWallets.createOnLogin,
      // Clients of later generations read these, and never start without them.
      ethereum: { create_on_login: embeddedWallets.createOnLogin },
      solana: { create_on_login: 'off' },
      // Keys are in the user's own vault: no client may ask this server for wallets whose keys it has.
      mode: 'legacy-embedded-wallets-only',
      user_owned_recovery_options: embeddedWallets.recoveryOptions,
      require_user_owned_recovery_on_create: embeddedWallets.requireOwnRecovery,
      require_user_password_on_create: embeddedWallets.requirePassword,
      device_proof: embeddedWallets.deviceProof,
    },
    delegates: app.delegates.map(({ chainId, address, name, executesBatches }) => ({
      ...(chainId !== undefined && { chain_id: `eip155:${chainId}` }),
      address,
      name,
      executes_batches: executesBatches,
    })),
    // Unmodified clients take it for the default of their page's own setting: with `false` they would sign unseen.
    enforce_wallet_uis: true,
    vault_mode: app.vault,
    ...(app.crossApp && { cross_app_provider: true }),
    legacy_wallet_ui_config: app.legacyWalletUi,
    fiat_on_ramp_enabled: app.fiatOnRamp ?? rampViews(app).length > 0,
    captcha_enabled: captcha?.enabled ?? false,
    ...(captcha && { captcha_site_key: captcha.siteKey }),
    mfa_methods: app.mfaMethods,
    verification_key: verificationKey,
    ...(telegram && {
      telegram_auth_config: {
        bot_id: telegram.botId,
        bot_name: telegram.botName,
        link_enabled: telegram.link,
        seamless_auth_enabled: telegram.seamless,
        client_origins: outside.telegramClients,
      },
    }),
    ...(funding && {
      funding_config: {
        default_recommended_currency: {
          chain: funding.chain,
          ...(funding.asset && { asset: funding.asset }),
        },
        default_recommended_amount: funding.amount,
        methods: funding.methods,
        options: funding.options,
        prompt_funding_on_wallet_creation: funding.promptOnCreation,
        cross_chain_bridging_enabled: funding.bridging,
        providers: rampViews(app),
        ...(funding.tokens.length > 0 && { tokens: funding.tokens }),
        ...(funding.bridge && {
          bridge: {
            url: funding.bridge.url,
            testnet_url: funding.bridge.testnetUrl,
            protocol: funding.bridge.protocol,
            ...(funding.bridge.deposits && { deposits: funding.bridge.deposits }),
          },
        }),
      },
    }),
    max_linked_wallets_per_user: app.maxLinkedWallets,
    created_at: toSeconds(app.createdAt),
    updated_at: toSeconds(Math.max(app.updatedAt ?? 0, app.createdAt)),
  }
}
