import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { MethodIcon } from '../../ui/brand/method-icon.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { userRound } from '../../ui/icons/lucide.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Outcome } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'

export type TelegramProps =
  /** `window`: Telegram's own page is open; `checking`: the server checks its answer. */
  | { state: 'window' | 'checking' | 'done' }
  /** `asks`: another try asks at Telegram again. */
  | { state: 'failed'; title: string; detail: string; retryable: boolean; asks: boolean }

export type TelegramAnswer = 'retry' | 'back'

/** While somebody logs in with Telegram, and how that ended. */
export const telegram = defineScreen<TelegramProps, TelegramAnswer>('telegram', {
  view: Telegram,
  size: 'compact',
  back: ({ state }) => state !== 'done',
  opens: (answer, props) => answer === 'retry' && props.state === 'failed' && props.asks,
})

function Telegram(props: TelegramProps & Answering<TelegramAnswer>) {
  const { state, busy, answer } = props
  const t = useWords()
  const done = state === 'done' && t('login.telegram.done')
  if (done) return <Success title={done} />
  if (state === 'failed')
    return (
      <>
        <Body>
          <Hero art={<Outcome is="failure" />} title={props.title}>
            {props.detail}
          </Hero>
        </Body>
        <Footer>
          {props.retryable ? (
            <AnswerButton gives="retry" busy={busy} answer={answer}>
              {t('login.telegram.retry')}
            </AnswerButton>
          ) : (
            <AnswerButton gives="back" busy={busy} answer={answer}>
              {t('login.telegram.otherWay')}
            </AnswerButton>
          )}
        </Footer>
      </>
    )
  const asking = state === 'window'
  return (
    <Body>
      <Waiting
        key={state}
        icons={[userRound, <MethodIcon key="telegram" icon="telegram" label="Telegram" size={28} />]}
        title={t('login.telegram.verifying')}
        slow={t(asking ? 'login.telegram.slow' : 'login.telegram.checkingSlow')}
      >
        {t(asking ? 'login.telegram.window' : 'login.telegram.checking')}
      </Waiting>
    </Body>
  )
}

export const title = 'Authentication failed'
