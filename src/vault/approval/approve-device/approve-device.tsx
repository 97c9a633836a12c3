import type { CSSObject } from '@emotion/react'
import { isolated, tabular } from '../../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { AnswerButton, Button } from '../../../ui/actions/button.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { monitorSmartphone } from '../../../ui/icons/lucide.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useAnnounced } from '../../../ui/panel/use-announced.ts'
import { useWords } from '../../../ui/text/words.tsx'
import { Details } from '../../../ui/wallet/detail-row.tsx'
import { useApproval } from '../../../ui/wallet/request.tsx'

export interface ApproveDeviceProps {
  /** Such as `Chrome on Windows`. */
  name: string
  /** A range of network addresses; may be empty. */
  place: string
  /** Milliseconds since the epoch. */
  createdAt: number
  /** One of them is shown on the new device. */
  numbers: readonly string[]
  /** The attempt before has failed. */
  failed: boolean
}
export type ApproveDeviceAnswer = { number: string } | 'deny' | 'not-now'

/** Asks whether another browser is the user's own. */
export const approveDevice = defineScreen<ApproveDeviceProps, ApproveDeviceAnswer>('approve-device', {
  view: ApproveDevice,
})

function ApproveDevice(props: ApproveDeviceProps & Answering<ApproveDeviceAnswer>) {
  const { name, place, createdAt, numbers, failed, busy, answer } = props
  const t = useWords()
  const problem = failed && !busy ? t('devices.approve.failed') : undefined
  const approval = useApproval(busy === undefined)
  useAnnounced(problem, 'alert')
  const isolatedText = (key: string, text: string) => (
    <bdi key={key} css={isolated}>
      {text}
    </bdi>
  )
  return (
    <>
      <Body>
        <Hero art={<Circle icon={monitorSmartphone} tone="warning" />} title={t('devices.approve.title')}>
          {t('devices.approve.text')}
        </Hero>
        <Details
          rows={[
            [t('devices.approve.name'), name],
            ...(place ? ([[t('devices.approve.place'), isolatedText('place', place)]] as const) : []),
            [t('devices.approve.time'), times.format(createdAt)],
          ]}
        />
        <fieldset css={choices} aria-label={t('devices.approve.numbers')}>
          {numbers.map((number) => (
            <Button
              key={number}
              kind="secondary"
              {...approval.button}
              busy={typeof busy === 'object' && busy.number === number}
              disabled={busy !== undefined}
              onClick={() => answer({ number })}
            >
              {number}
            </Button>
          ))}
        </fieldset>
      </Body>
      <Footer>
        {approval.advice ?? (problem && <Banner tone="danger">{problem}</Banner>)}
        <AnswerButton gives="deny" busy={busy} answer={answer} kind="secondary">
          {t('devices.approve.deny')}
        </AnswerButton>
        <AnswerButton gives="not-now" busy={busy} answer={answer} kind="ghost" size="medium">
          {t('devices.approve.later')}
        </AnswerButton>
        {approval.hint}
      </Footer>
    </>
  )
}

const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

const choices: CSSObject = {
  ...tabular,
  display: 'grid',
  margin: 0,
  padding: 0,
  border: 0,
  minWidth: 0,
  gridTemplateColumns: 'repeat(auto-fit,minmax(calc(72px*var(--lk-text-scale,1)),1fr))',
  gap: 8,
}
