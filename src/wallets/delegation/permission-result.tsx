import { defineScreen } from '../../dialog/screen.ts'
import { Success } from '../../ui/feedback/success.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Outcome } from '../../ui/layout/hero-art.tsx'
import { Body } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'

export interface PermissionResultProps {
  outcome: 'enabled' | 'revoked' | 'notEnabled' | 'notRevoked'
}

/** Outcome of giving or revoking a permission, until it closes by itself. */
export const permissionResult = defineScreen<PermissionResultProps, never>('permission-result', {
  view: PermissionResult,
  size: 'compact',
})

function PermissionResult({ outcome }: PermissionResultProps) {
  const t = useWords()
  if (outcome === 'notEnabled' || outcome === 'notRevoked') return <Failure outcome={outcome} />
  return <Success title={t(`delegation.${outcome}.title`)}>{t(`delegation.${outcome}.text`)}</Success>
}

function Failure({ outcome }: { outcome: 'notEnabled' | 'notRevoked' }) {
  const t = useWords()
  const title = t(`delegation.${outcome}.title`)
  useAnnounced(title, 'alert')
  return (
    <Body>
      <Hero art={<Outcome is="failure" />} title={title}>
        {t('delegation.failed.text')}
      </Hero>
    </Body>
  )
}
