import * as v from 'valibot'
import { type BridgeDeposit, bridgeFunction, bridgeInstruction } from '../lib/bridge-deposits.ts'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { flag, optionalText, parse, readableItems, requiredText } from './schema.ts'

/** When a wallet is created for a person who logs in. */
export type CreateOnLogin = 'users-without-wallets' | 'all-users' | 'off'

/** What the app says to somebody who is not on its list. */
export interface AllowlistWords {
  readonly title: string | undefined
  readonly detail: string | undefined
  readonly buttonText: string | undefined
  readonly link: string | undefined
}

/** The recovery methods that an app lets people own. */
export interface RecoverySettings {
  /** As the server names them, unknown ones included. */
  readonly options: readonly string[]
  /** Nobody gets a wallet before they have chosen one of them. */
  readonly required: boolean
}

export interface CaptchaSettings {
  /** Whether the server asks for it. */
  readonly enabled: boolean
  /** The vendor's key of this app; `undefined` where there is none, or one for a kind of captcha that we don't have. */
  readonly siteKey: string | undefined
}

/** The bot with which people log in at Telegram. */
export interface TelegramSettings {
  readonly botId: string
  readonly botName: string
  /** People who open the page inside Telegram are logged in without being asked. */
  readonly seamless: boolean
  /** Whether users may add an account of Telegram to theirs. */
  readonly canLink: boolean
  /** Where Telegram's own client for the browser is, which shows mini apps in a frame. */
  readonly clientOrigins: readonly string[]
}

/** A provider that sells coins to the app's users. */
export interface FundingProvider {
  readonly id: string
  /** For people. */
  readonly name: string
  /** `card`, `apple-pay`, `google-pay`, `bank-transfer`, `exchange`; a newer server knows others. */
  readonly methods: readonly string[]
  readonly isSandbox: boolean
  /** What it sells; `undefined` where the server doesn't say. */
  readonly sells?: readonly { readonly chain: string; readonly asset: string }[] | undefined
}
/** How users put money into their wallets. */
export interface FundingSettings {
  /** Chain of the proposed currency, CAIP-2; `undefined` where the server's can't be read. */
  readonly chain: string | undefined
  readonly asset: 'native-currency' | 'USDC' | undefined
  /** The amount that is proposed, in whole units. */
  readonly amount: string | undefined
  /** `moonpay`, `coinbase-onramp`, `external`; a newer server knows others. */
  readonly methods: readonly string[]
  readonly options: readonly { readonly method: string; readonly provider: string }[]
  readonly promptOnCreation: boolean
  readonly bridging: boolean
  /** Tokens beside coins and USDC that may be funded. */
  readonly tokens: readonly { readonly chain: string; readonly address: string }[]
  /** Providers whose keys the server has; empty at a server that is not ours. */
  readonly providers: readonly FundingProvider[]
  /** Where the bridge is; `undefined`: at its own hosts. */
  readonly bridge:
    | {
        readonly url: string
        readonly testnetUrl: string
        readonly protocol: 'quote' | 'swap'
        /** Where it may take deposits; `undefined`: where Relay does. */
        readonly deposits: readonly BridgeDeposit[] | undefined
      }
    | undefined
}

/** A contract whose code users may have at their own addresses (EIP-7702). */
export interface DelegateSetting {
  /** `undefined`: on every chain. */
  readonly chainId?: number
  readonly address: string
  /** For users. */
  readonly name: string
  readonly executesBatches: boolean
}

/** Of an app as its owner set it up at the server, what the client goes by. */
export interface AppConfig {
  readonly id: string
  readonly name: string
  readonly logoUrl: string | undefined
  readonly accentColor: string | undefined
  readonly theme: string | undefined
  readonly termsUrl: string | undefined
  readonly privacyUrl: string | undefined
  readonly requireUsersAcceptTerms: boolean
  readonly plusEmailsAllowed: boolean
  readonly customApiUrl: string | undefined
  readonly createOnLogin: CreateOnLogin
  readonly walletLoginFirst: boolean
  /** Login methods that the app has switched on, by our names. */
  readonly loginMethods: ReadonlySet<string>
  readonly captcha: CaptchaSettings
  readonly allowlist: AllowlistWords
  readonly recovery: RecoverySettings
  /** Whether a user must have a proof for a second device before the creation of their wallet is over. */
  readonly deviceProof: 'required' | 'optional'
  /** Contracts whose code users may have at their own addresses (EIP-7702); `undefined` at a server that doesn't say. */
  readonly delegates: readonly DelegateSetting[] | undefined
  /** Whether other apps may let users in with their accounts of this one. */
  readonly letsInOtherApps: boolean
  /** Who asks a person before a key is used: the vault itself, or the page. */
  readonly vault: 'strict' | 'compatible'
  /** Whether wallets' requests are reviewed in screens where the page says nothing. */
  readonly showsWalletUis: boolean
  /** Users secure a wallet with a password, without a choice of other methods. */
  readonly isLegacyRecovery: boolean
  /** Whether people may sign up with a passkey. */
  readonly passkeySignup: boolean
  /** The second factors that the app offers. */
  readonly mfaMethods: readonly string[]
  /** The id that the vendor of WalletConnect gave to this app. */
  readonly walletConnectProjectId: string | undefined
  /** `undefined` where the app has no bot. */
  readonly telegram: TelegramSettings | undefined
  /** `undefined` where the app's users can't fund their wallets. */
  readonly funding: FundingSettings | undefined
}

