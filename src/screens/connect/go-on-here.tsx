import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Button } from '../../ui/button.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Body, Footer } from '../../ui/layout.tsx'
import { WalletTile } from '../../ui/tile.tsx'
import type { ShownWallet } from '../../ui/wallet-mark.tsx'
import { useWords } from '../../ui/words.tsx'

export interface GoOnHereProps {
  wallet: ShownWallet
}
export type GoOnHereAnswer = 'continue' | 'decline'

/** Before a session that a link has brought along is taken over: whoever made the link may be somebody else. */
export const goOnHere = defineScreen<GoOnHereProps, GoOnHereAnswer>('go-on-here', {
  view: GoOnHere,
  size: 'compact',
})

function GoOnHere({ wallet, busy, answer }: GoOnHereProps & Answering<GoOnHereAnswer>) {
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
          size="medium"
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

const wallet = { id: 'phantom', name: 'Phantom' }
export const examples = {
  asking: { props: { wallet } },
  continuing: { props: { wallet }, busy: 'continue' },
  declining: { props: { wallet }, busy: 'decline' },
  'longest name': { props: { wallet: { id: 'unknown', name: 'Genossenschaftliche Energie-Brieftasche' } } },
} satisfies Examples<typeof goOnHere>
