import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { FixedRow } from '../../../ui/actions/fixed-row.tsx'
import { Content } from '../../../ui/layout/content.tsx'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { breakable } from '../../../ui/text/breakable.tsx'
import { useWords } from '../../../ui/text/words.tsx'
import { DriveMark } from '../../../ui/wallet/drive-mark.tsx'
import { Decision } from '../../../ui/wallet/request.tsx'

export interface ConfirmDriveProps {
  provider: 'google-drive' | 'icloud'
  purpose: 'recover' | 'back-up' | 'create'
  /** The e-mail address or the name of the drive's account, where the drive tells it. */
  account?: string | undefined
}
export type ConfirmDriveAnswer = 'confirm' | 'cancel'

/** Names the account of the drive that the user has signed in to, and what it is used for. */
export const confirmDrive = defineScreen<ConfirmDriveProps, ConfirmDriveAnswer>('confirm-drive', {
  view: ConfirmDrive,
  size: 'compact',
})

function ConfirmDrive({
  provider,
  purpose,
  account,
  busy,
  answer,
}: ConfirmDriveProps & Answering<ConfirmDriveAnswer>) {
  const t = useWords()
  return (
    <>
      <Body>
        <Hero
          art={<Circle icon={<DriveMark drive={provider} size={28} />} />}
          title={t(`device.drive.${purpose}.title`)}
        >
          {t(`device.drive.${purpose}.text`, { drive: t(`recovery.${provider}`) })}
        </Hero>
        {account && (
          <Content>
            <div data-essential>
              <FixedRow
                icon={<DriveMark drive={provider} />}
                label={t('visit.drive.account', { provider: t(`recovery.${provider}`) })}
                detail={<bdi dir="auto">{breakable(account)}</bdi>}
              />
            </div>
          </Content>
        )}
      </Body>
      <Footer>
        <Decision agree="confirm" words={t(`device.drive.${purpose}.button`)} busy={busy} answer={answer} />
      </Footer>
    </>
  )
}