/** A server that doesn't say switches nothing off. */
const unlessFalse = v.fallback(v.optional(v.boolean(), true), true)
const texts = (otherwise: string[]) => v.fallback(readableItems(v.string()), otherwise)

const embeddedWallets = v.object({
  create_on_login: v.fallback(v.picklist(['users-without-wallets', 'all-users', 'off']), 'off'),
  user_owned_recovery_options: texts([]),
  require_user_owned_recovery_on_create: flag,
  require_user_password_on_create: flag,
  // A wallet that lives in one browser alone is a choice that an older server leaves to its user.
  device_proof: v.fallback(v.picklist(['required', 'optional']), 'optional'),
})

const delegates = readableItems(
  v.pipe(
    v.object({
      chain_id: v.optional(v.pipe(v.string(), v.regex(/^eip155:[1-9]\d{0,14}$/))),
      address: v.pipe(v.string(), v.regex(/^0x[\da-fA-F]{40}$/)),
      name: requiredText,
      executes_batches: flag,
    }),
    v.transform(
      ({ chain_id: chain, address, name, executes_batches: executesBatches }): DelegateSetting => ({
        ...(chain !== undefined && { chainId: Number(chain.slice('eip155:'.length)) }),
        address,
        name,
        executesBatches,
      }),
    ),
  ),
)

