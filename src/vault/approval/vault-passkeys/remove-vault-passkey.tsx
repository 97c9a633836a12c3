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

export interface RemoveVaultPasskeyProps {
  name: string
  /** Milliseconds since the epoch. */
  createdAt: number
  /** The attempt before has failed. */
  failed: boolean
}
export type RemoveVaultPasskeyAnswer = 'remove' | 'back'

/** Asks whether one of the vault's passkeys may no longer confirm devices. */
export const removeVaultPasskey = defineScreen<RemoveVaultPasskeyProps, RemoveVaultPasskeyAnswer>(
  'remove-vault-passkey',
  { view: RemoveVaultPasskey, size: 'compact', back: true },
)

function RemoveVaultPasskey(props: RemoveVaultPasskeyProps & Answering<RemoveVaultPasskeyAnswer>) {
  const { name, createdAt, failed, busy, answer } = props
  const t = useWords()
  const problem = failed && !busy ? t('devices.passkeys.failed') : undefined
  useAnnounced(problem, 'alert')
  return (
    <>
      <Body>
        <Hero art={<Circle icon={trash2} tone="warning" />} title={t('devices.passkeys.removeTitle')}>
          {t('devices.passkeys.removeText')}
        </Hero>
        <Details
          rows={[
            [t('devices.remove.name'), name],
            [t('devices.remove.added'), dates.format(createdAt)],
          ]}
        />
      </Body>
      <Footer>
        {problem && <Banner tone="danger">{problem}</Banner>}
        <Decision
          agree="remove"
          kind="danger"
          icon={trash2}
          words={t('devices.passkeys.remove')}
          busyWords={t('devices.remove.busy')}
          busy={busy === 'back' ? 'cancel' : busy}
          answer={(choice) => answer(choice === 'cancel' ? 'back' : choice)}
        />
      </Footer>
    </>
  )
}

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
