import type { CSSObject } from '@emotion/react'
import { color } from '../../../styles/tokens.ts'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Circle, Outcome } from '../../ui/hero-art.tsx'
import { shieldCheck } from '../../ui/icons/lucide.ts'
import { Body, Footer } from '../../ui/layout.tsx'
import { OutsideBox } from '../../ui/outside-box.tsx'
import { useAnnounced } from '../../ui/panel-context.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useWords } from '../../ui/words.tsx'

export interface CaptchaProps {
  /** `asking`: the vendor waits for the person. */
  state: 'checking' | 'asking' | 'passed' | 'failed'
  /** Where the vendor draws. */
  box?: HTMLElement | undefined
  /** Why it failed. */
  title?: string | undefined
  detail?: string | undefined
  /** What may help, once trying again has not. */
  advice?: string | undefined
  retryable?: boolean | undefined
}
export type CaptchaAnswer = 'retry' | 'back'

/** While it is found out whether a human is there. Spec §2 and §4 "Captcha". */
export const captcha = defineScreen<CaptchaProps, CaptchaAnswer>('captcha', {
  view: Captcha,
  size: 'compact',
  back: ({ state }) => state !== 'passed',
})

function Captcha(props: CaptchaProps & Answering<CaptchaAnswer>) {
  const { state, box, title = '', detail, advice, retryable = true, busy, answer } = props
  const t = useWords()
  const waiting = state === 'checking' || state === 'asking'
  const failed = state === 'failed'
  const words = {
    checking: t('login.captcha.checking'),
    asking: t('login.captcha.checking'),
    passed: t('common.success'),
    failed: title,
  }
  const question = state === 'asking' ? t('login.captcha.asking') : undefined
  useAnnounced(question)
  useAnnounced(failed && [detail, advice].filter(Boolean).join(' '), 'alert')
  return (
    <>
      <Body>
        <Hero
          art={waiting ? <Circle icon={shieldCheck} /> : <Outcome is={failed ? 'failure' : 'success'} />}
          title={words[state]}
        >
          {failed ? detail : question}
        </Hero>
        {state === 'checking' && (
          <div css={turning}>
            <Spinner size={24} />
          </div>
        )}
        <OutsideBox box={box} slot="captcha" shown={state === 'asking'} />
      </Body>
      {failed && (
        <Footer>
          {advice && <Banner>{advice}</Banner>}
          <Button
            busy={busy === 'retry'}
            disabled={busy === 'back'}
            onClick={() => answer(retryable ? 'retry' : 'back')}
          >
            {retryable ? t('login.captcha.retry') : t('common.back')}
          </Button>
        </Footer>
      )}
    </>
  )
}

const turning: CSSObject = { display: 'grid', placeItems: 'center', color: color('text-muted') }

const failed: CaptchaProps = {
  state: 'failed',
  title: 'Something went wrong',
  detail: 'You did not pass CAPTCHA. Please try again.',
}
const advised = { ...failed, advice: 'If you use an adblocker or a VPN, turn it off and try again.' }
export const examples = {
  checking: { props: { state: 'checking' } },
  asking: { props: { state: 'asking' } },
  passed: { props: { state: 'passed' } },
  failed: { props: failed },
  'failed, with advice': { props: advised },
  'no result in time': {
    props: { state: 'failed', title: 'Something went wrong!', detail: 'Please try again later.' },
  },
  'set up wrongly': {
    props: { ...failed, detail: 'This app is not set up correctly.', retryable: false },
  },
  'trying again': { props: advised, busy: 'retry' },
  'going back': { props: failed, busy: 'back' },
} satisfies Examples<typeof captcha>
