import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { fingerprint } from '../../ui/icons/lucide.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'

export interface LinkPasskeyProps {
  /** The person came from a larger screen. */
  canGoBack?: boolean | undefined
}
export type LinkPasskeyAnswer = 'create' | 'back'

/** Says what a passkey is good for, before the browser asks for one. */
export const linkPasskey = defineScreen<LinkPasskeyProps, LinkPasskeyAnswer>('link-passkey', {
  view: LinkPasskey,
  size: 'compact',
  back: ({ canGoBack = false }) => canGoBack,
})

function LinkPasskey({ busy, answer }: Answering<LinkPasskeyAnswer>) {
  const t = useWords()
  return (
    <>
      <Body>
        <Hero art={<Circle icon={fingerprint} />} title={t('account.link.passkey')}>
          {t('account.link.passkeyDetail')}
        </Hero>
      </Body>
      <Footer>
        <AnswerButton gives="create" busy={busy} answer={answer}>
          {t('account.link.passkeyCreate')}
        </AnswerButton>
      </Footer>
    </>
  )
}
