import type { Examples } from '../../dialog/screen.ts'
import type { installWallet } from './install-wallet.tsx'

const phantom = {
  wallet: { id: 'phantom', name: 'Phantom' },
  installUrl: 'https://phantom.com/download',
} as const

export const examples = {
  install: { props: { ...phantom, step: 'install' } },
  help: { props: { ...phantom, step: 'help' } },
  'asking for help': { props: { ...phantom, step: 'install' }, busy: 'help' },
  reloading: { props: { ...phantom, step: 'install' }, busy: 'installed' },
  'reloading after the help': { props: { ...phantom, step: 'help' }, busy: 'installed' },
  'going back': { props: { ...phantom, step: 'help' }, busy: 'back' },
  'unknown wallet': {
    props: {
      wallet: { id: 'long', name: 'Genossenschaftliche Energie-Brieftasche' },
      installUrl: 'https://wallet.example',
      step: 'install',
    },
  },
} satisfies Examples<typeof installWallet>
