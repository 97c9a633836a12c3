import type { CSSObject } from '@emotion/react'
import { color, isolated, radius, tabular, text } from '../../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Success } from '../../../ui/feedback/success.tsx'
import { monitorSmartphone } from '../../../ui/icons/lucide.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle, Outcome } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer, Note } from '../../../ui/layout/layout.tsx'
import { useAnnounced } from '../../../ui/panel/use-announced.ts'
import { useWords } from '../../../ui/text/words.tsx'

export type DeviceApprovalProps =
  | {
      state: 'pending'
      /** Where the other device is: the app's name. */
      app: string
      number: string
      /** Milliseconds since the epoch. */
      until: number
    }
  | { state: 'approved' | 'denied' | 'expired' }
export type DeviceApprovalAnswer = 'again' | 'back'

/** While another device of the user is to approve this one, and how that ended. */
export const deviceApproval = defineScreen<DeviceApprovalProps, DeviceApprovalAnswer>('device-approval', {
  view: DeviceApproval,
  size: 'compact',
  back: ({ state }) => state !== 'approved',
})

function DeviceApproval(props: DeviceApprovalProps & Answering<DeviceApprovalAnswer>) {
  const { state, busy, answer } = props
  const t = useWords()
  const ended = state === 'denied' || state === 'expired' ? state : undefined
  useAnnounced(ended && t(`device.approval.${ended}.title`), 'alert')
  if (state === 'approved') return <Success title={t('device.approval.approved')} />
  if (state === 'pending')
    return (
      <>
        <Body>
          <Hero art={<Circle icon={monitorSmartphone} />} title={t('device.approval.title')}>
            {t('device.approval.text', { app: props.app })}
          </Hero>
          <p css={number}>{props.number}</p>
        </Body>
        <Footer>
          <Note>{t('device.approval.until', { time: times.format(props.until) })}</Note>
        </Footer>
      </>
    )
  return (
    <>
      <Body>
        <Hero art={<Outcome is="failure" />} title={t(`device.approval.${state}.title`)}>
          {t(`device.approval.${state}.text`)}
        </Hero>
      </Body>
      <Footer>
        <Button busy={busy === 'again'} disabled={busy === 'back'} onClick={() => answer('again')}>
          {t('device.approval.again')}
        </Button>
      </Footer>
    </>
  )
}

const times = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

const number: CSSObject = {
  ...text('amount'),
  ...tabular,
  ...isolated,
  margin: '0 auto',
  padding: '12px 24px',
  border: `1px solid ${color('border')}`,
  borderRadius: radius(16),
  background: color('surface-sunken'),
  color: color('text'),
  textAlign: 'center',
}
