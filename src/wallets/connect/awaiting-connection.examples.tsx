import type { Examples } from '../../dialog/screen.ts'
import { type awaitingConnection, link } from './awaiting-connection.tsx'

const metamask = { id: 'metamask', name: 'MetaMask' }

const harbor = { name: 'Harbor' }

const square =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 32 32%22%3E%3Crect width=%2232%22 height=%2232%22 rx=%228%22 fill=%22%230e9f8a%22/%3E%3Cpath d=%22M8 20a8 8 0 0 1 16 0zM8 22h16l-2 3H10z%22 fill=%22white%22/%3E%3C/svg%3E'

const asking = { wallet: metamask, app: harbor, purpose: 'log-in' } as const

const failed = { ...asking, state: 'failed' } as const

const rejected = {
  ...failed,
  title: 'Request rejected',
  detail: 'The request was rejected. Please try again.',
  action: 'retry',
} as const

const used = {
  ...failed,
  title: 'Authentication failed',
  detail: 'This account has already been linked to another user.',
  action: 'other',
} as const

export const examples = {
  connecting: { props: { ...asking, state: 'connecting' } },
  'with a logo': {
    props: { ...asking, app: { name: 'Harbor', logoUrl: square }, state: 'connecting' },
  },
  'another try offered': { props: { ...asking, state: 'connecting', action: 'retry' } },
  signing: { props: { ...asking, state: 'signing' } },
  'asks to sign': { props: { ...asking, state: 'signing', asks: true } },
  'about to sign': { props: { ...asking, state: 'signing', asks: true }, busy: 'sign' },
  'switching networks': { props: { ...asking, state: 'switching' } },
  'on a phone': { props: { ...asking, state: 'connecting', link } },
  'on a phone, asks to sign': { props: { ...asking, state: 'signing', asks: true, link } },
  'on a phone, another try offered': { props: { ...asking, state: 'signing', link, action: 'retry' } },
  'unknown wallet': {
    props: { ...asking, wallet: { id: 'haha', name: 'HaHa' }, state: 'connecting' },
  },
  done: { props: { ...asking, state: 'done' } },
  linked: { props: { ...asking, purpose: 'link', state: 'done' } },
  rejected: { props: rejected },
  retrying: { props: rejected, busy: 'retry' },
  'used by somebody else': { props: used },
  'choosing another': { props: used, busy: 'other' },
  'already linked': { props: { ...failed, title: 'Wallet was already linked.', action: 'close' } },
  'given up': { props: failed },
  'going back': { props: rejected, busy: 'back' },
  'longest name': {
    props: {
      ...asking,
      wallet: { id: 'long', name: 'Genossenschaftliche Energie-Brieftasche' },
      app: { name: 'Genossenschaftliche Energieversorgung Oberland' },
      state: 'signing',
    },
  },
} satisfies Examples<typeof awaitingConnection>
