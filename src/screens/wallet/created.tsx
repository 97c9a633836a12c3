import type { CSSObject } from '@emotion/react'
import { media } from '../../../styles/tokens.ts'
import { limits } from '../../core/limits.ts'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { AddressCard } from '../../ui/address-card.tsx'
import { Button } from '../../ui/button.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Outcome } from '../../ui/hero-art.tsx'
import { Body, Footer } from '../../ui/layout.tsx'
import { TimeBar } from '../../ui/time-bar.tsx'
import { useWords } from '../../ui/words.tsx'

export interface WalletCreatedProps {
  address: string
  /** Another one, on the other chain, that was made with it. */
  second?: string | undefined
  isNewUser: boolean
}

/** The wallet is there. Goes on by itself after a moment, which a thin bar shows. Spec §2 "Wallet created". */
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
        <TimeBar time={limits.walletCreatedVisible} onEnd={() => answer('continue')} />
      </Footer>
    </div>
  )
}

// Nobody is hurried who copies an address.
const screen: CSSObject = {
  display: 'contents',
  '&:has([data-card] :focus-visible) [data-bar]': { animationPlayState: 'paused' },
  [media.hover]: { '&:has([data-card]:hover) [data-bar]': { animationPlayState: 'paused' } },
}
const cards: CSSObject = { display: 'grid', justifyContent: 'center', gap: 8 }

const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
export const examples = {
  'new user': { props: { address, isNewUser: true } },
  'known user': { props: { address, isNewUser: false } },
  'two wallets': {
    props: { address, second: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK', isNewUser: true },
  },
  busy: { props: { address, isNewUser: true }, busy: 'continue' },
} satisfies Examples<typeof walletCreated>
