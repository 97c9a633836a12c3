import type { CSSObject } from '@emotion/react'
import { fadeIn } from '../../styles/keyframes.ts'
import { hidden, motion } from '../../styles/tokens.ts'
import { defineScreen } from '../dialog/screen.ts'
import { Spinner } from '../ui/feedback/spinner.tsx'
import { Heading } from '../ui/layout/heading.tsx'
import { Body } from '../ui/layout/layout.tsx'
import { useWords } from '../ui/text/words.tsx'

/** While nothing can be shown yet. */
export const mfaLoading = defineScreen<object, never>('mfa-loading', { view: Loading, size: 'compact' })

function Loading() {
  const t = useWords()
  return (
    <Body>
      <div css={hidden}>
        <Heading>{t('mfa.loading')}</Heading>
      </div>
      <div css={place}>
        <Spinner size={40} />
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
