import type { CSSObject } from '@emotion/react'
import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { TimeBar } from '../../../ui/feedback/time-bar.tsx'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Outcome } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useWords } from '../../../ui/text/words.tsx'
import { AddressCard } from '../../../ui/wallet/address-card.tsx'
import { walletsLimits } from '../../limits.ts'

export interface WalletCreatedProps {
  address: string
  /** Another wallet, on the other chain, that was created with it. */
  second?: string | undefined
  isNewUser: boolean
}

/** The wallet was created. Continues by itself after a moment, which a thin bar shows. */
export const walletCreated = defineScreen<WalletCreatedProps, 'continue'>('wallet-created', {
  view: Created,
  size: 'compact',
})

function Created({ address, second, isNewUser, busy, answer }: WalletCreatedProps & Answering<'continue'>) {
  const t = useWords()
  return (
    <div css={screen}>
      <Body>
        <Hero
          art={<Outcome is="success" />}
          title={t(isNewUser ? 'wallet.created.new' : 'wallet.created.known')}
        >
          {t(second ? 'wallet.created.both' : 'wallet.created.text')}
        </Hero>
        <div css={cards}>
          <AddressCard short address={address} />
          {second && <AddressCard short address={second} />}
        </div>
      </Body>
      <Footer>
        <Button busy={busy === 'continue'} onClick={() => answer('continue')}>
          {t('common.continue')}
        </Button>
        <TimeBar time={walletsLimits.walletCreatedVisible} onEnd={() => answer('continue')} />
      </Footer>
    </div>
  )
}

// The countdown pauses while the keyboard focus is on the address, but not under a pointer, which may rest there indefinitely.
const screen: CSSObject = {
  display: 'contents',
  '&:has([data-card] :focus-visible) [data-bar]': { animationPlayState: 'paused' },
}

const cards: CSSObject = { display: 'grid', justifyContent: 'center', gap: 8 }

export const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
