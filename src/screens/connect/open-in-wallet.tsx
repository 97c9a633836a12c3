import { limits } from '../../core/limits.ts'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { AppLink } from '../../ui/app-link.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Body, Footer } from '../../ui/layout.tsx'
import { useAnnounced } from '../../ui/panel-context.tsx'
import { WalletTile } from '../../ui/tile.tsx'
import { useAppLinks } from '../../ui/use-app-links.ts'
import type { ShownWallet } from '../../ui/wallet-mark.tsx'
import { useWords } from '../../ui/words.tsx'

export interface OpenInWalletProps {
  wallet: ShownWallet
  /** They open this page in the wallet's own browser. */
  links: { native?: string | undefined; universal: string }
}
export type OpenInWalletAnswer = 'back'

/** On a phone, before the page goes on inside a wallet's own browser. Spec §2 "Phantom interstitial on mobile". */
export const openInWallet = defineScreen<OpenInWalletProps, OpenInWalletAnswer>('open-in-wallet', {
  view: OpenInWallet,
  size: 'compact',
  back: true,
})

function OpenInWallet({ wallet, links }: OpenInWalletProps & Answering<OpenInWalletAnswer>) {
  const t = useWords()
  const named = { wallet: wallet.name }
  // Its own scheme comes second: without the app a browser answers that with an error of its own.
  const { href, times, follow } = useAppLinks([links.universal, links.native], limits.walletLinkPatience)
  const still = times > 0
  useAnnounced(still && t('connect.browse.stillText', named))
  return (
    <>
      <Body>
        <Hero art={<WalletTile {...wallet} />} title={t('connect.browse.title', named)}>
          {t(still ? 'connect.browse.stillText' : 'connect.browse.text', named)}
        </Hero>
      </Body>
      <Footer>
        <AppLink href={href} onFollow={follow}>
          {still ? t('connect.browse.still') : t('connect.open', named)}
        </AppLink>
      </Footer>
    </>
  )
}

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
