import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { FixedRow } from '../../ui/actions/fixed-row.tsx'
import { IconButton } from '../../ui/actions/icon-button.tsx'
import { Row } from '../../ui/actions/row.tsx'
import { useBusy } from '../../ui/actions/use-busy.ts'
import { Icon } from '../../ui/brand/icon.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Chip } from '../../ui/feedback/chip.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { keyRound, shieldCheck, trash2 } from '../../ui/icons/lucide.ts'
import { check } from '../../ui/icons/notices.ts'
import { Content } from '../../ui/layout/content.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'
import { FactorIcon } from '../method-icon.tsx'
import { type MfaMethod, mfaMethods } from '../methods.ts'

export interface ChooseMethodProps {
  /** Those that the app offers; what is enrolled is shown in any case. */
  offered: readonly MfaMethod[]
  enrolled: readonly MfaMethod[]
  /** The person logs in with their phone. */
  smsIsLogin: boolean
  recoveryCodesLeft: number
  /** There is a screen before this one. */
  back: boolean
  error?: string | undefined
}
export type ChooseMethodAnswer = { enroll: MfaMethod } | { remove: MfaMethod } | 'codes' | 'back'

/** Where a person adds second factors, and takes them away. */
export const chooseMethod = defineScreen<ChooseMethodProps, ChooseMethodAnswer>('mfa-methods', {
  view: ChooseMethod,
  size: 'compact',
  back: ({ back }) => back,
})

function ChooseMethod(props: ChooseMethodProps & Answering<ChooseMethodAnswer>): ReactNode {
  const { offered, enrolled, smsIsLogin, recoveryCodesLeft, error, busy, answer } = props
  const t = useWords()
  const problem = busy === undefined ? error : undefined
  useAnnounced(problem, 'alert')
  const isBusy = (method: MfaMethod) => typeof busy === 'object' && 'enroll' in busy && busy.enroll === method
  const removed = typeof busy === 'object' && 'remove' in busy ? busy.remove : undefined
  const removing = useBusy(removed !== undefined)
  const shown = mfaMethods.filter((method) => offered.includes(method) || enrolled.includes(method))
  return (
    <Body>
      <Hero
        // Where more is listed there is no room for it.
        art={enrolled.length === 0 && <Circle icon={shieldCheck} />}
        title={t('mfa.choose.title')}
      >
        {t(enrolled.length > 0 ? 'mfa.choose.some' : 'mfa.choose.none')}
      </Hero>
      <Content>
        {problem && <Banner tone="danger">{problem}</Banner>}
        {shown.map((method) => {
          const row = { icon: <FactorIcon method={method} />, label: t(`mfa.${method}`) }
          if (enrolled.includes(method))
            return (
              <FixedRow
                key={method}
                {...row}
                inert={busy !== undefined && method !== removed}
                chip={
                  <Chip tone="success" mark={<Icon path={check} size={12} />}>
                    {t('mfa.choose.enabled')}
                  </Chip>
                }
                end={
                  removing && method === removed ? (
                    <span css={working}>
                      <Spinner size={24} />
                    </span>
                  ) : (
                    <IconButton
                      icon={trash2}
                      name={t('mfa.choose.remove', { method: row.label })}
                      disabled={busy !== undefined}
                      onClick={() => answer({ remove: method })}
                    />
                  )
                }
              />
            )
          if (method === 'sms' && smsIsLogin)
            return (
              <Row
                key={method}
                {...row}
                detail={t('mfa.choose.smsIsLogin')}
                chip={<Chip tone="outline">{t('mfa.choose.disabled')}</Chip>}
                disabled
              />
            )
          return (
            <Row
              key={method}
              {...row}
              chip={method === 'totp' && <Chip tone="accent">{t('mfa.choose.recommended')}</Chip>}
              busy={isBusy(method)}
              inert={busy !== undefined && !isBusy(method)}
              onClick={() => answer({ enroll: method })}
            />
          )
        })}
        {enrolled.length > 0 && (
          <Row
            icon={<Icon path={keyRound} size={24} stroke={1.75} />}
            label={t('mfa.choose.codes')}
            chip={
              recoveryCodesLeft > 0 && <Chip>{t('mfa.choose.codesLeft', { count: recoveryCodesLeft })}</Chip>
            }
            busy={busy === 'codes'}
            inert={busy !== undefined && busy !== 'codes'}
            onClick={() => answer('codes')}
          />
        )}
      </Content>
    </Body>
  )
}

/** As large as the button in whose place it is. */
const working: CSSObject = {
  display: 'grid',
  placeItems: 'center',
  width: 32,
  height: 32,
  color: color('text-muted'),
}
