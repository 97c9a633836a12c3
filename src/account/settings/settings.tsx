import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, hidden, text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { LinkButton } from '../../ui/actions/link-button.tsx'
import { Row } from '../../ui/actions/row.tsx'
import { Icon } from '../../ui/brand/icon.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import {
  fingerprint,
  lockKeyhole,
  logOut,
  monitorSmartphone,
  plus,
  shieldCheck,
} from '../../ui/icons/lucide.ts'
import { history } from '../../ui/icons/sending.ts'
import { Body } from '../../ui/layout/layout.tsx'
import { Card, Part, Section } from '../../ui/layout/section.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { breakable } from '../../ui/text/breakable.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { accountLimits } from '../limits.ts'
import type { Loaded, Shown } from '../shown.ts'
import { ShownRow } from '../shown-row.tsx'

/** The lists of the settings whose entries lead to a screen of their own. */
export type SettingsList =
  | 'account'
  | 'passkey'
  | 'wallet'
  | 'permission'
  | 'connectedApp'
  | 'session'
  | 'device'
/** Those that are loaded when the settings are opened. */
export type LoadedList = 'session' | 'device' | 'permission' | 'connectedApp'

export interface SettingsProps {
  accounts: readonly Shown[]
  /** Something is left that can be added. */
  canAdd: boolean
  passkeys: readonly Shown[]
  canAddPasskey: boolean
  /** The second factors that are on; `undefined` where the app offers none, and the person has none. */
  factors: readonly Shown[] | undefined
  wallets: readonly Shown[]
  /** Permissions of the app's servers, ended ones too; `undefined` where there never was one. */
  permissions: Loaded<Shown> | undefined
  /** Servers may act with more than one wallet, which can be stopped together. */
  canRevokeAll: boolean
  /** Other apps that the user has let in; `undefined` where there are none. */
  connectedApps: Loaded<Shown> | undefined
  sessions: Loaded<Shown>
  /** The person is logged in elsewhere as well. */
  elsewhere: boolean
  /** `undefined` for somebody without embedded wallets. */
  devices: Loaded<Shown> | undefined
  /** New devices wait for approval. */
  waiting: boolean
  /**
   * What the user has for another device: nothing, so that their wallet lives in this browser alone, or something. `undefined` where
   * that isn't known, or doesn't matter.
   */
  proofs: 'none' | 'some' | undefined
  /** What the person comes back from. */
  at?: SettingsAnswer | undefined
  /** What has failed since the screen was last answered. */
  error?: string | undefined
}

export type SettingsAnswer =
  | { readonly [List in SettingsList]: { readonly [Only in List]: string } }[SettingsList]
  | { readonly retry: LoadedList }
  | 'add'
  | 'passkeys'
  | 'add-passkey'
  | 'factors'
  | 'revoke-all'
  | 'end-others'
  | 'approve-device'
  | 'add-proof'
  | 'vault-passkeys'
  | 'activity'

/** What a person has in their account: everything is a row, and a row leads to what can be done. */
export const accountSettings = defineScreen<SettingsProps, SettingsAnswer>('account-settings', {
  view: Settings,
})

const answersOf = {
  session: (session) => ({ session }),
  device: (device) => ({ device }),
  permission: (permission) => ({ permission }),
  connectedApp: (connectedApp) => ({ connectedApp }),
} as const satisfies Record<LoadedList, (key: string) => SettingsAnswer>

