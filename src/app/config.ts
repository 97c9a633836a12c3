import type { Chain } from '../ethereum/chains.ts'
import { safeLink } from '../lib/safe-link.ts'
import type { AppConfig, CreateOnLogin } from '../protocol/app-config.ts'
import type { LoginMethod } from '../protocol/login-method.ts'
import { appLimits } from './limits.ts'

/** A greatest amount of payments: in US dollars for all assets that have a price, or in smallest units for single assets. */
export interface PaymentCap {
  /** US dollars. USDC counts as one dollar. */
  usd?: number
  /** By asset, CAIP-19: `eip155:8453/erc20:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913`. */
  assets?: Readonly<Record<string, bigint>>
}

/** Client-side app configuration. Everything is optional. */
export interface HostConfig {
  /** How dialogs look, and what the landing screen says. */
  appearance?: {
    /** `light`, `dark`, or a background colour, whose luminance decides; the system's scheme by default. */
    theme?: 'light' | 'dark' | (string & {})
    /** Colour of the buttons that lead on, as hex; the server's setting by default. */
    accentColor?: string
    /** Address of an image, or a data URL; the server's setting by default. */
    logo?: string
    /** Title of the landing screen. */
    landingHeader?: string
    /** A line below that title. */
    loginMessage?: string
    /** Whether wallets come before the other ways of logging in, where there is no order of methods. */
    showWalletLoginFirst?: boolean
    /** The external wallets that are offered, by client type, in this order. */
    walletList?: readonly string[]
    /** The chains whose external wallets are offered. */
    walletChainType?: 'ethereum-only' | 'solana-only' | 'ethereum-and-solana'
    /** Which group comes first without an explicit order: e-mail and social logins, or wallets. */
    loginGroupPriority?: 'web2-first' | 'web3-first'
    /** Shows the e-mail and phone inputs as 'Continue with' buttons. */
    hideDirectWeb2Inputs?: boolean
    /**
     * Whether the page's reviews display what amounts of a network's own coin are worth in US dollars; they do by default. In strict apps the
     * vault goes by the app's own setting of that name at the server.
     */
    nativeTokenPrices?: boolean
  }
  /** Methods in the order in which they are shown. */
  loginMethods?: readonly LoginMethod[]
  /** The same in two groups: `primary` is shown at once, `overflow` behind a button. */
  loginMethodsAndOrder?: { primary: readonly LoginMethod[]; overflow?: readonly LoginMethod[] }
  /** Addresses of the terms and the privacy policy, and whether users must accept them; the server's settings by default. */
  legal?: { termsAndConditionsUrl?: string; privacyPolicyUrl?: string; requireUsersAcceptTerms?: boolean }
  /** Refuses e-mail addresses with a plus sign. */
  disablePlusEmails?: boolean
  /** The words for somebody whom the app's allow list doesn't have. */
  allowlistConfig?: {
    /** Title of that screen. */
    errorTitle?: string
    /** Its text. */
    errorDetail?: string
    /** Label of its button. */
    errorCtaText?: string
    /** Where that leads to. */
    errorCtaLink?: string
  }
  /** ISO 3166 code of the phone field's first country; the US by default. */
  intl?: { defaultCountry?: string }
  /** Whether a captcha comes before a login, where the server has one set up. */
  captchaEnabled?: boolean
  /** Where the captcha's script is; the vendor's own address by default. */
  captcha?: { scriptUrl?: string }
  /**
   * How a social login comes back: by leaving the page, or in a window. Inside a frame always in a window.
   */
  oauth?: { returnBy?: 'redirect' | 'popup' }
  /** Second factors. */
  mfa?: {
    /**
     * The host draws the prompt of second factors: it hears `mfa-required`, and calls `kit.mfa`. In strict apps, whose people give
     * codes to the vault alone, it has no effect.
     */
    noPromptOnMfaRequired?: boolean
  }
  /** The host's own login. The kit follows it: people who have a token there are logged in here. */
  customAuth?: {
    /** Whether the host has a login of its own. */
    enabled?: boolean
    /** Resolves with the token of the person who is logged in, or with nothing. */
    getCustomAccessToken: () => Promise<string | undefined | null>
    /** The host does not know yet. */
    isLoading?: boolean
  }
  /** The wallets that the kit creates. */
  embeddedWallets?: {
    /** The users who get an Ethereum wallet by logging in; the server's setting by default. */
    createOnLogin?: CreateOnLogin
    /** The same, which comes before it. */
    ethereum?: { createOnLogin?: CreateOnLogin }
    /** The users who get a Solana wallet by logging in. */
    solana?: { createOnLogin?: CreateOnLogin }
    /** Whether a wallet is created only with a way of recovery that its user has chosen. */
    requireUserOwnedRecoveryOnCreate?: boolean
    /** Those ways, in the order in which they are offered: `user-passcode`, `google-drive`, `icloud`. */
    userOwnedRecoveryOptions?: readonly string[]
    /**
     * Whether requests of wallets are reviewed in screens; the server's `enforce_wallet_uis` by default, which is `true` in ours. A call's own `uiOptions.showWalletUIs` comes first. In
     * strict apps it has no effect: the vault asks whatever the page wants.
     */
    showWalletUIs?: boolean
    /** The older name: `true` is `showWalletUIs: false`. */
    noPromptOnSignature?: boolean
    /** The origin whose window grants access to iCloud; Apple's by default. */
    icloudOrigin?: string
  }
  /** Wallets that users bring. */
  externalWallets?: {
    /** `relayUrl`: where the relay is; the vendor's own by default. */
    walletConnect?: { enabled?: boolean; relayUrl?: string }
    /** `keysUrl`: where the wallet's own page is; the vendor's by default. */
    coinbaseWallet?: { connectionOptions?: 'all' | 'eoaOnly' | 'smartWalletOnly'; keysUrl?: string }
  }
  /** The project id that WalletConnect gave to the app; the server's setting by default. */
  walletConnectCloudProjectId?: string
  /** Ethereum's chains that wallets may use, as viem describes them; the kit has a list of its own. */
  supportedChains?: readonly Chain[]
  /** The chain on which wallets begin, and that of requests which name none. */
  defaultChain?: Chain
  /** Nodes by chain id, and how long a wallet may take, in milliseconds by its client type. */
  rpcConfig?: {
    /** The app's own nodes, whose origins belong in `connect-src`. A chain without one is asked at its public node. */
    rpcUrls?: Readonly<Record<number, string>>
    /** How long an external wallet may take to answer. */
    rpcTimeouts?: Readonly<Record<string, number>>
  }
  /**
   * Tokens whose balances are displayed beside those of the networks' own coins, and which users can send. Symbol, name and decimals are
   * read from the contract, or from the mint on a cluster of Solana (`mainnet-beta` by default).
   */
  tokens?: readonly ({ chainId: number; address: string } | { cluster?: string; mint: string })[]
  /** Whether users may type a name of ENS in place of an address. Off by default: names are looked up on Ethereum's mainnet. */
  ensNames?: boolean
  /**
   * ERC-7730 descriptors of the app's own contracts, which say what their calls and messages do. The page's reviews use them where the
   * registry has none, and name the app as their source; the vault of a strict app uses none of them.
   */
  descriptors?: readonly object[]
  /**
   * Payments for requests (`kit.fetchWithPayment`), which are off unless this is given. Both caps are needed before anything is paid; a
   * call's own cap may be lower. `skipsReviews`: users may choose to pay a seller without a review for a day; compatible apps alone.
   */
  x402?: { perPayment?: PaymentCap; perDay?: PaymentCap; skipsReviews?: boolean }
  /** Solana's clusters by name (`mainnet-beta`, `devnet`, or one of your own), each with its node, the preferred one first; mainnet by default. */
  solanaClusters?: readonly { name: string; rpcUrl: string }[]
}

