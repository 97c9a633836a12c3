import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Button } from '../../ui/button.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Outcome } from '../../ui/hero-art.tsx'
import { userRound } from '../../ui/icons/lucide.ts'
import { Body, Footer } from '../../ui/layout.tsx'
import { MethodIcon } from '../../ui/method-icon.tsx'
import { useAnnounced } from '../../ui/panel-context.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { useWords } from '../../ui/words.tsx'

export type TelegramProps =
  /** `window`: Telegram's own page is open; `checking`: the server looks at what it said. */
  | { state: 'window' | 'checking' | 'done' }
  /** `asks`: another try asks at Telegram again. */
  | { state: 'failed'; title: string; detail: string; retryable: boolean; asks: boolean }
export type TelegramAnswer = 'retry' | 'back'

/** While somebody logs in with Telegram, and how that ended. Spec §2 "Telegram auth". */
export const telegram = defineScreen<TelegramProps, TelegramAnswer>('telegram', {
  view: Telegram,
  size: 'compact',
  back: ({ state }) => state === 'window' || state === 'failed',
  opens: (answer, props) => answer === 'retry' && props.state === 'failed' && props.asks,
})

function Telegram(props: TelegramProps & Answering<TelegramAnswer>) {
  const { state, busy, answer } = props
  const t = useWords()
  const done = state === 'done' && t('login.telegram.done')
  useAnnounced(done)
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
        </Body>
        <Footer>
          {props.retryable ? (
            <Button busy={busy === 'retry'} disabled={busy !== undefined} onClick={() => answer('retry')}>
              {t('login.telegram.retry')}
            </Button>
          ) : (
            <Button busy={busy === 'back'} disabled={busy !== undefined} onClick={() => answer('back')}>
              {t('login.telegram.otherWay')}
            </Button>
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

const title = 'Authentication failed'
export const examples = {
  window: { props: { state: 'window' } },
  checking: { props: { state: 'checking' } },
  done: { props: { state: 'done' } },
  canceled: {
    props: {
      ...{ state: 'failed', title, retryable: true, asks: true },
      detail: 'Telegram auth failed or was canceled by the client',
    },
  },
  retrying: {
    props: {
      state: 'failed',
      title,
      detail: 'Something went wrong. Try again.',
      retryable: true,
      asks: true,
    },
    busy: 'retry',
  },
  'not allowed': {
    props: {
      state: 'failed',
      title,
      detail: 'Login with Telegram not allowed.',
      retryable: false,
      asks: false,
    },
  },
  'going back': {
    props: {
      state: 'failed',
      title,
      detail: 'Login with Telegram not allowed.',
      retryable: false,
      asks: false,
    },
    busy: 'back',
  },
} satisfies Examples<typeof telegram>
