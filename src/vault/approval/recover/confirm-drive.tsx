import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useWords } from '../../../ui/text/words.tsx'
import { DriveMark } from '../../../ui/wallet/drive-mark.tsx'

export interface ConfirmDriveProps {
  provider: 'google-drive' | 'icloud'
  purpose: 'recover' | 'back-up' | 'create'
}
export type ConfirmDriveAnswer = 'confirm' | 'cancel'

/** A page has the person's access to their drive: whether it is used is for them to say. */
export const confirmDrive = defineScreen<ConfirmDriveProps, ConfirmDriveAnswer>('confirm-drive', {
  view: ConfirmDrive,
  size: 'compact',
})

function ConfirmDrive({
  provider,
  purpose,
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
      </Body>
      <Footer>
        <Button busy={busy === 'confirm'} disabled={busy === 'cancel'} onClick={() => answer('confirm')}>
          {t(`device.drive.${purpose}.button`)}
        </Button>
        <Button
          kind="ghost"
          size="medium"
          busy={busy === 'cancel'}
          disabled={busy === 'confirm'}
          onClick={() => answer('cancel')}
        >
          {t('common.cancel')}
        </Button>
      </Footer>
    </>
  )
}
