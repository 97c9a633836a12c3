import { isolated } from '../../../../styles/tokens.ts'
import { Logo } from '../../../ui/brand/logo.tsx'
import { shieldCheck } from '../../../ui/icons/lucide.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { useWords } from '../../../ui/text/words.tsx'
import { Address } from '../../../ui/wallet/address.tsx'
import { Details } from '../../../ui/wallet/detail-row.tsx'
import type { WindowAbout } from './about.ts'

/**
 * Announces a window: the app's mark, what happens in the window or why there is one, and what is at stake.
 * @param brief leaves the sentence out where a banner needs its room
 */
export function AboutWindow({
  purpose,
  stake,
  appName,
  because,
  brief,
}: Omit<WindowAbout, 'canGoBack'> & { brief: boolean }) {
  const t = useWords()
  const text = because === 'risk' ? t(`approval.window.${purpose}.text`) : t(`approval.window.${because}`)
  return (
    <>
      <Hero
        art={appName ? <Logo name={appName} /> : <Circle icon={shieldCheck} />}
        title={t(`approval.window.${purpose}.title`)}
      >
        {!brief && text}
      </Hero>
      <AtStake purpose={purpose} stake={stake} appName={appName} />
    </>
  )
}

/** The facts that tell one request from another: who asks, and about what. */
export function AtStake({ purpose, stake, appName }: Pick<WindowAbout, 'purpose' | 'stake' | 'appName'>) {
  const t = useWords()
  const rows = [
    ...(appName ? [[t('approval.window.app'), appName] as const] : []),
    ...(stake ? [[t(`approval.window.${purpose}.stake`), asStake(stake)] as const] : []),
  ]
  return rows.length > 0 && <Details rows={rows} />
}

function asStake(stake: string) {
  if (/^0x[\da-f]{40}$|^[1-9A-HJ-NP-Za-km-z]{32,44}$/i.test(stake)) return <Address>{stake}</Address>
  return <bdi css={isolated}>{stake}</bdi>
}
