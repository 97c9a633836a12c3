import type { AppSettings } from './app.ts'

export type { AppSettings } from './app.ts'

/** Every page on this machine, on any port. */
const anyLocalhost = ['http://localhost:*', 'http://127.0.0.1:*', 'http://*.localhost:*']
/** The vendor's published test secret, which goes with its test keys and with those of the stand-in. */
const captchaSecret = '1x0000000000000000000000000000000AA'
const common = {
  allowedDomains: anyLocalhost,
  // The host page of the demo may be anywhere on this machine; a real app names its pages.
  redirectUrls: anyLocalhost.map((origin) => `${origin}/*`),
  accentColor: '#5B5BD6',
  mfaMethods: ['totp', 'sms', 'passkey'],
  embeddedWallets: { createOnLogin: 'users-without-wallets' },
} satisfies Partial<AppSettings>

const socials = [
  ...([
    'google',
    'apple',
    'twitter',
    'discord',
    'github',
    'linkedin',
    'spotify',
    'instagram',
    'tiktok',
  ] as const),
]

/** Wallets outside; the project's number is one that only a relay of our own takes. */
const wallets = ['wallet', 'solana-wallet'] as const
const walletConnectProjectId = '0'.repeat(32)

/** Ways to recover a wallet that are the person's own. */
const ownRecovery = ['user-passcode', 'google-drive', 'icloud'] as const

/** What an app sets that serves unmodified clients and backends of the protocol. */
const compatible = {
  vault: 'compatible',
  identity: { issuer: 'privy.io', userIdPrefix: 'did:privy:' },
} satisfies Partial<AppSettings>

const everyMethod: NonNullable<AppSettings['methods']> = [
  ...(['email', 'sms', 'passkey', 'passkey-signup', 'farcaster', 'telegram', 'guest'] as const),
  ...socials,
]

const open = {
  ...common,
  id: 'latchkey-demo-open-000001',
  clientIds: ['client-open-1'],
  name: 'Latchkey Demo',
  methods: [
    ...(['email', 'sms', 'passkey', 'passkey-signup', 'farcaster', 'guest'] as const),
    ...(['google', 'apple', 'github', 'discord'] as const),
    ...wallets,
  ],
  mfaMethods: ['sms', 'totp', 'passkey'],
  walletConnectProjectId,
  termsUrl: 'https://example.com/terms',
  privacyUrl: 'https://example.com/privacy',
  // Its keys at the sellers come with the addresses of the demo (demo/start.ts).
  funding: {
    chain: 'eip155:8453',
    asset: 'native-currency',
    amount: '0.02',
    methods: ['moonpay', 'coinbase-onramp', 'external'],
    options: [
      { method: 'card', provider: 'moonpay' },
      { method: 'card', provider: 'coinbase' },
      { method: 'exchange', provider: 'coinbase' },
      { method: 'wallets', provider: '' },
    ],
    bridging: true,
  },
} satisfies AppSettings

// What it has at Google and Apple comes with the addresses of the demo (demo/start.ts).
const keeps = {
  ...common,
  id: 'latchkey-demo-recover-013',
  clientIds: ['client-recover-13'],
  name: 'Wallets For Keeps',
  methods: ['email'],
  embeddedWallets: { createOnLogin: 'users-without-wallets', recoveryOptions: [...ownRecovery] },
} satisfies AppSettings

// Bundler and sponsor come with the addresses of the demo (demo/start.ts).
const fees = {
  ...common,
  id: 'latchkey-demo-smart-00015',
  clientIds: ['client-smart-15'],
  name: 'Fees Included',
  methods: ['email'],
} satisfies AppSettings

