import * as v from 'valibot'
import { parseEthereumAddress } from '../../../src/ethereum/address.ts'
import { type Delegate, NO_CODE, simple7702Account } from '../../../src/ethereum/wallet-code.ts'
import { bridgeFunction, bridgeInstruction } from '../../../src/lib/bridge-deposits.ts'
import { oauthProviders, smartWalletTypes } from './names.ts'
import { permission } from './permissions.ts'

const maybeText = v.optional(v.nullable(v.string()), null)
const link = v.optional(
  v.nullable(v.pipe(v.string(), v.regex(/^https?:\/\//, 'must begin with https:// or http://'))),
  null,
)
/** An address that pages and servers call. */
const service = v.pipe(v.string(), v.url(), v.regex(/^https?:\/\//, 'must begin with https:// or http://'))
/** A text that has no default; the message says what is missing. */
const needed = (message: string) => v.optional(v.pipe(v.string(message), v.minLength(1, message)), '')
const flag = v.optional(v.boolean(), false)
const list = v.optional(v.array(v.string()), () => [])

/** An origin pattern as in src/lib/origin.ts; nothing that could add a word to a header may pass. */
const originPattern = v.pipe(
  v.string(),
  v.regex(
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:\*\.)?(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::(?:\d+|\*))?$/i,
  ),
)

/** The functions or instructions that a place may be called for. */
const bridgeCalls = (shape: RegExp) =>
  v.pipe(v.array(v.pipe(v.string(), v.regex(shape))), v.minLength(1), v.maxLength(16))

/** An address without a query, and without a / at its end. */
const bareAddress = v.pipe(
  v.string(),
  v.regex(/^https?:\/\/[^\s?#]*[^\s?#/]$/, 'must be an address without a / at its end'),
)

/** One address, or a pattern with `*` as the first label of the host, as the port, or after the last `/`. */
const returnAddress = v.pipe(
  v.string(),
  v.regex(
    /^https?:\/\/(?:[^*@\s\\]+|(?:\*\.)?[^*@\s\\/?#:]+(?::(?:\d+|\*))?(?:\/[^*?#\s\\]*|(?:\/[^*?#\s\\/]+)*\/\*))$/,
    'must be an address, with * only as the first label of the host, as the port, or at the end after a /',
  ),
)

const oauthClient = v.optional(
  v.strictObject({
    clientId: v.string(),
    /** Secret. */
    clientSecret: v.string(),
    /** Instead of those that a login needs. */
    scopes: v.optional(v.array(v.string())),
    /** Hands the provider's tokens to the app's page. */
    returnTokens: flag,
  }),
)

/** What the vault's frame may send of one asset of one chain without its window. */
/** Characters of all descriptors of an app. */
const MOST_DESCRIPTORS = 512 * 1_024

const spendingLimit = v.pipe(
  v.strictObject({
    chain: v.pipe(
      v.string(),
      v.regex(
        /^(eip155:[1-9]\d{0,15}|solana:mainnet)$/,
        "must have the form 'eip155:1', or be 'solana:mainnet'",
      ),
    ),
    /** The contract of an ERC-20 token; without it, the chain's own coin, whose limit every fee counts against. */
    asset: v.optional(
      v.pipe(v.string(), v.regex(/^0x[\da-f]{40}$/i, "must be the address of a token's contract")),
    ),
    /** With them the amounts are in whole units, as in '0.05'; without them in the smallest ones. */
    decimals: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36))),
    perTransaction: v.string(),
    perDay: v.string(),
  }),
  v.check(
    ({ decimals, perTransaction, perDay }) =>
      [perTransaction, perDay].every((amount) => toUnits(amount, decimals) !== undefined),
    'perTransaction and perDay must be amounts, in digits',
  ),
  v.check(
    ({ chain, asset }) => asset === undefined || chain.startsWith('eip155:'),
    'only chains of Ethereum have assets by address',
  ),
)
export type SpendingLimit = v.InferOutput<typeof spendingLimit>

/** An amount in the smallest units. `undefined` if it is none. */
export function toUnits(amount: string, decimals = 0): bigint | undefined {
  const [, whole, fraction = ''] = /^(\d{1,78})(?:\.(\d+))?$/.exec(amount) ?? []
  if (whole === undefined || fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** A contract whose code users may have at their own addresses (EIP-7702). */
const delegate = v.pipe(
  v.strictObject({
    /** CAIP-2; without it, every chain. */
    chain: v.optional(v.pipe(v.string(), v.regex(/^eip155:[1-9]\d{0,14}$/, "must have the form 'eip155:1'"))),
    address: v.pipe(
      v.string(),
      v.transform((text) => parseEthereumAddress(text) ?? ''),
      v.check((address) => address !== '' && address !== NO_CODE, 'must be the address of a contract'),
    ),
    /** For users. */
    name: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
    /** The contract lets the wallet itself call `executeBatch((address,uint256,bytes)[])`. */
    executesBatches: flag,
  }),
  v.transform(
    ({ chain, address, name, executesBatches }): Delegate => ({
      ...(chain !== undefined && { chainId: Number(chain.slice('eip155:'.length)) }),
      address: address as `0x${string}`,
      name,
      executesBatches,
    }),
  ),
)

const appSettings = v.strictObject({
  /** Exactly 25 characters: clients of this protocol check that. */
  id: v.pipe(v.string(), v.regex(/^[\w-]{25}$/, 'must have exactly 25 letters, digits, - or _')),
  /** The client ids that may be named; a request need not name one. */
  clientIds: list,
  name: v.pipe(v.string(), v.minLength(1)),
  createdAt: v.optional(v.number(), Date.UTC(2025, 0, 1)),
  /** When a setting changed last, in milliseconds: when their file changed, unless it says so itself. */
  updatedAt: v.optional(v.number()),

  /**
   * What `vault` may do without asking the person in its own page: in a strict app nothing that signs or gives out a key;
   * in a compatible one what the host's page says, as unmodified clients of the protocol expect.
   */
  vault: v.optional(v.picklist(['strict', 'compatible']), 'strict'),
  /** In whose name people and tokens are known to the app's own backend. */
  identity: v.optional(
    v.strictObject({
      /** `iss` of the tokens; without it, this API's own address. Unmodified backends of the protocol expect 'privy.io'. */
      issuer: v.optional(v.pipe(v.string(), v.minLength(1))),
      /** What the ids of new users begin with; those that are there keep theirs. The protocol's own is 'did:privy:'. */
      userIdPrefix: v.optional(
        v.pipe(v.string(), v.regex(/^did:[a-z0-9]+:$/, "must have the form 'did:name:'")),
        'did:latchkey:',
      ),
    }),
    {},
  ),

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
        ...oauthProviders,
        'farcaster',
        'passkey',
        'passkey-signup',
        'telegram',
        'guest',
        'custom',
      ]),
    ),
    () => ['email' as const],
  ),
  twitterOnMobile: flag,
  farcasterLinkWallets: flag,
  /** The app's own account on Farcaster, in whose name it asks users whether a key of their vault may sign for them. */
  farcasterSigner: v.optional(
    v.strictObject({
      fid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
      /** Secret: the key of the address that owns the fid, 0x-hex. */
      privateKey: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/i)),
    }),
  ),
  telegram: v.optional(
    v.strictObject({
      botId: v.string(),
      botName: v.string(),
      /** Secret: what the bot was given by Telegram. */
      botToken: v.string(),
      /**
       * Another bot, whose domain is the vault's host: with it the vault's window has users log in at Telegram. What a bot signs for
       * a page of the app proves nothing there.
       */
      vaultBot: v.optional(
        v.strictObject({
          botId: v.string(),
          /** Secret. */
          botToken: v.string(),
        }),
      ),
      link: v.boolean(),
      seamless: v.boolean(),
    }),
  ),
  /** This app as a client of the social providers: what each of them gave it. */
  oauth: v.optional(v.partial(v.strictObject(v.entriesFromList(oauthProviders, oauthClient))), {}),
  /** This app as a client of Google for people's drives, where recovery secrets may be. */
  googleDrive: v.optional(
    v.strictObject({
      clientId: v.string(),
      /** Secret. */
      clientSecret: v.string(),
    }),
  ),
  /** The app's container at CloudKit, for people who recover with iCloud. */
  icloud: v.optional(
    v.strictObject({
      /**
       * Not secret. In a compatible app its sign-in callback is a message to the page; in a strict one it must be the vault's page
       * `/embedded-wallets/return`, and no other token of the container may answer by message.
       */
      apiToken: v.pipe(v.string(), v.minLength(1)),
      /** The same for native apps, whose sign-in callback is this API. */
      nativeApiToken: v.optional(v.pipe(v.string(), v.minLength(1))),
      container: v.pipe(v.string(), v.regex(/^[\w.-]{1,255}$/)),
      environment: v.picklist(['development', 'production']),
    }),
  ),
  /**
   * The addresses that a login or a drive may return to, letter for letter; more than one only where a `*` says so, as
   * in `https://*.example.com/account/*`. Without any, nobody is sent anywhere.
   */
  redirectUrls: v.optional(v.array(returnAddress), () => []),
  /** The domain that passkeys are made for on its subdomains, so that these share them; without it, each page's host. */
  passkeyDomain: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/))),
  /** Logins of the app's own: who signs its tokens, and how. */
  customJwt: v.optional(
    v.pipe(
      v.strictObject({
        /** Where the key set is … */
        jwksUrl: v.optional(
          v.pipe(
            v.string(),
            v.url(),
            v.regex(/^(https:|http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/])/, 'must begin with https://'),
          ),
        ),
        /** … or the one public key, in PEM (SPKI). */
        publicKey: v.optional(v.string()),
        algorithms: v.pipe(
          v.array(v.picklist(['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'])),
          v.minLength(1),
        ),
        /** `iss` and `aud` of its tokens: without them, one that was made for somebody else would open this app. */
        issuer: needed('must name who issues the tokens (their "iss")'),
        audience: needed('must name for whom the tokens are (their "aud")'),
        subjectClaim: v.optional(v.string(), 'sub'),
      }),
      v.check(({ jwksUrl, publicKey }) => !jwksUrl !== !publicKey, 'needs either jwksUrl or publicKey'),
    ),
  ),
  /** What makes this app a provider of logins for other apps. */
  crossApp: v.optional(
    v.strictObject({
      /** The page of this app on which its user is asked. */
      authorizeUrl: v.pipe(v.string(), v.url()),
      /** The page on which its user reviews what another app asks their wallet to sign; without it, none may ask. */
      transactUrl: v.optional(v.pipe(v.string(), v.url())),
      /** The apps that may ask. */
      requesters: v.array(v.string()),
      readOnly: flag,
    }),
  ),
  /** Codes that are sent in one hour, instead of the backend's own limits for an app. */
  sendsPerHour: v.optional(
    v.strictObject({
      email: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
      sms: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
    }),
    {},
  ),
  /** Countries (ISO 3166) to which codes are sent; without them, all. */
  smsRegions: v.optional(v.array(v.pipe(v.string(), v.length(2)))),

  /** `false`: nobody new gets in. */
  signup: v.optional(v.boolean(), true),
  /** How many users the app may have. */
  maxUsers: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))), null),
  plusEmails: v.optional(v.boolean(), true),
  allowlist: v.optional(
    v.strictObject({
      /** Addresses, or domains as `@example.com`. */
      emails: v.array(v.string()),
      /** Numbers in E.164. */
      phones: list,
      /** Addresses of wallets outside: of Ethereum, however they are written, and of Solana. */
      wallets: list,
      title: maybeText,
      detail: maybeText,
      buttonText: maybeText,
      link,
    }),
  ),

  walletConnectProjectId: maybeText,
  /** How many wallets outside one user may have. */
  maxLinkedWallets: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))), null),
  /** The users' smart wallets, and where their operations go. Clients read all of it, so no address may have a secret in it. */
  smartWallets: v.optional(
    v.strictObject({
      /** For users without one; the others keep theirs. */
      type: v.picklist(smartWalletTypes),
      /** The contract's own version, where clients know several; without it, they choose. */
      version: v.optional(
        v.pipe(v.string(), v.regex(/^\d{1,3}(?:\.\d{1,3}){0,2}$/, "must have the form '1.4.1'")),
      ),
      networks: v.pipe(
        v.array(
          v.strictObject({
            chainId: v.pipe(v.string(), v.regex(/^eip155:[1-9]\d{0,15}$/, 'must have the form eip155:1')),
            bundlerUrl: service,
            paymasterUrl: v.optional(service),
            /** A node for clients; the server asks it where it has none of its own for the chain. */
            rpcUrl: v.optional(service),
            chainName: v.optional(v.string()),
            paymasterPolicyId: v.optional(v.pipe(v.string(), v.uuid())),
            /** The sponsor's name for users of strict apps, and the contracts by which it pays: no other is named so. */
            sponsor: v.optional(
              v.strictObject({
                name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(40)),
                addresses: v.pipe(
                  v.array(
                    v.pipe(
                      v.string(),
                      v.check(
                        (text) => parseEthereumAddress(text) !== undefined,
                        'must be an address of Ethereum',
                      ),
                    ),
                  ),
                  v.minLength(1),
                  v.maxLength(8),
                ),
              }),
            ),
          }),
        ),
        v.minLength(1, 'must have one network at least'),
        v.check(
          (given) => new Set(given.map(({ chainId }) => chainId)).size === given.length,
          'a chain is there twice',
        ),
      ),
    }),
  ),
  embeddedWallets: v.optional(
    v.strictObject({
      /** For whom a login creates a wallet. Off by default: a first login that creates one takes twice as long. */
      createOnLogin: v.optional(v.picklist(['users-without-wallets', 'all-users', 'off']), 'off'),
      recoveryOptions: v.optional(v.array(v.picklist(['user-passcode', 'google-drive', 'icloud'])), () => []),
      requireOwnRecovery: flag,
      /** The same, with a password among the ways to choose from. */
      requirePassword: flag,
      /** Lets the host's own app keep a key with which a wallet is recovered. */
      ownKeyRecovery: flag,
      /**
       * Whether a user must have a proof for a second device (such as a passkey or a recovery password) before the creation of
       * their wallet is over, or is told that the wallet lives in this browser alone and may add one later.
       */
      deviceProof: v.optional(v.picklist(['required', 'optional']), 'optional'),
    }),
    {},
  ),
  /** Nothing is signed without the person's approval: makes the app strict, whatever `vault` says. */
  enforceWalletUis: flag,
  /** Lets a page have bare hashes signed; in compatible apps alone. */
  rawSigning: flag,
  /**
   * Transfers that the vault's frame may approve, for each asset of each chain; everything else needs its window. In strict
   * apps alone.
   */
  frameSpending: v.optional(v.array(spendingLimit), () => []),
  /**
   * In a compatible app the page alone asks its users whether a server may act with their wallets, as unmodified clients do. Without it
   * the vault's window asks, in every app.
   */
  grantsByPage: flag,
  /**
   * Contracts whose code users may have at their own addresses (EIP-7702): the vault signs for no other. Without the setting it is
   * Simple7702Account of EntryPoint 0.8; with an empty list, nobody gets code.
   */
  delegates: v.optional(v.pipe(v.array(delegate), v.maxLength(32)), () => [{ ...simple7702Account }]),
  /** Permissions for which the app's own servers may ask users; the first one is meant where a page names none. */
  permissions: v.optional(
    v.pipe(
      v.array(permission),
      v.maxLength(16),
      v.check((given) => new Set(given.map(({ id }) => id)).size === given.length, 'an id is there twice'),
    ),
    () => [],
  ),
  /**
   * ERC-7730 descriptors of the app's own contracts and messages. The vault of a strict app takes them from here alone; they count after
   * those of the public registry.
   */
  descriptors: v.optional(
    v.pipe(
      v.array(v.record(v.string(), v.unknown())),
      v.maxLength(256, 'there may be 256 at most'),
      v.check((all) => JSON.stringify(all).length <= MOST_DESCRIPTORS, 'they may have 512 KiB at most'),
    ),
    () => [],
  ),
  /** Whether the vault's reviews say what amounts of a network's own coin are worth. */
  nativeTokenPrices: v.optional(v.boolean(), true),
  /** Mails people what their devices and wallets have given out. */
  notices: v.optional(v.boolean(), true),
  /** Users secure a wallet with a password, without a choice of other methods. */
  legacyWalletUi: flag,
  /** `false` sells no coins, whatever providers there are. Without it the app sells coins where it has a provider. */
  fiatOnRamp: v.optional(v.boolean()),
  funding: v.optional(
    v.strictObject({
      chain: v.string(),
      asset: v.optional(v.picklist(['native-currency', 'USDC'])),
      amount: v.string(),
      methods: v.array(v.picklist(['moonpay', 'coinbase-onramp', 'external'])),
      options: v.optional(v.array(v.strictObject({ method: v.string(), provider: v.string() })), () => []),
      promptOnCreation: flag,
      bridging: flag,
      /** Tokens beside coins and USDC that pages may ask to be funded, by contract or mint. */
      tokens: v.optional(
        v.pipe(
          v.array(
            v.strictObject({
              chain: v.pipe(v.string(), v.regex(/^(?:eip155:[1-9]\d{0,15}|solana:[a-z-]{1,32})$/)),
              address: v.pipe(v.string(), v.regex(/^(?:0x[\da-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/)),
            }),
          ),
          v.maxLength(100),
        ),
        () => [],
      ),
      /** Address of the bridge and the call that is used; its own hosts and quotes by default. */
      bridge: v.optional(
        v.strictObject({
          url: bareAddress,
          testnetUrl: bareAddress,
          protocol: v.optional(v.picklist(['quote', 'swap']), 'quote'),
          /** Where it may take deposits, in place of the places of Relay: accounts that are sent to, and functions that are called; on Solana programs with their instructions. */
          deposits: v.optional(
            v.pipe(
              v.array(
                v.union([
                  v.strictObject({
                    chain: v.literal('solana:mainnet'),
                    address: v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)),
                    functions: bridgeCalls(bridgeInstruction),
                  }),
                  v.strictObject({
                    chain: v.optional(v.pipe(v.string(), v.regex(/^eip155:[1-9]\d{0,15}$/))),
                    address: v.pipe(v.string(), v.regex(/^0x[\da-fA-F]{40}$/)),
                    functions: bridgeCalls(bridgeFunction),
                  }),
                ]),
              ),
              v.minLength(1),
              v.maxLength(100),
            ),
          ),
        }),
      ),
    }),
  ),
  /** Who sells coins to the app's users. */
  onRamps: v.optional(
    v.strictObject({
      /**
       * The settings of each provider by its id, such as `moonpay` (ramps/providers/): keys, some of them secret, hosts and the
       * methods that are on.
       */
      providers: v.record(v.string(), v.record(v.string(), v.unknown())),
      /** Lets coins be bought for wallets that are not the user's, as unmodified clients can ask for. */
      anyAddress: flag,
    }),
  ),
  captcha: v.optional(
    v.pipe(
      v.strictObject({
        enabled: v.boolean(),
        siteKey: v.pipe(v.string(), v.regex(/(?:^|[^a-z])t:[\w-]+/i, 'must contain t:<key>')),
        /** Secret: what the vendor checks answers with. */
        secretKey: v.optional(v.string()),
      }),
      v.check(
        ({ enabled, secretKey }) => !enabled || !!secretKey,
        'needs a secretKey, or nobody could be let in',
      ),
    ),
  ),
  /** Who may use the admin API: for each a name for the log, and the SHA-256 of a long random key, in hex. */
  adminKeys: v.optional(
    v.array(
      v.strictObject({
        name: v.pipe(v.string(), v.regex(/^[\w .@-]{1,64}$/)),
        sha256: v.pipe(v.string(), v.regex(/^[\da-f]{64}$/, 'must be a SHA-256 in hex')),
      }),
    ),
    () => [],
  ),
  mfaMethods: v.optional(v.array(v.picklist(['sms', 'totp', 'passkey'])), () => []),

  /** Seconds that an access token lives. */
  accessTokenLife: v.optional(v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(86_400)), 3_600),
})

/** How the owner of an app sets it up. */
export type AppSettings = v.InferInput<typeof appSettings>
/** The same with every default filled in. */
export type App = v.InferOutput<typeof appSettings>
export type FarcasterSignerSettings = NonNullable<App['farcasterSigner']>

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
    if (apps.has(given.id)) throw new Error(`App '${given.id}' is defined twice`)
    apps.set(given.id, withImplied(result.output))
  }
  return { all: [...apps.values()], find: (id) => apps.get(id) }
}

/** What some settings mean for others. */
function withImplied(app: App): App {
  const { enforceWalletUis, embeddedWallets } = app
  const requireOwnRecovery = embeddedWallets.requireOwnRecovery || embeddedWallets.requirePassword
  return {
    ...app,
    ...(enforceWalletUis && { vault: 'strict' as const }),
    embeddedWallets: { ...embeddedWallets, requireOwnRecovery },
  }
}
