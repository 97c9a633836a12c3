import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { LinkButton } from '../../ui/actions/link-button.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { smartphone } from '../../ui/icons/landing.ts'
import { fingerprint } from '../../ui/icons/lucide.ts'
import { FooterLine } from '../../ui/layout/footer-line.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Outcome } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'
import { NotNow } from '../not-now.tsx'

export interface VerifyPasskeyProps {
  /** `failed`: it was declined or refused, and the person may try again. */
  state: 'waiting' | 'failed'
  detail?: string | undefined
  /** Nothing more can be tried. */
  blocked?: boolean | undefined
  /** There are other ways of being verified. */
  others: boolean
}
export type VerifyPasskeyAnswer = 'retry' | 'other' | 'not-now'

/** While the browser asks for a passkey, and how that ended. It starts by itself. */
export const verifyPasskey = defineScreen<VerifyPasskeyProps, VerifyPasskeyAnswer>('mfa-passkey', {
  view: VerifyPasskey,
  size: 'compact',
})

function VerifyPasskey(props: VerifyPasskeyProps & Answering<VerifyPasskeyAnswer>) {
  const { state, detail, blocked = false, others, busy, answer } = props
  const t = useWords()
  const failed = state === 'failed'
  useAnnounced(failed && detail, 'alert')
  const off = busy !== undefined
  return (
    <>
      <Body>
        {failed ? (
          <Hero art={<Outcome is="failure" />} title={t('mfa.verify.passkeyTitle')}>
            {detail}
          </Hero>
        ) : (
          <Waiting
            icons={[smartphone, fingerprint]}
            title={t('mfa.verify.passkeyTitle')}
            slow={t('mfa.verify.passkeySlow')}
          >
            {t('mfa.verify.passkeyText')}
          </Waiting>
        )}
      </Body>
      <Footer>
        {others && (
          <FooterLine>
            <LinkButton disabled={off || blocked} busy={busy === 'other'} onClick={() => answer('other')}>
              {t('mfa.code.other')}
            </LinkButton>
          </FooterLine>
        )}
        {failed && !blocked && (
          <AnswerButton gives="retry" busy={busy} answer={answer}>
            {t('common.retry')}
          </AnswerButton>
        )}
        <NotNow busy={busy} answer={answer} />
      </Footer>
    </>
  )
}
