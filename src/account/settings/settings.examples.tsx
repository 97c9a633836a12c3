import type { Examples } from '../../dialog/screen.ts'
import { mail, smartphone, wallet } from '../../ui/icons/landing.ts'
import { clock, fingerprint, keyRound, monitorSmartphone, userRound } from '../../ui/icons/lucide.ts'
import type { Shown } from '../shown.ts'
import type { accountSettings, SettingsProps } from './settings.tsx'

const here = { text: 'This device', tone: 'plain' } as const
const enabled = { text: 'Enabled', tone: 'success' } as const
const hereToday = 'Berlin, Germany · Last used Nov 20, 2026'
const browsers: readonly Shown[] = [
  { key: 's1', icon: monitorSmartphone, label: 'Chrome on Windows', detail: hereToday, mark: here },
  {
    key: 's2',
    icon: monitorSmartphone,
    label: 'Safari on iPhone',
    detail: '198.51.100.0/24 · Last used Nov 2, 2026',
  },
]
const devices: readonly Shown[] = [
  { key: 'd1', icon: smartphone, label: 'Chrome on Windows', detail: hereToday, mark: here },
  { key: 'd2', icon: smartphone, label: 'Safari on iPhone', detail: 'Last used Nov 2, 2026' },
]
const passkeys: readonly Shown[] = [
  {
    key: 'p1',
    icon: fingerprint,
    label: 'iCloud Keychain on Safari',
    detail: 'Added Mar 14, 2026',
    mark: enabled,
  },
  { key: 'p2', icon: fingerprint, label: 'Unknown device', detail: 'Added Nov 2, 2026' },
  { key: 'p3', icon: fingerprint, label: 'Chrome on Windows', detail: 'Added Nov 20, 2026' },
]
const harborIcon =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"%3E%3Crect width="28" height="28" fill="%230E9F8A"/%3E%3C/svg%3E'
const full: SettingsProps = {
  accounts: [
    { key: 'e', icon: mail, label: 'Email', detail: 'ada@example.com' },
    { key: 'p', icon: smartphone, label: 'Phone', detail: '+1 202-555-0123' },
    { key: 'g', icon: 'google', label: 'Google', detail: 'ada@example.com' },
    { key: 'w', icon: 'metamask', label: 'Wallet', detail: '0x71C7…976F' },
    { key: 'f', icon: 'farcaster', label: 'Farcaster', detail: '@ada' },
    { key: 'o', icon: harborIcon, label: 'Harbor' },
  ],
  canAdd: true,
  passkeys,
  canAddPasskey: true,
  factors: [
    { key: 'totp', icon: clock, label: 'Authenticator app', mark: enabled },
    { key: 'passkey', icon: fingerprint, label: 'Passkey', mark: enabled },
  ],
  wallets: [
    { key: '0x1', icon: wallet, label: 'Ethereum wallet', detail: '0x71C7…976F · Google Drive' },
    { key: '7E', icon: wallet, label: 'Solana wallet', detail: '7EqQ…nGbH · Google Drive' },
  ],
  permissions: undefined,
  canRevokeAll: false,
  connectedApps: undefined,
  sessions: { state: 'loaded', items: browsers },
  elsewhere: true,
  devices: { state: 'loaded', items: devices },
  waiting: false,
  proofs: 'some',
}
const fresh: SettingsProps = {
  ...full,
  accounts: [{ key: 'e', icon: mail, label: 'Email', detail: 'ada@example.com' }],
  passkeys: [],
  factors: [],
  wallets: [],
  sessions: { state: 'loaded', items: browsers.slice(0, 1) },
  elsewhere: false,
  devices: undefined,
  proofs: undefined,
}

export const examples = {
  full: { props: full },
  'just signed up': { props: fresh },
  'a guest': {
    props: {
      ...fresh,
      accounts: [],
      canAddPasskey: false,
      factors: undefined,
      sessions: { state: 'loaded', items: [] },
    },
  },
  loading: { props: { ...fresh, sessions: { state: 'loading' }, devices: { state: 'loading' } } },
  'lists not loaded': {
    props: { ...fresh, elsewhere: false, sessions: { state: 'failed' }, devices: { state: 'failed' } },
  },
  'a new device waits': { props: { ...full, waiting: true } },
  'servers may act': {
    props: {
      ...full,
      permissions: {
        state: 'loaded',
        items: [
          {
            key: 'g1',
            icon: keyRound,
            label: 'Harbor',
            detail: '0x71C7…976F · used 3 of 10 times',
            mark: { text: 'On', tone: 'success' },
          },
          {
            key: 'g2',
            icon: keyRound,
            label: 'Night watch',
            detail: '7EqQ…nGbH · used 0 times',
            mark: { text: 'On', tone: 'success' },
          },
          { key: 'g3', icon: keyRound, label: 'Harbor', detail: '0x71C7…976F · used 12 times' },
        ],
      },
      canRevokeAll: true,
    },
  },
  'permissions not loaded': { props: { ...full, permissions: { state: 'failed' } } },
  'other apps are let in': {
    props: {
      ...full,
      connectedApps: {
        state: 'loaded',
        items: [
          {
            key: 'a1',
            icon: harborIcon,
            label: 'Harbor',
            detail: 'Last used Nov 20, 2026',
            mark: { text: 'On', tone: 'success' },
          },
          { key: 'a2', icon: userRound, label: 'Night watch', detail: 'Last used Oct 2, 2026' },
        ],
      },
    },
  },
  'apps not loaded': { props: { ...full, connectedApps: { state: 'failed' } } },
  'only this browser': {
    props: {
      ...fresh,
      wallets: full.wallets,
      devices: { state: 'loaded', items: devices.slice(0, 1) },
      proofs: 'none',
    },
  },
  'no devices': { props: { ...fresh, devices: { state: 'loaded', items: [] } } },
  'back from a device': { props: { ...full, at: { device: 'd2' } } },
  opening: { props: full, busy: { account: 'e' } },
  'trying again': { props: { ...fresh, sessions: { state: 'failed' } }, busy: { retry: 'session' } },
  failed: { props: { ...fresh, error: "We can't reach the server. Check your connection." } },
  'longest words': {
    props: {
      ...fresh,
      accounts: [
        {
          key: 'e',
          icon: mail,
          label: 'Email',
          detail: 'maximiliane.von-der-hohenstein@department.organisation.example',
        },
      ],
      sessions: {
        state: 'loaded',
        items: [
          {
            key: 's',
            icon: monitorSmartphone,
            label: 'Samsung Internet on Android',
            detail: '2001:db8:85a3:8d3:1319:8a2e::/96 · Last used Nov 20, 2026',
            mark: here,
          },
        ],
      },
    },
  },
} satisfies Examples<typeof accountSettings>
