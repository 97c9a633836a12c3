import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { Row } from '../../../ui/actions/row.tsx'
import { Icon } from '../../../ui/brand/icon.tsx'
import { MethodIcon } from '../../../ui/brand/method-icon.tsx'
import { mail, smartphone, wallet } from '../../../ui/icons/landing.ts'
import { fingerprint, lockKeyhole, monitorSmartphone, shieldCheck } from '../../../ui/icons/lucide.ts'
import { Content } from '../../../ui/layout/content.tsx'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body } from '../../../ui/layout/layout.tsx'
import { breakable } from '../../../ui/text/breakable.tsx'
import { useWords } from '../../../ui/text/words.tsx'
import { providerNames, type VisitedProvider } from '../../providers.ts'

export interface ChooseFactorProps {
  factors: readonly {
    type: 'device' | 'passkey' | 'wallet' | 'provider' | 'email' | 'sms' | 'password' | 'mfa'
    /** The id of a factor of the type 'provider'. */
    provider?: VisitedProvider | undefined
    /** The address or number, shortened, or the wallet. */
    hint?: string | undefined
  }[]
}
/** Which one of them. */
export type ChooseFactorAnswer = { chosen: number } | 'back'

/** Tells a user that this browser is new to their wallet, and lets them take one of several ways to show that it is theirs. */
export const chooseFactor = defineScreen<ChooseFactorProps, ChooseFactorAnswer>('choose-factor', {
  view: ChooseFactor,
  size: 'compact',
  back: true,
})

const icons = {
  device: monitorSmartphone,
  passkey: fingerprint,
  wallet,
  email: mail,
  sms: smartphone,
  password: lockKeyhole,
  mfa: shieldCheck,
} as const

const providerLabel = (provider: VisitedProvider | undefined) => (provider ? providerNames[provider] : '')

function ChooseFactor({ factors, busy, answer }: ChooseFactorProps & Answering<ChooseFactorAnswer>) {
  const t = useWords()
  const at = typeof busy === 'object' ? busy.chosen : undefined
  return (
    <Body>
      <Hero
        // Where more is listed there is no room for it.
        art={factors.length < 4 && <Circle icon={shieldCheck} />}
        title={t('device.choose.title')}
      >
        {t('device.choose.text')}
      </Hero>
      <Content>
        {factors.map(({ type, provider, hint }, chosen) => (
          <Row
            key={`${type} ${provider} ${hint}`}
            icon={
              type === 'provider' ? (
                <MethodIcon icon={provider} label={providerLabel(provider)} />
              ) : (
                <Icon path={icons[type]} size={24} stroke={1.75} />
              )
            }
            label={
              type === 'provider'
                ? t('device.choose.provider', { provider: providerLabel(provider) })
                : t(`device.choose.${type}`)
            }
            detail={hint && <bdi dir="auto">{breakable(hint)}</bdi>}
            busy={at === chosen}
            inert={busy !== undefined && at !== chosen}
            onClick={() => answer({ chosen })}
          />
        ))}
      </Content>
    </Body>
  )
}
