import { isolated } from '../../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { trash2 } from '../../../ui/icons/lucide.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useAnnounced } from '../../../ui/panel/use-announced.ts'
import { useWords } from '../../../ui/text/words.tsx'
import { Details } from '../../../ui/wallet/detail-row.tsx'
import { Decision } from '../../../ui/wallet/request.tsx'

export interface RemoveDeviceProps {
  /** Such as `Chrome on Windows`. */
  name: string
  /** A range of network addresses; may be empty. */
  place: string
  /** Milliseconds since the epoch. */
  createdAt: number
  lastUsedAt: number
  /** It is the device in the person's hands. */
  current: boolean
  /** The attempt before has failed. */
  failed: boolean
}
export type RemoveDeviceAnswer = 'remove' | 'cancel'

/** Asks whether a device may no longer use a person's wallets. */
export const removeDevice = defineScreen<RemoveDeviceProps, RemoveDeviceAnswer>('remove-device', {
  view: RemoveDevice,
})

function RemoveDevice(props: RemoveDeviceProps & Answering<RemoveDeviceAnswer>) {
  const { name, place, createdAt, lastUsedAt, current, failed, busy, answer } = props
  const t = useWords()
  const problem = failed && !busy ? t('devices.remove.failed') : undefined
  useAnnounced(problem, 'alert')
  return (
    <>
      <Body>
        <Hero
          art={<Circle icon={trash2} tone="warning" />}
          title={t(current ? 'devices.remove.ownTitle' : 'devices.remove.title')}
        >
          {t(current ? 'devices.remove.ownText' : 'devices.remove.text')}
        </Hero>
        <Details
          rows={[
            [t('devices.remove.name'), name],
            ...(place
              ? ([
                  [
                    t('devices.remove.place'),
                    <bdi key="place" css={isolated}>
                      {place}
                    </bdi>,
                  ],
                ] as const)
              : []),
            [t('devices.remove.added'), dates.format(createdAt)],
            [t('devices.remove.used'), dates.format(lastUsedAt)],
          ]}
        />
      </Body>
      <Footer>
        {problem && <Banner tone="danger">{problem}</Banner>}
        <Decision
          agree="remove"
          kind="danger"
          icon={trash2}
          words={t('devices.remove.button')}
          busyWords={t('devices.remove.busy')}
          busy={busy}
          answer={answer}
        />
      </Footer>
    </>
  )
}

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
