import type { CSSObject } from '@emotion/react'
import { isolated, text } from '../../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { keyRound } from '../../../ui/icons/lucide.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer, Note } from '../../../ui/layout/layout.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { useAnnounced } from '../../../ui/panel/use-announced.ts'
import { breakable } from '../../../ui/text/breakable.tsx'
import { useWords } from '../../../ui/text/words.tsx'
import { AddressCard } from '../../../ui/wallet/address-card.tsx'
import { Details } from '../../../ui/wallet/detail-row.tsx'
import { Decision } from '../../../ui/wallet/request.tsx'

export interface GivePermissionProps {
  app: string
  /** The server that acts, as the app's settings call it. */
  signer: string
  purpose: string
  /** The wallet, shown in full. */
  address: string
  networks: readonly string[]
  /** Each with the recipients or the contract, in full. */
  allowed: readonly { label: string; value?: string; places: readonly string[] }[]
  limits: readonly (readonly [label: string, value: string])[]
  /** The most that can be lost of each asset. */
  worst: readonly string[]
  /** Contracts may be used, whose effects are simulated first. */
  hasCalls: boolean
  days: number
  /** The attempt before has failed. */
  error?: string | undefined
}
export type GivePermissionAnswer = 'accept' | 'cancel'

/** Asks whether a server may act with a wallet: who, what, how much at worst, until when, and how to stop it. */
export const givePermission = defineScreen<GivePermissionProps, GivePermissionAnswer>('give-permission', {
  view: GivePermission,
  size: 'full',
})

function GivePermission(props: GivePermissionProps & Answering<GivePermissionAnswer>) {
  const { app, signer, purpose, address, networks, allowed, limits, worst, hasCalls, days, busy, answer } =
    props
  const t = useWords()
  const error = busy === undefined ? props.error : undefined
  useAnnounced(error, 'alert')
  const own = (value: string, key: string) => (
    <bdi key={key} css={isolated}>
      {breakable(value)}
    </bdi>
  )
  const ends = days === 1 ? t('permission.endsIn.one') : t('permission.endsIn.many', { count: String(days) })
  return (
    <>
      <Body>
        <Hero essential art={<Circle icon={keyRound} tone="warning" />} title={t('permission.title')}>
          {t('permission.text', { signer })}
        </Hero>
        <AddressCard address={address} />
        <Details
          rows={[
            [t('permission.for'), own(purpose, 'purpose')],
            [t('permission.networks'), networks.join(', ')],
            [t('permission.ends'), ends],
          ]}
        />
        <Section title={t('permission.mayTitle')}>
          {allowed.map(({ label, value, places }) => (
            <div key={`${label} ${value ?? ''} ${places.join()}`}>
              {value === undefined ? (
                <p css={alone} data-essential>
                  {label}
                </p>
              ) : (
                <Details rows={[[label, own(value, 'value')]]} />
              )}
              {places.map((place) => (
                <AddressCard key={place} address={place} />
              ))}
            </div>
          ))}
        </Section>
        <Section title={t('permission.limitsTitle')}>
          <Details rows={limits} />
        </Section>
        <div data-essential>
          <Banner tone="warning">
            {[
              worst.length === 1
                ? t('permission.worst.one', { amount: worst[0] ?? '' })
                : t('permission.worst.many', { amount: worst.join(', ') }),
              hasCalls ? t('permission.worst.calls') : undefined,
              t('permission.fees'),
            ]
              .filter((each) => each !== undefined)
              .join(' ')}
          </Banner>
        </div>
        <Note>{t('permission.enforced', { app })}</Note>
        <Note>{t('permission.stop')}</Note>
      </Body>
      <Footer>
        {error && <Banner tone="danger">{error}</Banner>}
        <Decision
          agree="accept"
          words={t('permission.accept')}
          busyWords={t('permission.busy')}
          cancelWords={t('permission.notNow')}
          busy={busy}
          answer={answer}
        />
      </Footer>
    </>
  )
}

/** A label whose values stand below it. */
const alone: CSSObject = { ...text('detail'), margin: 0, padding: '8px 0', fontWeight: 500 }