/**
 * Whether a request is handled without a screen.
 * @param showWalletUIs the call's own option
 */
export function hidesWalletUis(
  { host, app, vault }: Pick<Config, 'host' | 'app' | 'vault'>,
  showWalletUIs?: boolean,
): boolean {
  if (vault === 'strict') return false
  const { showWalletUIs: byDefault, noPromptOnSignature = app.showsWalletUis === false } =
    host.embeddedWallets ?? {}
  return !(showWalletUIs ?? byDefault ?? !noPromptOnSignature)
}

/** The settings that apply: the host's over the app's, frozen. */
export interface Config {
  readonly appName: string
  readonly theme: 'auto' | 'light' | 'dark'
  readonly accent: string | undefined
  readonly logoUrl: string | undefined
  readonly landingHeader: string | undefined
  readonly loginMessage: string | undefined
  /** In the host's order; `undefined` if it gives none, and then they appear in groups. */
  readonly order: { readonly primary: readonly string[]; readonly overflow: readonly string[] } | undefined
  /** The methods that the app has switched on, in the default order. */
  readonly methods: readonly string[]
  readonly walletsFirst: boolean
  readonly collapsedInputs: boolean
  readonly termsUrl: string | undefined
  readonly privacyUrl: string | undefined
  readonly requireTerms: boolean
  readonly plusEmailsAllowed: boolean
  readonly createOnLogin: CreateOnLogin
  /** Whether, and when, a Solana wallet is created as well. */
  readonly createSolanaOnLogin: CreateOnLogin
  /** Who asks a person before a key is used: the vault itself, or the page. */
  readonly vault: 'strict' | 'compatible'
  /** The sources of this configuration: settings that only some features need are read from there. */
  readonly host: HostConfig
  readonly app: AppConfig
}

