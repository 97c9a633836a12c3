import type { Examples } from '../../../dialog/screen.ts'
import type { AccountChangeProps, accountChange } from './account-change.tsx'

const rest = { app: 'Harbor', facts: [], wallets: [], isLastLogin: false } as const
const link: AccountChangeProps = { ...rest, action: 'link', account: 'ada@example.com' }
const unlink: AccountChangeProps = { ...rest, action: 'unlink', account: 'Google (ada@example.com)' }
const wallets = ['0x71C7656EC7ab88b098defB751B7401B5f6d8976F', '0x2222222222222222222222222222222222222222']

export const examples = {
  link: { props: link },
  'link a long address': {
    props: { ...link, account: 'augusta.ada.king.countess.of.lovelace@analytical-engines.example.com' },
  },
  'link a provider': { props: { ...link, account: 'Discord (ada#0001)' } },
  'link a wallet': {
    props: {
      ...link,
      account: 'wallet',
      address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    },
  },
  'link a smart wallet': {
    props: {
      ...link,
      account: 'smart wallet',
      address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
      isNoLogin: true,
    },
  },
  'link, adding': { props: link, busy: 'approve' },
  'link, failed': { props: { ...link, error: "That didn't work. Try again." } },
  update: {
    props: {
      ...rest,
      action: 'update',
      account: 'email address',
      facts: [
        ['Until now', 'ada@example.com'],
        ['New', 'augusta.ada.king.countess.of.lovelace@analytical-engines.example.com'],
      ],
    },
  },
  transfer: { props: { ...rest, action: 'transfer', account: 'ada@example.com' } },
  'transfer, a wallet is lost': {
    props: { ...rest, action: 'transfer', account: 'ada@example.com', wallets: wallets.slice(0, 1) },
  },
  'transfer, wallets are lost': {
    props: { ...rest, action: 'transfer', account: 'Google (ada@example.com)', wallets },
  },
  unlink: { props: unlink },
  'unlink a smart wallet': {
    props: {
      ...unlink,
      account: 'smart wallet',
      address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
      isNoLogin: true,
    },
  },
  'unlink the last login': { props: { ...unlink, isLastLogin: true } },
  'unlink, removing': { props: unlink, busy: 'approve' },
  'unlink, cancelling': { props: unlink, busy: 'cancel' },
  'end a session': {
    props: { ...rest, action: 'end-session', account: 'Chrome on Windows', facts: [['Place', 'Berlin']] },
  },
  grant: { props: { ...rest, action: 'grant', account: 'Lighthouse' } },
  'grant, allowing': { props: { ...rest, action: 'grant', account: 'Lighthouse' }, busy: 'approve' },
  'end all others': { props: { ...rest, action: 'end-sessions', account: '' } },
} satisfies Examples<typeof accountChange>
