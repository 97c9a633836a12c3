import type { CSSObject } from '@emotion/react'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Row } from '../../ui/actions/row.tsx'
import { fileText } from '../../ui/icons/lucide.ts'
import { Content } from '../../ui/layout/content.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'

export interface TermsProps {
  termsUrl?: string | undefined
  privacyUrl?: string | undefined
}

export type TermsAnswer = 'accept' | 'decline'

/** The app's terms, which a new person accepts or declines. */
export const terms = defineScreen<TermsProps, TermsAnswer>('terms', {
  view: Terms,
  size: 'compact',
  closable: false,
})

function Terms({ termsUrl, privacyUrl, busy, answer }: TermsProps & Answering<TermsAnswer>) {
  const t = useWords()
  return (
    <>
      <Body>
        <Hero art={<Circle icon={fileText} />} title={t('gate.terms.title')}>
          {t('gate.terms.text')}
        </Hero>
        <Content>
          {termsUrl && <Row label={t('gate.terms.view')} href={termsUrl} />}
          {privacyUrl && <Row label={t('gate.terms.viewPrivacy')} href={privacyUrl} />}
        </Content>
      </Body>
      <Footer>
        <div css={pair}>
          <Button
            kind="secondary"
            busy={busy === 'decline'}
            disabled={busy === 'accept'}
            onClick={() => answer('decline')}
          >
            {t('gate.terms.decline')}
          </Button>
          <Button busy={busy === 'accept'} disabled={busy === 'decline'} onClick={() => answer('accept')}>
            {t('gate.terms.accept')}
          </Button>
        </div>
      </Footer>
    </>
  )
}

const pair: CSSObject = {
  // To decline is as large as to accept.
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit,minmax(min(100%,8em),1fr))',
  gap: 8,
}
