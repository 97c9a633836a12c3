import type { Examples } from '../../dialog/screen.ts'
import { links, nameless, uri, type walletConnectCode } from './wallet-connect.tsx'

const rainbow = {
  wallet: { id: 'rainbow', name: 'Rainbow' },
  installUrl: 'https://rainbow.me',
  uri,
  mobile: false,
} as const

export const examples = {
  code: { props: rainbow },
  'any wallet': { props: nameless },
  preparing: { props: { ...rainbow, uri: undefined } },
  expired: { props: { ...rainbow, expired: true } },
  renewing: { props: { ...rainbow, expired: true }, busy: 'retry' },
  failed: {
    props: { ...rainbow, uri: undefined, failure: 'Check your internet connection and try again.' },
  },
  retrying: {
    props: { ...rainbow, uri: undefined, failure: 'Check your internet connection and try again.' },
    busy: 'retry',
  },
  'going back': { props: rainbow, busy: 'back' },
  'unknown wallet': { props: { ...rainbow, wallet: { id: 'haha', name: 'HaHa' } } },
  'longest words': {
    props: {
      ...rainbow,
      wallet: { id: 'long', name: 'Genossenschaftliche Energie-Brieftasche' },
      uri: `${uri}&methods=${'wallet_switchEthereumChain,personal_sign,'.repeat(8)}`,
    },
  },
  'on a phone': { props: { ...rainbow, mobile: true, links } },
  'preparing on a phone': { props: { ...rainbow, mobile: true, uri: undefined } },
  'any wallet on a phone': { props: { ...nameless, mobile: true } },
  'without a link on a phone': { props: { ...rainbow, mobile: true } },
  'expired on a phone': { props: { ...rainbow, mobile: true, links, expired: true } },
  'renewing on a phone': { props: { ...rainbow, mobile: true, links, expired: true }, busy: 'retry' },
} satisfies Examples<typeof walletConnectCode>