/** The apps of the demo, one for each setting that changes how a login goes; the open one comes first. */
export const demoApps: AppSettings[] = [
  open,
  {
    ...common,
    id: 'latchkey-demo-terms-00002',
    clientIds: ['client-terms-2'],
    name: 'Terms First',
    requireTerms: true,
    termsUrl: 'https://example.com/terms',
    privacyUrl: 'https://example.com/privacy',
  },
  {
    ...common,
    id: 'latchkey-demo-invite-0003',
    clientIds: ['client-invite-3'],
    name: 'Invited Only',
    allowlist: {
      emails: ['ada@example.com', '@invited.example'],
      title: 'Not on the list yet',
      detail: 'Invited Only opens its doors step by step. Ask for your place in the queue.',
      buttonText: 'Join the queue',
      link: 'https://example.com/queue',
    },
  },
  {
    ...common,
    id: 'latchkey-demo-limit-00004',
    clientIds: ['client-limit-4'],
    name: 'Room For One',
    maxUsers: 1,
  },
  {
    ...common,
    id: 'latchkey-demo-nosign-0005',
    clientIds: ['client-nosign-5'],
    name: 'Members Only',
    signup: false,
  },
  {
    ...common,
    id: 'latchkey-demo-noplus-0006',
    clientIds: ['client-noplus-6'],
    name: 'Plain Addresses',
    plusEmails: false,
  },
  {
    ...common,
    id: 'latchkey-demo-captcha-007',
    clientIds: ['client-captcha-7'],
    name: 'Humans Only',
    // The vendor's published test key that always passes; `t:` is the protocol's mark for this kind of captcha.
    captcha: { enabled: true, siteKey: 't:1x00000000000000000000AA', secretKey: captchaSecret },
  },
  {
    ...common,
    id: 'latchkey-demo-captcha-10a',
    name: 'Humans Who Fail First',
    captcha: { enabled: true, siteKey: 't:4x00000000000000000000F4', secretKey: captchaSecret },
  },
  {
    ...common,
    id: 'latchkey-demo-captcha-10b',
    name: 'Humans Who Are Slow',
    captcha: { enabled: true, siteKey: 't:5x00000000000000000000E1', secretKey: captchaSecret },
  },
  {
    ...common,
    id: 'latchkey-demo-captcha-10c',
    name: 'Humans Who Are Asked',
    captcha: { enabled: true, siteKey: 't:3x00000000000000000000FF', secretKey: captchaSecret },
  },
  {
    ...common,
    id: 'latchkey-demo-nowallet-08',
    clientIds: ['client-nowallet-8'],
    name: 'No Wallets',
    methods: everyMethod,
    embeddedWallets: { createOnLogin: 'off' },
  },
  {
    ...common,
    id: 'latchkey-demo-every-00009',
    clientIds: ['client-every-9'],
    name: 'Every Way',
    termsUrl: 'https://example.com/terms',
    privacyUrl: 'https://example.com/privacy',
    methods: [...everyMethod, ...wallets],
    walletConnectProjectId,
  },
  {
    ...common,
    id: 'latchkey-demo-friend-0010',
    clientIds: ['client-friend-10'],
    name: 'Friendly App',
    // `authorizeUrl` comes with the addresses of the demo (demo/start.ts).
    methods: ['email'],
  },
  {
    ...common,
    id: 'latchkey-demo-custom-0011',
    clientIds: ['client-custom-11'],
    name: 'Own Login',
    methods: ['email', 'custom'],
    embeddedWallets: { createOnLogin: 'off' },
  },
  {
    ...common,
    id: 'latchkey-demo-wallets-012',
    clientIds: ['client-wallets-12'],
    name: 'Bring Your Wallet',
    methods: [...wallets, 'email'],
    walletConnectProjectId,
    embeddedWallets: { createOnLogin: 'off' },
  },
  keeps,
  {
    ...common,
    id: 'latchkey-demo-ownkey-0014',
    clientIds: ['client-ownkey-14'],
    name: 'Keep Your Own Key',
    methods: ['email'],
    embeddedWallets: {
      createOnLogin: 'users-without-wallets',
      recoveryOptions: [...ownRecovery],
      requireOwnRecovery: true,
      ownKeyRecovery: true,
    },
  },
  fees,
  // The same twice, for those who compare what the two modes of the vault do.
  {
    ...open,
    ...compatible,
    id: 'latchkey-demo-open-compat',
    clientIds: ['client-open-compatible'],
    name: `${open.name} (compatible)`,
  },
  {
    ...keeps,
    ...compatible,
    id: 'latchkey-demo-keep-compat',
    clientIds: ['client-keep-compatible'],
    name: `${keeps.name} (compatible)`,
  },
  {
    ...fees,
    ...compatible,
    id: 'latchkey-demo-fees-compat',
    clientIds: ['client-fees-compatible'],
    name: `${fees.name} (compatible)`,
  },
  {
    ...common,
    ...compatible,
    id: 'latchkey-demo-friend-comp',
    clientIds: ['client-friend-compatible'],
    name: 'Friendly App (compatible)',
    methods: ['email'],
  },
]
