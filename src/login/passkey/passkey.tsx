import type { CSSObject } from '@emotion/react'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { smartphone } from '../../ui/icons/landing.ts'
import { fingerprint } from '../../ui/icons/lucide.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Outcome } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { paragraph } from '../../ui/layout/paragraph.ts'
import { useWords } from '../../ui/text/words.tsx'

export type PasskeyProps = {
  /** What the passkey is asked for. */
  doing: 'login' | 'signup' | 'link'
  /** People without a passkey may create one here; otherwise they have to sign up another way. */
  signUp: boolean
} & ({ state: 'waiting' | 'done' } | { state: 'failed'; title: string; detail: string; retryable: boolean })

export type PasskeyAnswer = 'retry' | 'signup' | 'back'

/** While the browser asks for a passkey, and how that ended. */
export const passkey = defineScreen<PasskeyProps, PasskeyAnswer>('passkey', {
  view: Passkey,
  size: 'compact',
  back: ({ state }) => state !== 'done',
})

function Passkey(props: PasskeyProps & Answering<PasskeyAnswer>) {
  const { doing, signUp, state, busy, answer } = props
  const t = useWords()
  const done = state === 'done' && t(doing === 'login' ? 'login.passkey.done' : 'login.passkey.made')
  const offersSignUp = signUp && doing === 'login'
  const leave = t(doing === 'link' ? 'login.passkey.notNow' : 'login.passkey.otherWay')
  const button = (to: PasskeyAnswer, label: string, kind: 'primary' | 'secondary') => (
    <AnswerButton key={to} gives={to} busy={busy} answer={answer} kind={kind}>
      {label}
    </AnswerButton>
  )

  if (done) return <Success title={done} />
  if (state === 'failed')
    return (
      <>
        <Body>
          <Hero art={<Outcome is="failure" />} title={props.title}>
            {props.detail}
          </Hero>
          {doing === 'login' && (
            <p css={[paragraph, hint]}>
              {t(signUp && props.retryable ? 'login.passkey.hintHere' : 'login.passkey.hint')}
            </p>
          )}
        </Body>
        <Footer>
          {props.retryable ? button('retry', t('common.retry'), 'primary') : button('back', leave, 'primary')}
          {offersSignUp && props.retryable
            ? button('signup', t('login.passkey.signUp'), 'secondary')
            : props.retryable && button('back', leave, 'secondary')}
        </Footer>
      </>
    )
  return (
    <>
      <Body>
        <Waiting
          key={doing}
          icons={[smartphone, fingerprint]}
          title={t(doing === 'login' ? 'login.passkey.waiting' : 'login.passkey.making')}
          slow={t('login.passkey.slow')}
        >
          {t('login.passkey.follow')}
        </Waiting>
      </Body>
      {offersSignUp && <Footer>{button('signup', t('login.passkey.signUp'), 'secondary')}</Footer>}
    </>
  )
}

const hint: CSSObject = { textAlign: 'center', marginInline: 'auto', marginBlockStart: -8 }