function Settings(props: SettingsProps & Answering<SettingsAnswer>) {
  const { accounts, canAdd, passkeys, canAddPasskey, factors, wallets, sessions, elsewhere, devices } = props
  const { waiting, proofs, permissions, canRevokeAll, connectedApps } = props
  const { at, error, busy, answer } = props
  const t = useWords()
  useAnnounced(error, 'alert')
  const name = accounts.find(({ detail }) => detail)?.detail
  const stateOf = (to: SettingsAnswer) => {
    const mine = busy !== undefined && isSame(busy, to)
    return { busy: mine, inert: busy !== undefined && !mine, onClick: () => answer(to) }
  }
  const placed = (to: SettingsAnswer, row: ReactNode, key?: string) => (
    <div key={key} ref={at !== undefined && isSame(at, to) ? intoView : undefined}>
      {row}
    </div>
  )
  const rows = (list: readonly Shown[], to: (key: string) => SettingsAnswer) =>
    list.map((shown) =>
      placed(to(shown.key), <ShownRow shown={shown} {...stateOf(to(shown.key))} />, shown.key),
    )
  const action = (to: SettingsAnswer, icon: string, label: string, detail?: string) =>
    placed(
      to,
      <Row
        icon={<Icon path={icon} size={24} stroke={1.75} />}
        label={label}
        {...(detail && { detail })}
        {...stateOf(to)}
      />,
    )
  const fetched = (list: Loaded<Shown>, which: LoadedList, none: string) => {
    if (list.state === 'loading') return <Loading words={t('settings.loading')} />
    if (list.state === 'loaded')
      return list.items.length === 0 ? <Line>{none}</Line> : rows(list.items, (key) => answersOf[which](key))
    const { busy: mine, inert, onClick } = stateOf({ retry: which })
    return (
      <Line>
        {t('settings.notLoaded')}{' '}
        <LinkButton busy={mine} disabled={inert} onClick={onClick}>
          {t('common.retry')}
        </LinkButton>
      </Line>
    )
  }
  const loggedIn = (
    <>
      {fetched(sessions, 'session', t('settings.sessions.none'))}
      {elsewhere && action('end-others', logOut, t('settings.sessions.others'))}
    </>
  )
  return (
    <Body title={t('settings.title')}>
      {error && <Banner tone="danger">{error}</Banner>}
      {name && <Owner name={name} />}
      {waiting && (
        <Section title={t('settings.requests')}>
          <Card>
            {action(
              'approve-device',
              monitorSmartphone,
              t('settings.requests.one'),
              t('settings.requests.detail'),
            )}
          </Card>
        </Section>
      )}
      <Section title={t('settings.accounts')}>
        <Card>
          {accounts.length === 0 && <Line>{t('settings.accounts.none')}</Line>}
          {rows(accounts, (key) => ({ account: key }))}
          {canAdd && action('add', plus, t('settings.accounts.add'))}
        </Card>
      </Section>
      {(passkeys.length > 0 || canAddPasskey) && (
        <Section title={t('settings.passkeys')}>
          <Card>
            {rows(passkeys.slice(0, accountLimits.passkeysAtFirst), (key) => ({ passkey: key }))}
            {passkeys.length > accountLimits.passkeysAtFirst &&
              action('passkeys', fingerprint, t('settings.passkeys.all'))}
            {canAddPasskey && action('add-passkey', plus, t('settings.passkeys.add'))}
          </Card>
        </Section>
      )}
      {factors && (
        <Section title={t('settings.factors')}>
          <Card>
            {factors.map((shown) => (
              <ShownRow key={shown.key} shown={shown} {...stateOf('factors')} busy={false} />
            ))}
            {factors.length === 0
              ? action('factors', shieldCheck, t('settings.factors.setUp'), t('settings.factors.none'))
              : action('factors', shieldCheck, t('settings.factors.manage'))}
          </Card>
        </Section>
      )}
      {wallets.length > 0 && (
        <Section title={t('settings.wallets')}>
          <Card>
            {rows(wallets, (key) => ({ wallet: key }))}
            {action('activity', history, t('settings.activity'), t('settings.activity.detail'))}
          </Card>
        </Section>
      )}
      {permissions && (
        <Section title={t('settings.permissions')}>
          <Card>
            {fetched(permissions, 'permission', '')}
            {canRevokeAll && action('revoke-all', lockKeyhole, t('settings.permissions.all'))}
          </Card>
        </Section>
      )}
      {connectedApps && (
        <Section title={t('settings.connectedApps')}>
          <Card>{fetched(connectedApps, 'connectedApp', '')}</Card>
        </Section>
      )}
      {devices ? (
        <Section title={t('settings.whereUsed')}>
          <Card>
            <Part title={t('settings.sessions')}>{loggedIn}</Part>
            <Part title={t('settings.devices')}>
              {fetched(devices, 'device', t('settings.devices.none'))}
              {proofs === 'none' &&
                action(
                  'add-proof',
                  monitorSmartphone,
                  t('settings.proofs.none'),
                  t('settings.proofs.noneDetail'),
                )}
              {proofs && action('vault-passkeys', fingerprint, t('settings.proofs.passkeys'))}
            </Part>
          </Card>
        </Section>
      ) : (
        <Section title={t('settings.sessions')}>
          <Card>{loggedIn}</Card>
        </Section>
      )}
    </Body>
  )
}

/** The user, named as in the first of their accounts that has a name. */
const Owner = ({ name }: { name: string }) => (
  <div css={owner}>
    <span css={portrait} aria-hidden>
      {[...name.replace(/^[^\p{L}\p{N}]+/u, '')][0]?.toUpperCase() ?? '•'}
    </span>
    <bdi css={ownerName} dir="auto">
      {breakable(name)}
    </bdi>
  </div>
)

const isSame = (one: SettingsAnswer, other: SettingsAnswer) => JSON.stringify(one) === JSON.stringify(other)
const intoView = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'nearest' })

const Line = ({ children }: { children: ReactNode }) => <p css={line}>{children}</p>

/** The outline of two rows. */
const Loading = ({ words }: { words: string }) => (
  <>
    <span css={hidden}>{words}</span>
    <div css={bones}>
      <Skeleton height={36} round={8} />
      <Skeleton height={36} round={8} />
    </div>
  </>
)

const owner: CSSObject = { display: 'flex', alignItems: 'center', gap: 12, minWidth: 0 }
const portrait: CSSObject = {
  ...text('title'),
  flex: 'none',
  display: 'grid',
  placeItems: 'center',
  width: 40,
  height: 40,
  border: '1px solid transparent',
  borderRadius: 99,
  background: color('accent-subtle'),
  color: color('accent-text'),
}
const ownerName: CSSObject = { ...text('title'), minWidth: 0, overflowWrap: 'anywhere' }
const bones: CSSObject = { display: 'flex', flexDirection: 'column', gap: 12, padding: 12 }
const line: CSSObject = {
  ...text('body'),
  margin: 0,
  padding: '12px',
  color: color('text-muted'),
  overflowWrap: 'anywhere',
}