const httpAddress = v.pipe(v.string(), v.regex(/^https?:\/\/[^\s/?#]+(?:\/[^\s?#]*[^\s/?#])?$/))
const funding = v.pipe(
  v.object({
    default_recommended_currency: v.fallback(
      v.object({
        chain: optionalText,
        asset: v.fallback(v.optional(v.picklist(['native-currency', 'USDC'])), undefined),
      }),
      {},
    ),
    default_recommended_amount: v.fallback(
      v.optional(v.pipe(v.string(), v.regex(/^\d{1,30}(?:\.\d{1,30})?$/))),
      undefined,
    ),
    methods: texts([]),
    options: v.fallback(readableItems(v.object({ method: requiredText, provider: requiredText })), []),
    prompt_funding_on_wallet_creation: flag,
    cross_chain_bridging_enabled: flag,
    tokens: v.fallback(readableItems(v.object({ chain: requiredText, address: requiredText })), []),
    providers: v.fallback(
      readableItems(
        v.object({
          id: requiredText,
          name: v.fallback(v.string(), ''),
          methods: texts([]),
          is_sandbox: flag,
          sells: v.fallback(
            v.optional(readableItems(v.object({ chain: requiredText, asset: requiredText }))),
            undefined,
          ),
        }),
      ),
      [],
    ),
    bridge: v.fallback(
      v.optional(
        v.object({
          url: httpAddress,
          testnet_url: httpAddress,
          protocol: v.fallback(v.picklist(['quote', 'swap']), 'quote'),
          deposits: v.optional(
            readableItems(
              v.union([
                v.object({
                  chain: v.literal('solana:mainnet'),
                  address: v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)),
                  functions: v.array(v.pipe(v.string(), v.regex(bridgeInstruction))),
                }),
                v.object({
                  chain: optionalText,
                  address: v.pipe(v.string(), v.regex(/^0x[\da-fA-F]{40}$/)),
                  functions: v.array(v.pipe(v.string(), v.regex(bridgeFunction))),
                }),
              ]),
            ),
          ),
        }),
      ),
      undefined,
    ),
  }),
  v.transform(
    ({ default_recommended_currency: currency, bridge, ...raw }): FundingSettings => ({
      chain: currency.chain,
      asset: currency.asset,
      amount: raw.default_recommended_amount,
      methods: raw.methods,
      options: raw.options,
      promptOnCreation: raw.prompt_funding_on_wallet_creation,
      bridging: raw.cross_chain_bridging_enabled,
      tokens: raw.tokens,
      providers: raw.providers.map(({ id, name, methods, is_sandbox: isSandbox, sells }) => ({
        id,
        name: name || id,
        methods,
        isSandbox,
        ...(sells && { sells }),
      })),
      bridge: bridge && {
        url: bridge.url,
        testnetUrl: bridge.testnet_url,
        protocol: bridge.protocol,
        deposits: bridge.deposits,
      },
    }),
  ),
)

/**
 * Read before the first screen: a field that is missing, or that a newer server has changed, must not keep anybody
 * out. Only an answer that is no app at all is refused.
 */
const appConfig = v.pipe(
  v.looseObject({
    id: requiredText,
    name: v.fallback(v.string(), ''),
    logo_url: optionalText,
    accent_color: optionalText,
    theme: optionalText,
    terms_and_conditions_url: optionalText,
    privacy_policy_url: optionalText,
    require_users_accept_terms: flag,
    disable_plus_emails: flag,
    custom_api_url: optionalText,
    show_wallet_login_first: flag,
    captcha_enabled: flag,
    captcha_site_key: optionalText,
    enforce_wallet_uis: unlessFalse,
    legacy_wallet_ui_config: flag,
    fiat_on_ramp_enabled: unlessFalse,
    passkeys_for_signup_enabled: flag,
    mfa_methods: texts([]),
    // A server without modes does as the page asks; of a mode that this version doesn't know, the careful one is meant.
    vault_mode: v.fallback(v.optional(v.picklist(['strict', 'compatible']), 'compatible'), 'strict'),
    wallet_connect_cloud_project_id: optionalText,
    cross_app_provider: flag,
    allowlist_config: v.fallback(
      v.object({
        error_title: optionalText,
        error_detail: optionalText,
        cta_text: optionalText,
        cta_link: optionalText,
      }),
      {},
    ),
    embedded_wallet_config: v.fallback(embeddedWallets, () => parse(embeddedWallets, {}, 'app')),
    telegram_auth_config: v.fallback(
      v.optional(
        v.object({
          bot_id: requiredText,
          bot_name: v.fallback(v.string(), ''),
          seamless_auth_enabled: flag,
          link_enabled: unlessFalse,
          client_origins: texts(['https://web.telegram.org']),
        }),
      ),
      undefined,
    ),
    delegates: v.optional(v.fallback(delegates, () => [])),
    funding_config: v.fallback(v.optional(funding), undefined),
  }),
  v.transform((raw): AppConfig => {
    const { allowlist_config: allowlist, embedded_wallet_config: wallets, telegram_auth_config: bot } = raw
    return {
      id: raw.id,
      name: raw.name,
      logoUrl: raw.logo_url,
      accentColor: raw.accent_color,
      theme: raw.theme,
      termsUrl: raw.terms_and_conditions_url,
      privacyUrl: raw.privacy_policy_url,
      requireUsersAcceptTerms: raw.require_users_accept_terms,
      plusEmailsAllowed: !raw.disable_plus_emails,
      customApiUrl: raw.custom_api_url,
      createOnLogin: wallets.create_on_login,
      walletLoginFirst: raw.show_wallet_login_first,
      loginMethods: new Set(Object.entries(raw).flatMap(methodOf)),
      captcha: { enabled: raw.captcha_enabled, siteKey: turnstileKeyOf(raw.captcha_site_key) },
      allowlist: {
        title: allowlist.error_title,
        detail: allowlist.error_detail,
        buttonText: allowlist.cta_text,
        link: allowlist.cta_link,
      },
      recovery: {
        options: wallets.user_owned_recovery_options,
        required: wallets.require_user_owned_recovery_on_create || wallets.require_user_password_on_create,
      },
      deviceProof: wallets.device_proof,
      delegates: raw.delegates,
      letsInOtherApps: raw.cross_app_provider,
      vault: raw.vault_mode,
      showsWalletUis: raw.enforce_wallet_uis,
      isLegacyRecovery: raw.legacy_wallet_ui_config,
      passkeySignup: raw.passkeys_for_signup_enabled,
      mfaMethods: raw.mfa_methods,
      walletConnectProjectId: raw.wallet_connect_cloud_project_id,
      telegram: bot && {
        botId: bot.bot_id,
        botName: bot.bot_name,
        seamless: bot.seamless_auth_enabled,
        canLink: bot.link_enabled,
        clientOrigins: bot.client_origins,
      },
      funding: raw.funding_config && {
        ...raw.funding_config,
        ...(!raw.fiat_on_ramp_enabled && { providers: [] }),
      },
    }
  }),
)

/** A login method that is on: the server's flag is our name of it with `_auth` or `_oauth` behind. */
const methodOf = ([name, value]: [string, unknown]) =>
  value === true && /_o?auth$/.test(name) ? [name.replace(/_o?auth$/, '').replace('_', '-')] : []

/** A site key may have parts for several kinds of captcha; what follows `t:` is Turnstile's. */
const turnstileKeyOf = (key = '') =>
  key
    .split(',')
    .find((part) => part.trim().startsWith('t:'))
    ?.trim()
    .slice(2) || undefined

/**
 * `GET /apps/:id`: the app's configuration, always from the address that the host set. Throws what {@link Http.call}
 * throws.
 */
export function getAppConfig(http: Http, appId: string, options?: CallOptions): Promise<AppConfig> {
  const endpoint: Endpoint<undefined, AppConfig> = {
    method: 'GET',
    path: `/api/v1/apps/${encodeURIComponent(appId)}`,
    answer: appConfig,
    refreshesFirst: false,
    onFallbackBase: true,
  }
  return http.call(endpoint, undefined, options)
}