/** Methods that lead to a page of their provider. */
export const socials: readonly string[] =
  'google apple twitter discord github linkedin spotify instagram tiktok'.split(' ')
/** The default order of methods. */
const usualOrder = [...['email', 'sms', ...socials, 'farcaster', 'telegram', 'wallet', 'passkey']]

export function resolveConfig(host: HostConfig, app: AppConfig): Config {
  const look = host.appearance ?? {}
  const order = host.loginMethodsAndOrder
  const wallets = host.embeddedWallets
  return Object.freeze({
    appName: app.name,
    theme: schemeOf(look.theme ?? app.theme),
    accent: look.accentColor ?? app.accentColor,
    logoUrl: safeImage(look.logo ?? app.logoUrl),
    landingHeader: look.landingHeader,
    loginMessage: look.loginMessage?.slice(0, appLimits.loginMessageLength),
    order: order
      ? { primary: order.primary, overflow: order.overflow ?? [] }
      : host.loginMethods && { primary: host.loginMethods, overflow: [] },
    methods: usualOrder.filter(
      (name) => app.loginMethods.has(name) || app.loginMethods.has(`solana-${name}`),
    ),
    walletsFirst: look.loginGroupPriority
      ? look.loginGroupPriority === 'web3-first'
      : (look.showWalletLoginFirst ?? app.walletLoginFirst),
    collapsedInputs: look.hideDirectWeb2Inputs ?? false,
    termsUrl: safeLink(host.legal?.termsAndConditionsUrl ?? app.termsUrl),
    privacyUrl: safeLink(host.legal?.privacyPolicyUrl ?? app.privacyUrl),
    requireTerms: app.requireUsersAcceptTerms || (host.legal?.requireUsersAcceptTerms ?? false),
    plusEmailsAllowed: app.plusEmailsAllowed && !(host.disablePlusEmails ?? false),
    createOnLogin: wallets?.ethereum?.createOnLogin ?? wallets?.createOnLogin ?? app.createOnLogin,
    createSolanaOnLogin: wallets?.solana?.createOnLogin ?? 'off',
    vault: app.vault,
    host,
    app,
  })
}

/** `light`, `dark`, or the scheme that suits a background colour: light above a luminance of 0.5. */
function schemeOf(theme: string | undefined): Config['theme'] {
  if (theme === 'light' || theme === 'dark') return theme
  const hex = /^#([0-9a-f]{6})$/i.exec(theme ?? '')?.[1]
  if (!hex) return 'auto'
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map(
    (at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 ? 'light' : 'dark'
}

/** An image may also be a data URL: in an `<img>` it can't run anything. */
const safeImage = (url: string | undefined) => (url?.startsWith('data:image/') ? url : safeLink(url))
