import type { CSSObject } from '@emotion/react'
import { fadeIn } from '../../styles/keyframes.ts'
import { motion } from '../../styles/tokens.ts'
import { defineScreen } from '../dialog/screen.ts'
import { Spinner } from '../ui/feedback/spinner.tsx'
import { Hero } from '../ui/layout/hero.tsx'
import { Body } from '../ui/layout/layout.tsx'
import { useWords } from '../ui/text/words.tsx'

export interface MfaLoadingProps {
  /** What is waited for: the person's factors, or that a text message is on its way. */
  what: 'methods' | 'code'
}

/** While nothing can be shown yet. */
export const mfaLoading = defineScreen<MfaLoadingProps, never>('mfa-loading', {
  view: Loading,
  size: 'compact',
})

function Loading({ what }: MfaLoadingProps) {
  const t = useWords()
  return (
    <Body>
      <div css={place}>
        <Hero title={t(`mfa.loading.${what}`)} art={<Spinner size={40} />} />
      </div>
    </Body>
  )
}

const place: CSSObject = {
  display: 'grid',
  placeItems: 'center',
  minHeight: 160,
  // Mostly it is over before there is anything to look at.
  animation: `${fadeIn} ${motion.base} 150ms backwards`,
}
