import type { ReactNode } from 'react'
import { AnswerButton } from '../actions/button.tsx'
import { Hero } from '../layout/hero.tsx'
import { Circle, Outcome } from '../layout/hero-art.tsx'
import { Body, Footer } from '../layout/layout.tsx'
import { useWords } from '../text/words.tsx'
import { Waiting } from './waiting.tsx'

interface PopupWaitProps {
  /** The two that are being joined: path data, or images of their own. */
  icons: readonly [ReactNode, ReactNode]
  title: string
  text: string
  /** Advice if it takes long. */
  slow: string
}

/** Waiting for a user who is in a popup, or for a result that follows. */
export function PopupWait({ icons, title, text, slow }: PopupWaitProps): ReactNode {
  return (
    <Body>
      <Waiting key={title} icons={icons} title={title} slow={slow}>
        {text}
      </Waiting>
    </Body>
  )
}

interface PopupPressProps<Answer extends string> {
  /** The provider's picture; without one the step has failed. */
  picture: ReactNode | undefined
  title: string
  text: string | undefined
  /** The answer of the button, and the button's label. */
  next: Answer
  label: string
  busy: Answer | undefined
  answer(answer: Answer): void
}

export interface PopupFailure {
  title: string
  detail?: string | undefined
  retryable: boolean
}

type PopupFailedProps<Answer extends string> = Omit<PopupPressProps<Answer | 'retry'>, 'picture' | 'text'> & {
  failure: PopupFailure | undefined
}

/** A failure: another try, or where that can't help `next` with its `label`. */
export function PopupFailed<Answer extends string>(props: PopupFailedProps<Answer>): ReactNode {
  const { failure, title, next, label, ...press } = props
  const t = useWords()
  return (
    <PopupPress
      {...press}
      picture={undefined}
      title={failure?.title ?? title}
      text={failure?.detail}
      next={failure?.retryable ? 'retry' : next}
      label={failure?.retryable ? t('common.retry') : label}
    />
  )
}

/** One press that opens a popup, or leads on from its failure. */
export function PopupPress<Answer extends string>(props: PopupPressProps<Answer>): ReactNode {
  const { picture, title, text, next, label, busy, answer } = props
  return (
    <>
      <Body>
        <Hero art={picture ? <Circle icon={picture} /> : <Outcome is="failure" />} title={title}>
          {text}
        </Hero>
      </Body>
      <Footer>
        <AnswerButton gives={next} busy={busy} answer={answer}>
          {label}
        </AnswerButton>
      </Footer>
    </>
  )
}
