import type { Examples } from '../../dialog/screen.ts'
import type { landing } from './landing.tsx'
import type { LandingMethod, LandingProps } from './landing-methods.tsx'

const email: LandingMethod = { id: 'email', kind: 'email-field', recent: false }

const recentEmail: LandingMethod = { ...email, recent: true }

const row = (id: string, label: string, icon?: string): LandingMethod => ({
  id,
  kind: 'row',
  label,
  icon,
  recent: false,
})

const sms = row('sms', 'Continue with phone')

const ownWallet = row('wallet', 'Continue with a wallet')

const google = row('google', 'Google')

const apple = row('apple', 'Apple')

const others = /* @__PURE__ */ [
  'Discord',
  'GitHub',
  'LinkedIn',
  'Spotify',
  'Instagram',
  'TikTok',
  'Farcaster',
  'Telegram',
].map((name) => row(name.toLowerCase(), name))

const friend = row('friends:harbor', 'Harbor Friends', 'https://logo.invalid/none.png')

const wide =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 180 48"%3E%3Cg fill="%230E9F8A"%3E%3Cpath d="M12 30a14 14 0 0 1 28 0zM12 34h28l-4 6H16z"/%3E%3Ctext x="52" y="36" font-family="sans-serif" font-weight="700" font-size="30"%3EHarbor%3C/text%3E%3C/g%3E%3C/svg%3E'

const basic: LandingProps = {
  app: { name: 'Harbor', logoUrl: wide },
  page: 'main',
  methods: [email],
  email: { value: '', plusAllowed: true },
  legal: { termsUrl: 'https://harbor.example/terms', privacyUrl: 'https://harbor.example/privacy' },
}

const several: LandingProps = {
  ...basic,
  app: { name: 'Harbor' },
  methods: [email, sms, google, ownWallet],
  more: 'options',
  passkey: true,
}

const collapsed: LandingMethod = { id: 'email', kind: 'row', label: 'Continue with email', recent: true }

const phoneField: LandingMethod = { id: 'sms', kind: 'phone-field', recent: false }

const groups: LandingProps = {
  ...several,
  methods: [email, sms, google, row('more', 'Other socials'), ownWallet],
  more: 'socials',
}

export const examples = {
  'email only': { props: basic },
  'email only, no logo, no legal': { props: { ...basic, app: { name: 'Harbor' }, legal: undefined } },
  'several methods': { props: several },
  'exactly five': { props: { ...several, methods: [email, sms, google, apple, ownWallet], more: undefined } },
  grouped: { props: groups },
  'email recent': { props: { ...several, methods: [recentEmail, sms, google, ownWallet] } },
  'google recent': { props: { ...groups, methods: [{ ...google, recent: true }, email, sms, apple] } },
  'inputs collapsed': { props: { ...several, methods: [collapsed, sms, google, ownWallet] } },
  'phone field': { props: { ...several, methods: [phoneField, google, apple] } },
  'phone field after the email': {
    props: { ...groups, methods: [{ ...collapsed, recent: false }, phoneField, google] },
  },
  'phone refused': {
    props: {
      ...several,
      methods: [phoneField, google, apple],
      phone: { value: '+4915', country: 'DE', error: 'This phone number is too short.' },
    },
  },
  'another app': { props: { ...several, methods: [friend, email, google] } },
  prefilled: { props: { ...basic, email: { value: 'ada@harbor.example', plusAllowed: true } } },
  'plus refused': {
    props: {
      ...several,
      email: {
        value: 'ada+news@harbor.example',
        plusAllowed: false,
        error: "Please enter a valid email address without a '+'.",
      },
    },
  },
  'busy with the email': {
    props: { ...several, email: { value: 'ada@harbor.example', plusAllowed: true } },
    busy: { email: 'ada@harbor.example' },
  },
  'busy with the phone': {
    props: { ...several, methods: [phoneField, google], phone: { value: '+12133734253' } },
    busy: { phone: '+12133734253' },
  },
  'busy with a method': { props: several, busy: { method: 'google' } },
  'busy with the passkey': { props: several, busy: { method: 'passkey' } },
  'busy with more': { props: several, busy: 'more' },
  'busy with the other socials': { props: groups, busy: 'more' },
  'more options': {
    props: {
      ...several,
      page: 'more',
      methods: [apple, ...others, friend],
    },
  },
  'other socials': { props: { ...groups, page: 'more', methods: others } },
  'wallets first': {
    props: {
      ...several,
      methods: [
        { ...row('metamask', 'MetaMask'), recent: true },
        row('phantom:solana', 'Phantom'),
        row('coinbase_wallet', 'Coinbase Wallet'),
        row('wallet', 'Other wallets'),
        email,
      ],
    },
  },
  'terms only': { props: { ...basic, legal: { termsUrl: 'https://harbor.example/terms' } } },
  'longest words': {
    props: {
      ...several,
      app: {
        name: 'Genossenschaftliche Energieversorgung Oberland',
        logoUrl: 'https://logo.invalid/none.png',
      },
      header: 'Anmelden oder neues Kundenkonto bei der Energieversorgung anlegen',
      message:
        'Mit Ihrem Kundenkonto sehen Sie Verträge, Zählerstände und Rechnungen an einem einzigen Ort, immer.',
      methods: [
        recentEmail,
        { id: 'sms', kind: 'row', label: 'Mit der hinterlegten Mobilfunknummer fortfahren', recent: false },
        {
          id: 'energie',
          kind: 'row',
          label: 'Mit dem Konto der Energiegenossenschaft anmelden',
          recent: false,
        },
        { id: 'wallet', kind: 'row', label: 'Mit einer Wallet fortfahren', recent: false },
      ],
    },
  },
} satisfies Examples<typeof landing>
