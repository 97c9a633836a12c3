import type { CSSObject } from '@emotion/react'
import { keyframes } from '../../../styles/keyframes.ts'
import { color, media } from '../../../styles/tokens.ts'
import { limits } from '../../core/limits.ts'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { AddressCard } from '../../ui/address-card.tsx'
import { Button } from '../../ui/button.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Outcome } from '../../ui/hero-art.tsx'
import { Body, Footer } from '../../ui/layout.tsx'
import { useWords } from '../../ui/words.tsx'

export interface WalletCreatedProps {
  address: string
  isNewUser: boolean
}

/** The wallet is there. Goes on by itself after a moment, which a thin bar shows. Spec §2 "Wallet created". */
export const walletCreated = defineScreen<WalletCreatedProps, 'continue'>('wallet-created', {
  view: Created,
  size: 'compact',
})

function Created({ address, isNewUser, busy, answer }: WalletCreatedProps & Answering<'continue'>) {
  const t = useWords()
  return (
    <div css={screen}>
      <Body>
        <Hero
          art={<Outcome is="success" />}
          title={t(isNewUser ? 'wallet.created.new' : 'wallet.created.known')}
        >
          {t('wallet.created.text')}
        </Hero>
        <AddressCard short address={address} />
      </Body>
      <Footer>
        <Button busy={busy === 'continue'} onClick={() => answer('continue')}>
          {t('common.continue')}
        </Button>
        <div css={track}>
          <div data-bar css={bar} onAnimationEnd={() => answer('continue')} />
        </div>
      </Footer>
    </div>
  )
}

// It runs as an animation, so that holding it needs no timer; where nothing may move, only the time runs.
const shrink = keyframes({ to: { transform: 'scaleX(0)' } })
const still = keyframes({ to: { opacity: 1 } })
const screen: CSSObject = {
  display: 'contents',
  '&:has([data-card] :focus-visible) [data-bar]': { animationPlayState: 'paused' },
  [media.hover]: { '&:has([data-card]:hover) [data-bar]': { animationPlayState: 'paused' } },
}
const track: CSSObject = {
  height: 4,
  marginBlockStart: 8,
  borderRadius: 4,
  background: color('fill-pressed'),
  overflow: 'hidden',
}
const bar: CSSObject = {
  height: '100%',
  borderRadius: 4,
  background: color('text-faint'),
  transformOrigin: 'left',
  '&:dir(rtl)': { transformOrigin: 'right' },
  animation: `${shrink} ${limits.walletCreatedVisible}ms linear forwards`,
  [media.reduced]: { animationName: still },
}

const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
export const examples = {
  'new user': { props: { address, isNewUser: true } },
  'known user': { props: { address, isNewUser: false } },
  busy: { props: { address, isNewUser: true }, busy: 'continue' },
} satisfies Examples<typeof walletCreated>
