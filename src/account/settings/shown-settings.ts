import type { ConnectedApp } from '../../protocol/connected-apps.ts'
import type { Device } from '../../protocol/devices.ts'
import type { Permission } from '../../protocol/grants.ts'
import type { User } from '../../protocol/user.ts'
import type { UserSession } from '../../protocol/user-sessions.ts'
import { smartphone, wallet } from '../../ui/icons/landing.ts'
import { clock, fingerprint, keyRound, monitorSmartphone, userRound } from '../../ui/icons/lucide.ts'
import { shortAddress } from '../../ui/wallet/address-text.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import { ownMethodOf } from '../../wallets/recovery/recovery-data.ts'
import { day } from '../dates.ts'
import { accountLimits } from '../limits.ts'
import { passkeysOf, shownPasskey } from '../passkeys/flow.ts'
import type { Loaded, Shown } from '../shown.ts'
import { itemsOf } from './loaded-lists.ts'
import type { SettingsProps } from './settings.tsx'
import { accountsOf, addableMethods, shownAccount, type Words } from './shown-accounts.ts'

/** What the settings show beside what the user says of themselves. */
interface Parts {
  readonly wallets: readonly EmbeddedAccount[]
  /** Whether the app offers second factors; who has some is shown them in any case, because they are asked for them. */
  readonly offersFactors: boolean
  readonly sessions: Loaded<UserSession>
  readonly devices: Loaded<Device>
  /** How many new devices wait for approval. */
  readonly requests: number
  readonly proofs: Loaded<string>
  readonly permissions: Loaded<Permission>
  readonly connectedApps: Loaded<ConnectedApp>
}

/** A person's account as the settings show it. */
export function shownSettings(
  words: Words,
  user: User,
  { wallets, offersFactors, sessions, devices, requests, proofs, permissions, connectedApps }: Parts,
): Omit<SettingsProps, 'at' | 'error'> {
  const { t, config } = words
  const passkeys = passkeysOf(user)
  const factors = user.mfaMethods.flatMap((method) => shownFactor(words, method))
  return {
    accounts: accountsOf(user).map((account) => shownAccount(words, account)),
    canAdd: addableMethods(words, user).length > 0,
    passkeys: passkeys.map((account) => shownPasskey(words, account)),
    canAddPasskey: config.methods.includes('passkey') && passkeys.length < accountLimits.passkeys,
    factors: offersFactors || factors.length > 0 ? factors : undefined,
    wallets: wallets.map((account) => ({
      key: account.address,
      icon: wallet,
      label: t(`settings.wallet.${account.chainType}`),
      detail: `${shortAddress(account.address)} · ${recoveryName(words, account)}`,
    })),
    permissions: hasPermissions(wallets, permissions)
      ? mapped(permissions, (each) => shownPermission(words, each))
      : undefined,
    connectedApps: hasConnectedApps(words, connectedApps)
      ? mapped(connectedApps, (app) => shownConnectedApp(words, app))
      : undefined,
    canRevokeAll: itemsOf(permissions).filter(({ isActive }) => isActive).length > 1,
    sessions: mapped(sessions, (session) => shownUse(words, session, monitorSmartphone)),
    waiting: wallets.length > 0 && requests > 0,
    proofs:
      wallets.length > 0 && proofs.state === 'loaded'
        ? proofs.items.length > 0
          ? 'some'
          : 'none'
        : undefined,
    elsewhere: itemsOf(sessions).some(({ current }) => !current),
    devices:
      wallets.length > 0 ? mapped(devices, (device) => shownUse(words, device, smartphone)) : undefined,
  }
}

const mapped = <T, S>(list: Loaded<T>, to: (item: T) => S): Loaded<S> =>
  list.state === 'loaded' ? { state: 'loaded', items: list.items.map(to) } : list

/** A session or a device: where it was used, and when last. */
function shownUse(
  { t }: Pick<Words, 't'>,
  { id, name, place, lastUsedAt, current }: UserSession | Device,
  icon: string,
): Shown {
  const used = t('settings.usedOn', { date: day(lastUsedAt) })
  return {
    key: id,
    icon,
    label: name || t('settings.device'),
    detail: place ? `${place} · ${used}` : used,
    mark: current ? { text: t('settings.here'), tone: 'plain' } : undefined,
  }
}

/** While the list isn't known, the wallets say whether there is one. */
const hasPermissions = (wallets: readonly EmbeddedAccount[], list: Loaded<Permission>): boolean =>
  list.state === 'loaded' ? list.items.length > 0 : wallets.some(({ delegated }) => delegated)

/** An app that lets others in, and couldn't say which, says so. */
const hasConnectedApps = ({ config }: Pick<Words, 'config'>, list: Loaded<ConnectedApp>): boolean =>
  list.state === 'loaded' ? list.items.length > 0 : list.state === 'failed' && config.app.letsInOtherApps

/** An app that the user has let in, with its last use. */
function shownConnectedApp(
  { t }: Pick<Words, 't'>,
  { id, name, iconUrl, lastUsedAt, expiresAt }: ConnectedApp,
): Shown {
  return {
    key: id,
    icon: iconUrl ?? userRound,
    label: name,
    detail: t('settings.usedOn', { date: day(lastUsedAt) }),
    mark: expiresAt ? { text: t('settings.permissions.active'), tone: 'success' } : undefined,
  }
}

/** A permission by its signer and wallet, with its number of uses. */
function shownPermission(
  { t }: Pick<Words, 't'>,
  { id, signer, address, isActive, uses, maxUses }: Permission,
): Shown {
  const count =
    maxUses === undefined
      ? t('settings.permissions.used', { count: String(uses) })
      : t('settings.permissions.usedOf', { count: String(uses), most: String(maxUses) })
  return {
    key: id,
    icon: keyRound,
    label: signer,
    detail: `${shortAddress(address)} · ${count}`,
    mark: isActive ? { text: t('settings.permissions.active'), tone: 'success' } : undefined,
  }
}

function shownFactor({ t }: Pick<Words, 't'>, method: string): readonly Shown[] {
  if (method !== 'totp' && method !== 'sms' && method !== 'passkey') return []
  const icon = { totp: clock, sms: smartphone, passkey: fingerprint }[method]
  const mark = { text: t('settings.factors.enabled'), tone: 'success' } as const
  return [{ key: method, icon, label: t(`settings.factors.${method}`), mark }]
}

/** How a wallet is recovered, in words. */
export function recoveryName({ t }: Pick<Words, 't'>, { recoveryMethod }: EmbeddedAccount): string {
  const method = ownMethodOf(recoveryMethod)
  return t(method ? `settings.wallet.${method}` : 'settings.wallet.unknown')
}
