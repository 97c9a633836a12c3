import * as v from 'valibot'

const maybeText = v.optional(v.nullable(v.string()), null)
const link = v.optional(
  v.nullable(v.pipe(v.string(), v.regex(/^https?:\/\//, 'must begin with https:// or http://'))),
  null,
)
const flag = v.optional(v.boolean(), false)
const list = v.optional(v.array(v.string()), () => [])

/** An origin pattern as in src/core/origin.ts; nothing that could add a word to a header may pass. */
const originPattern = v.pipe(
  v.string(),
  v.regex(
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:\*\.)?(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::(?:\d+|\*))?$/i,
  ),
)

const appSettings = v.strictObject({
  /** Exactly 25 characters (wire R9). */
  id: v.pipe(v.string(), v.regex(/^[\w-]{25}$/, 'must have exactly 25 letters, digits, - or _')),
  /** The client ids that may be named; a request need not name one. */
  clientIds: list,
  name: v.pipe(v.string(), v.minLength(1)),
  createdAt: v.optional(v.number(), Date.UTC(2025, 0, 1)),

  logoUrl: maybeText,
  iconUrl: maybeText,
  accentColor: maybeText,
  theme: v.optional(v.string(), 'light'),
  showWalletLoginFirst: flag,

  termsUrl: link,
  privacyUrl: link,
  requireTerms: flag,

  /** Pages that may use the app: origins, `*` for one host label or for the port. */
  allowedDomains: v.optional(v.array(originPattern), () => []),
  allowedNativeAppIds: list,
  allowedNativeAppUrlSchemes: list,

  /** Login methods that are on. */
  methods: v.optional(
    v.array(
      v.picklist([
        'email',
        'sms',
        'wallet',
        'solana-wallet',
        'google',
        'twitter',
        'discord',
        'github',
        'spotify',
        'instagram',
        'tiktok',
        'linkedin',
        'apple',
        'farcaster',
        'passkey',
        'passkey-signup',
        'telegram',
        'guest',
      ]),
    ),
    () => ['email' as const],
  ),
  twitterOnMobile: flag,
  farcasterLinkWallets: flag,
  telegram: v.optional(
    v.strictObject({ botId: v.string(), botName: v.string(), link: v.boolean(), seamless: v.boolean() }),
  ),

  /** `false`: nobody new gets in. */
  signup: v.optional(v.boolean(), true),
  /** How many users the app may have. */
  maxUsers: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))), null),
  plusEmails: v.optional(v.boolean(), true),
  allowlist: v.optional(
    v.strictObject({
      /** Addresses, or domains as `@example.com`. */
      emails: v.array(v.string()),
      title: maybeText,
      detail: maybeText,
      buttonText: maybeText,
      link,
    }),
  ),

  walletConnectProjectId: maybeText,
  maxLinkedWallets: v.optional(v.nullable(v.number()), null),
  embeddedWallets: v.optional(
    v.strictObject({
      createOnLogin: v.optional(
        v.picklist(['users-without-wallets', 'all-users', 'off']),
        'users-without-wallets',
      ),
      recoveryOptions: v.optional(v.array(v.picklist(['user-passcode', 'google-drive', 'icloud'])), () => []),
      requireOwnRecovery: flag,
      requirePassword: flag,
    }),
    { createOnLogin: 'users-without-wallets', recoveryOptions: [] },
  ),
  enforceWalletUis: flag,
  legacyWalletUi: flag,
  fiatOnRamp: flag,
  funding: v.optional(
    v.strictObject({
      chain: v.string(),
      asset: v.optional(v.picklist(['native-currency', 'USDC'])),
      amount: v.string(),
      methods: v.array(v.picklist(['moonpay', 'coinbase-onramp', 'external'])),
      options: v.optional(v.array(v.strictObject({ method: v.string(), provider: v.string() })), () => []),
      promptOnCreation: flag,
      bridging: flag,
    }),
  ),
  captcha: v.optional(v.strictObject({ enabled: v.boolean(), siteKey: v.string() })),
  mfaMethods: v.optional(v.array(v.picklist(['sms', 'totp', 'passkey'])), () => []),

  /** Seconds that an access token lives (wire 5). */
  accessTokenLife: v.optional(v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(86_400)), 3_600),
})

/** How the owner of an app sets it up. */
export type AppSettings = v.InferInput<typeof appSettings>
/** The same with every default filled in. */
export type App = v.InferOutput<typeof appSettings>

export interface Apps {
  readonly all: readonly App[]
  find(id: string): App | undefined
}

/**
 * Checks the apps and fills in what they leave out.
 * @throws Error that names the app and the setting that is wrong
 */
export function readApps(settings: readonly AppSettings[]): Apps {
  const apps = new Map<string, App>()
  for (const given of settings) {
    const result = v.safeParse(appSettings, given)
    if (!result.success) {
      const [issue] = result.issues
      throw new Error(`App '${given.id}': ${v.getDotPath(issue) ?? 'settings'}: ${issue.message}`)
    }
    if (apps.has(given.id)) throw new Error(`App '${given.id}' is there twice`)
    apps.set(given.id, result.output)
  }
  return { all: [...apps.values()], find: (id) => apps.get(id) }
}
