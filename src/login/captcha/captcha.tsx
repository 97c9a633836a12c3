import type { CSSObject } from '@emotion/react'
import { color } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { shieldCheck } from '../../ui/icons/lucide.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle, Outcome } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { OutsideBox } from '../../ui/layout/outside-box.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'

export interface CaptchaProps {
  /** `asking`: the vendor waits for the person. */
  state: 'checking' | 'asking' | 'passed' | 'failed'
  /** Where the vendor draws its widget. */
  box?: HTMLElement | undefined
  /** Why it failed. */
  title?: string | undefined
  detail?: string | undefined
  /** Advice, once trying again has not helped. */
  advice?: string | undefined
  retryable?: boolean | undefined
}

export type CaptchaAnswer = 'retry' | 'back'

/** While the captcha checks whether the person is human. */
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

export const failed: CaptchaProps = {
  state: 'failed',
  title: 'Something went wrong',
  detail: 'You did not pass CAPTCHA. Please try again.',
}
