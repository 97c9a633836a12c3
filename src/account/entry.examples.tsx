import type { Examples } from '../dialog/screen.ts'
import { mail, smartphone, wallet } from '../ui/icons/landing.ts'
import { fingerprint, keyRound, logOut, monitorSmartphone, userRound } from '../ui/icons/lucide.ts'
import type { EntryProps, entry } from './entry.tsx'

const facts = [
  ['Place', '203.0.113.0/24'],
  ['Since', 'Mar 14, 2026'],
  ['Last used', 'Nov 2, 2026, 9:41 PM'],
] as const
const email: EntryProps = {
  icon: mail,
  title: 'ada@example.com',
  text: "You can't log in with it any more once it's removed.",
  facts: [['Added', 'Mar 14, 2026']],
  actions: ['email', 'remove'],
}
const session: EntryProps = {
  icon: monitorSmartphone,
  title: 'Safari on iPhone',
  text: "You'll have to log in again there.",
  facts,
  actions: ['end'],
}
const device: EntryProps = {
  icon: smartphone,
  title: 'Safari on iPhone',
  facts,
  text: "Once it's removed, it can't use your wallets until you confirm it's you again.",
  actions: ['remove-device'],
}
const passkey: EntryProps = {
  icon: fingerprint,
  title: 'iCloud Keychain on Safari',
  facts: [['Added', 'Mar 14, 2026']],
  text: "You can't log in with it any more once it's removed.",
  actions: ['rename', 'remove'],
}

export const examples = {
  'an address': { props: email },
  'an address, confirmed in a window': {
    props: { ...email, note: "You'll confirm changes in a window of your wallet." },
  },
  'removing it': { props: email, busy: 'remove' },
  'not removed': { props: { ...email, error: "We can't reach the server. Check your connection." } },
  'a profile': {
    props: {
      ...email,
      icon: 'google',
      title: 'maximiliane.von-der-hohenstein@organisation.example',
      actions: ['remove'],
    },
  },
  "a wallet of the person's own": {
    props: {
      icon: 'metamask',
      title: '0x71C7…976F',
      facts: [['Added', 'Mar 14, 2026']],
      actions: ['remove'],
      text: "You can't log in with it any more once it's removed.",
      address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    },
  },
  'an embedded wallet': {
    props: {
      icon: wallet,
      title: 'Ethereum wallet',
      address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
      facts: [['Recovery', 'Google Drive']],
      actions: ['recovery', 'export'],
    },
  },
  'a passkey': { props: passkey },
  'a passkey that verifies': {
    props: {
      ...passkey,
      text: 'This passkey verifies your transactions. Turn that off before you remove it.',
      actions: ['rename'],
    },
  },
  'a session': { props: session },
  'logging out': { props: session, busy: 'end' },
  'this session': { props: { ...session, title: 'Chrome on Windows', text: 'This device', actions: [] } },
  'everywhere else': {
    props: {
      icon: logOut,
      title: 'Log out everywhere else',
      facts: [],
      actions: ['end-others'],
      text: "You'll stay logged in here. Everywhere else you'll have to log in again.",
    },
  },
  'a device': { props: device },
  permission: {
    props: {
      icon: keyRound,
      title: 'Harbor',
      text: 'Harbor can act with this wallet without asking you each time.',
      address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
      facts: [
        ['For', 'Pays for your mooring each day'],
        ['USDC used in all', '3 USDC of 100 USDC'],
        ['Times used', '3'],
        ['Last', '0x2222…2222 · Nov 20, 2026, 9:41 PM · confirmed'],
        ['Ends', 'Dec 20, 2026'],
      ],
      actions: ['stop-permission'],
    },
  },
  'a connected app': {
    props: {
      icon: userRound,
      title: 'Harbor',
      text: 'Harbor knows your wallets here and can ask them to sign. You review each request.',
      facts: [
        ['Connected', 'Mar 14, 2026'],
        ['Last used', 'Nov 20, 2026, 9:41 PM'],
        ['Access ends', 'Nov 20, 2026, 10:38 PM'],
      ],
      actions: ['disconnect-app'],
    },
  },
  'removing a device': { props: device, busy: 'remove-device' },
} satisfies Examples<typeof entry>
