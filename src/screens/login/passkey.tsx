import type { CSSObject } from '@emotion/react'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Button } from '../../ui/button.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Outcome } from '../../ui/hero-art.tsx'
import { smartphone } from '../../ui/icons/landing.ts'
import { keyRound } from '../../ui/icons/lucide.ts'
import { Body, Footer } from '../../ui/layout.tsx'
import { useAnnounced } from '../../ui/panel-context.tsx'
import { paragraph } from '../../ui/paragraph.ts'
import { Waiting } from '../../ui/waiting.tsx'
import { useWords } from '../../ui/words.tsx'

export type PasskeyProps = {
  /** What the passkey is asked for. */
  doing: 'login' | 'signup'
  /** Somebody without a passkey may make one here; else they have to sign up some other way. */
  signUp: boolean
} & ({ state: 'waiting' | 'done' } | { state: 'failed'; title: string; detail: string; retryable: boolean })
export type PasskeyAnswer = 'retry' | 'signup' | 'back'

/** While the browser asks for a passkey, and how that ended. Spec §2 "Awaiting passkey system dialogue". */
export const passkey = defineScreen<PasskeyProps, PasskeyAnswer>('passkey', {
  view: Passkey,
  size: 'compact',
  back: ({ state }) => state !== 'done',
})

function Passkey(props: PasskeyProps & Answering<PasskeyAnswer>) {
  const { doing, signUp, state, busy, answer } = props
  const t = useWords()
  const done = state === 'done' && t(doing === 'login' ? 'login.passkey.done' : 'login.passkey.made')
  useAnnounced(done)
  const offersSignUp = signUp && doing === 'login'
  const button = (to: PasskeyAnswer, label: string, kind: 'primary' | 'secondary') => (
    <Button kind={kind} busy={busy === to} disabled={busy !== undefined} onClick={() => answer(to)}>
      {label}
    </Button>
  )

  if (done)
    return (
      <Body>
        <Hero art={<Outcome is="success" />} title={done} />
      </Body>
    )
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
          {props.retryable
            ? button('retry', t('login.passkey.retry'), 'primary')
            : button('back', t('login.passkey.otherWay'), 'primary')}
          {offersSignUp && props.retryable
            ? button('signup', t('login.passkey.signUp'), 'secondary')
            : props.retryable && button('back', t('login.passkey.otherWay'), 'secondary')}
        </Footer>
      </>
    )
  return (
    <>
      <Body>
        <Waiting
          key={doing}
          icons={[smartphone, keyRound]}
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

const login = { doing: 'login', signUp: false } as const
const signup = { doing: 'signup', signUp: true } as const
const rejected = {
  state: 'failed',
  title: 'Something went wrong',
  detail: 'Passkey request timed out or rejected by user.',
  retryable: true,
} as const
export const examples = {
  waiting: { props: { ...login, state: 'waiting' } },
  'waiting, sign-up offered': { props: { ...login, signUp: true, state: 'waiting' } },
  'signing up': { props: { ...signup, state: 'waiting' } },
  done: { props: { ...login, state: 'done' } },
  'signed up': { props: { ...signup, state: 'done' } },
  rejected: { props: { ...login, ...rejected } },
  'rejected, sign-up offered': { props: { ...login, ...rejected, signUp: true } },
  'sign-up rejected': { props: { ...signup, ...rejected } },
  retrying: { props: { ...login, ...rejected, signUp: true }, busy: 'retry' },
  'going to sign up': { props: { ...login, ...rejected, signUp: true }, busy: 'signup' },
  'going back': { props: { ...login, ...rejected }, busy: 'back' },
  unknown: { props: { ...login, ...rejected, detail: 'Unknown error occurred.' } },
  unsupported: {
    props: { ...login, ...rejected, detail: 'WebAuthn is not supported in this browser', retryable: false },
  },
} satisfies Examples<typeof passkey>
