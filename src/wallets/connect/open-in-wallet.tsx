import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AppLink } from '../../ui/actions/app-link.tsx'
import { WalletTile } from '../../ui/actions/tile.tsx'
import { useAppLinks } from '../../ui/actions/use-app-links.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'
import type { ShownWallet } from '../../ui/wallet/wallet-mark.tsx'
import { walletsLimits } from '../limits.ts'

export interface OpenInWalletProps {
  wallet: ShownWallet
  /** They open this page in the wallet's own browser. */
  links: { native?: string | undefined; universal: string }
}

export type OpenInWalletAnswer = 'back'

/** On a phone, before the page continues inside a wallet's own browser. */
export const openInWallet = defineScreen<OpenInWalletProps, OpenInWalletAnswer>('open-in-wallet', {
  view: OpenInWallet,
  size: 'compact',
  back: true,
})

function OpenInWallet({ wallet, links }: OpenInWalletProps & Answering<OpenInWalletAnswer>) {
  const t = useWords()
  const named = { wallet: wallet.name }
  // The app's own scheme comes second, because a browser without the app answers it with an error.
  const { href, times, follow } = useAppLinks(
    [links.universal, links.native],
    walletsLimits.walletLinkPatience,
  )
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
