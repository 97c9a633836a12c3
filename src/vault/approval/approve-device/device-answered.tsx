import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { info } from '../../../ui/icons/notices.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle, Outcome } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useAnnounced } from '../../../ui/panel/use-announced.ts'
import { useWords } from '../../../ui/text/words.tsx'

export interface DeviceAnsweredProps {
  /** `wrong`: another number than the one on the new device was chosen. `none`: there is no request any more. */
  outcome: 'approved' | 'denied' | 'wrong' | 'none'
}

/** What has become of another browser's request. */
export const deviceAnswered = defineScreen<DeviceAnsweredProps, 'close'>('device-answered', {
  view: DeviceAnswered,
  size: 'compact',
})

function DeviceAnswered({ outcome, busy, answer }: DeviceAnsweredProps & Answering<'close'>) {
  const t = useWords()
  const title = t(`devices.answered.${outcome}.title`)
  useAnnounced(title, outcome === 'wrong' ? 'alert' : 'status')
  return (
    <>
      <Body>
        <Hero art={arts[outcome]} title={title}>
          {t(`devices.answered.${outcome}.text`)}
        </Hero>
      </Body>
      <Footer>
        <Button busy={busy === 'close'} onClick={() => answer('close')}>
          {t('common.close')}
        </Button>
      </Footer>
    </>
  )
}

const arts = {
  approved: <Outcome is="success" />,
  denied: <Outcome is="success" />,
  wrong: <Outcome is="failure" />,
  none: <Circle icon={info} tone="neutral" />,
} as const
