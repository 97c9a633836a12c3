import type { ReactNode } from 'react'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Row } from '../../ui/actions/row.tsx'
import { Icon } from '../../ui/brand/icon.tsx'
import { Chip } from '../../ui/feedback/chip.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { lockKeyhole, shieldCheck } from '../../ui/icons/lucide.ts'
import { info } from '../../ui/icons/notices.ts'
import { Content } from '../../ui/layout/content.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { DriveMark } from '../../ui/wallet/drive-mark.tsx'

/** A recovery method of a person's own. */
export type OwnRecoveryMethod = 'google-drive' | 'icloud' | 'password'

export interface RecoverySelectionProps {
  /** `secure`: the wallet has no backup of the person's own yet. */
  purpose: 'secure' | 'update'
  /** Without the cloud that holds the backup now. */
  methods: readonly OwnRecoveryMethod[]
  /** How the wallet is backed up now. */
  current?: string | undefined
  cancellable: boolean
}

export type RecoverySelectionAnswer = { method: OwnRecoveryMethod } | 'back'

/** Where a person chooses how their wallet is recovered. */
export const selectRecovery = defineScreen<RecoverySelectionProps, RecoverySelectionAnswer>(
  'recovery-selection',
  {
    view: SelectRecovery,
    size: 'compact',
    back: ({ cancellable }) => cancellable,
    closable: ({ cancellable }) => cancellable,
  },
)

function SelectRecovery(props: RecoverySelectionProps & Answering<RecoverySelectionAnswer>): ReactNode {
  const { purpose, methods, current, busy, answer } = props
  const t = useWords()
  const drive = current === 'google-drive' || current === 'icloud' ? current : undefined
  const text = () => {
    if (purpose === 'secure') return t('recovery.select.secureText')
    if (drive) return t('recovery.select.updateFrom', { drive: t(`recovery.${drive}`) })
    return t('recovery.select.updateText')
  }
  return (
    <Body>
      <Hero art={<Circle icon={shieldCheck} />} title={t(`recovery.select.${purpose}`)}>
        {text()}
      </Hero>
      {methods.length === 0 ? (
        <Empty icon={info} text={t('recovery.select.none')} />
      ) : (
        <Content>
          {methods.map((method) => (
            <Method
              key={method}
              method={method}
              current={method === current}
              busy={typeof busy === 'object' && busy.method === method}
              inert={busy !== undefined && !(typeof busy === 'object' && busy.method === method)}
              onClick={() => answer({ method })}
            />
          ))}
        </Content>
      )}
    </Body>
  )
}

interface MethodProps {
  method: OwnRecoveryMethod
  current: boolean
  busy: boolean
  inert: boolean
  onClick(): void
}

function Method({ method, current, ...row }: MethodProps) {
  const t = useWords()
  if (method !== 'password')
    return (
      <Row
        {...row}
        icon={<DriveMark drive={method} />}
        label={t(`recovery.${method}`)}
        detail={t('recovery.select.driveDetail')}
      />
    )
  return (
    <Row
      {...row}
      icon={<Icon path={lockKeyhole} size={24} stroke={1.75} />}
      label={t(current ? 'recovery.select.passwordReset' : 'recovery.select.password')}
      detail={t(current ? 'recovery.select.passwordResetDetail' : 'recovery.select.passwordDetail')}
      chip={current && <Chip>{t('recovery.select.current')}</Chip>}
    />
  )
}
