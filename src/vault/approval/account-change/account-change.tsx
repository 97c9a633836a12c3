import { useMemo } from 'react'
import { isolated } from '../../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { logOut, pencil, plus, trash2, userRound } from '../../../ui/icons/lucide.ts'
import { triangleAlert } from '../../../ui/icons/notices.ts'
import { Content } from '../../../ui/layout/content.tsx'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useAnnounced } from '../../../ui/panel/use-announced.ts'
import { breakable, Naming } from '../../../ui/text/breakable.tsx'
import { useWords } from '../../../ui/text/words.tsx'
import { AddressCard } from '../../../ui/wallet/address-card.tsx'
import { Details } from '../../../ui/wallet/detail-row.tsx'
import { Decision } from '../../../ui/wallet/request.tsx'

export interface AccountChangeProps {
  action: 'link' | 'update' | 'transfer' | 'unlink' | 'end-session' | 'end-sessions' | 'grant'
  app: string
  /** What it is about: an address, a number, a provider with a name, a browser, an app. The kind of account for an update. */
  account: string
  /** An external wallet's address, shown in full. */
  address?: string | undefined
  facts: readonly (readonly [label: string, value: string])[]
  /** Addresses of the wallets that are lost with the other account of a transfer. */
  wallets: readonly string[]
  /** Nobody logs in by this kind of account. */
  isNoLogin?: boolean | undefined
  /** The last account that the user can log in by goes. */
  isLastLogin: boolean
  /** The attempt before has failed. */
  error?: string | undefined
}
export type AccountChangeAnswer = 'approve' | 'cancel'

/** Asks whether the user's accounts, sessions or grants change, and names exactly what changes. */
export const accountChange = defineScreen<AccountChangeProps, AccountChangeAnswer>('account-change', {
  view: AccountChange,
  size: ({ wallets, facts }) => (wallets.length > 0 || facts.length > 1 ? 'full' : 'compact'),
})

const icons = {
  link: plus,
  update: pencil,
  transfer: userRound,
  unlink: trash2,
  'end-session': logOut,
  'end-sessions': logOut,
  grant: userRound,
} as const satisfies Record<AccountChangeProps['action'], string>

/** Something is lost by it. */
const destructive: ReadonlySet<AccountChangeProps['action']> = new Set(['transfer', 'unlink'])

function AccountChange(props: AccountChangeProps & Answering<AccountChangeAnswer>) {
  const { action, app, account, address, facts, wallets, isNoLogin, isLastLogin, busy, answer } = props
  const t = useWords()
  const error = busy === undefined ? props.error : undefined
  useAnnounced(error, 'alert')
  const title = useMemo(() => titleOf(t, action, account), [t, action, account])
  const isDanger = destructive.has(action)
  const rows = facts.map(
    ([label, value]) =>
      [
        label,
        <bdi key={label} css={isolated}>
          {breakable(value)}
        </bdi>,
      ] as const,
  )
  return (
    <>
      <Body>
        <Hero
          essential
          art={
            <Circle icon={isDanger ? triangleAlert : icons[action]} tone={isDanger ? 'warning' : 'accent'} />
          }
          title={title}
        >
          {t(textOf(action, isNoLogin), { app })}
        </Hero>
        {address && <AddressCard address={address} />}
        {rows.length > 0 && <Details rows={rows} />}
        {wallets.length > 0 && (
          <Content>
            <Banner tone="warning">
              {t(wallets.length > 1 ? 'change.transfer.wallets' : 'change.transfer.wallet')}
            </Banner>
            {wallets.map((each) => (
              <AddressCard key={each} address={each} />
            ))}
          </Content>
        )}
      </Body>
      <Footer>
        {isLastLogin && <Banner tone="warning">{t('change.unlink.last')}</Banner>}
        {error && <Banner tone="danger">{error}</Banner>}
        <Decision
          agree="approve"
          {...(isDanger && { kind: 'danger', icon: trash2 })}
          words={t(`change.${action}.button`)}
          busyWords={t('change.busy')}
          busy={busy}
          answer={answer}
        />
      </Footer>
    </>
  )
}

const textOf = (action: AccountChangeProps['action'], isNoLogin = false) =>
  isNoLogin && (action === 'link' || action === 'unlink')
    ? (`change.${action}.noLogin` as const)
    : (`change.${action}.text` as const)

function titleOf(t: ReturnType<typeof useWords>, action: AccountChangeProps['action'], account: string) {
  if (action === 'end-sessions') return t('change.end-sessions.title')
  if (action === 'update') return t('change.update.title', { kind: account })
  return <Naming words={t(`change.${action}.title`, { account: '{name}' })} name={account} />
}
