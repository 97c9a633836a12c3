import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Button } from '../../ui/actions/button.tsx'
import { WalletTile } from '../../ui/actions/tile.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'
import type { ShownWallet } from '../../ui/wallet/wallet-mark.tsx'

export interface ContinueHereProps {
  wallet: ShownWallet
}

export type ContinueHereAnswer = 'continue' | 'decline'

/** Asks before a session that came in a link is taken over, because somebody else may have made the link. */
export const continueHere = defineScreen<ContinueHereProps, ContinueHereAnswer>('continue-here', {
  view: ContinueHere,
  size: 'compact',
})

function ContinueHere({ wallet, busy, answer }: ContinueHereProps & Answering<ContinueHereAnswer>) {
  const t = useWords()
  const named = { wallet: wallet.name }
  return (
    <>
      <Body>
        <Hero art={<WalletTile {...wallet} />} title={t('connect.here.title', named)}>
          {t('connect.here.text')}
        </Hero>
      </Body>
      <Footer>
        <Button busy={busy === 'continue'} disabled={busy === 'decline'} onClick={() => answer('continue')}>
          {t('common.continue')}
        </Button>
        <Button
          kind="secondary"
          busy={busy === 'decline'}
          disabled={busy === 'continue'}
          onClick={() => answer('decline')}
        >
          {t('connect.here.decline')}
        </Button>
      </Footer>
    </>
  )
}

export const wallet = { id: 'phantom', name: 'Phantom' }
