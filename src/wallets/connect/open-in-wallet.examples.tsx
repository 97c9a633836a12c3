import type { Examples } from '../../dialog/screen.ts'
import type { OpenInWalletProps, openInWallet } from './open-in-wallet.tsx'

const page = encodeURIComponent('https://harbor.example/login')

const phantom: OpenInWalletProps = {
  wallet: { id: 'phantom', name: 'Phantom' },
  links: {
    universal: `https://phantom.app/ul/browse/${page}?ref=${page}`,
    native: `phantom://browse/${page}?ref=${page}`,
  },
}

export const examples = {
  phantom: { props: phantom },
  solflare: {
    props: {
      wallet: { id: 'solflare', name: 'Solflare' },
      links: { universal: `https://solflare.com/ul/v1/browse/${page}?ref=${page}` },
    },
  },
  'going back': { props: phantom, busy: 'back' },
} satisfies Examples<typeof openInWallet>
