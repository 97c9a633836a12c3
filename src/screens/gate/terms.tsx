import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Button } from '../../ui/button.tsx'
import { Content } from '../../ui/content.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Circle } from '../../ui/hero-art.tsx'
import { fileText } from '../../ui/icons/lucide.ts'
import { Body, Footer } from '../../ui/layout.tsx'
import { Row } from '../../ui/row.tsx'
import { useWords } from '../../ui/words.tsx'

export interface TermsProps {
  termsUrl?: string | undefined
  privacyUrl?: string | undefined
}
export type TermsAnswer = 'accept' | 'decline'

/** The app's terms, which a new person accepts or leaves; it can't be closed. Spec §2 "Terms acceptance". */
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
        <Button busy={busy === 'accept'} disabled={busy === 'decline'} onClick={() => answer('accept')}>
          {t('gate.terms.accept')}
        </Button>
        <Button
          kind="secondary"
          size="medium"
          busy={busy === 'decline'}
          disabled={busy === 'accept'}
          onClick={() => answer('decline')}
        >
          {t('gate.terms.decline')}
        </Button>
      </Footer>
    </>
  )
}

const both = { termsUrl: 'https://harbor.example/terms', privacyUrl: 'https://harbor.example/privacy' }
export const examples = {
  both: { props: both },
  'terms alone': { props: { termsUrl: both.termsUrl } },
  accepting: { props: both, busy: 'accept' },
  declining: { props: both, busy: 'decline' },
} satisfies Examples<typeof terms>
