import type { FlowContext } from '../../app/flow-context.ts'
import type { PlainKey } from '../../copy/copy.ts'
import type { Named } from '../../login/landing/flow.ts'
import { kindOf } from '../../login/methods.ts'
import { crossAppAccount, crossAppId, crossAppMethod } from '../../protocol/cross-app.ts'
import type { LinkedAccount, User } from '../../protocol/user.ts'
import { formatInternational } from '../../ui/fields/phone-field/rules.ts'
import { mail, smartphone, wallet } from '../../ui/icons/landing.ts'
import { userRound } from '../../ui/icons/lucide.ts'
import { shortAddress } from '../../ui/wallet/address-text.ts'
import { requireRoom } from '../link/may-link.ts'
import type { Shown } from '../shown.ts'

/** What names accounts on the screen. */
export interface Words extends Pick<FlowContext, 't' | 'config'> {
  /** How other apps call themselves, by login method, as far as that is known. */
  readonly apps: Readonly<Record<string, Named>>
}

/** What a person has linked, apart from what the settings have sections of their own for, and from being a guest. */
export const accountsOf = (user: User): readonly LinkedAccount[] =>
  user.linkedAccounts.filter(
    (account) =>
      account.type !== 'passkey' &&
      !(account.type === 'wallet' && account.embedded) &&
      account.type !== 'smart_wallet' &&
      !(account.type === 'other' && account.kind === 'guest'),
  )

/** A linked account as a list shows it: its kind, and by what the person knows it. */
export function shownAccount({ t, config, apps }: Words, account: LinkedAccount): Shown {
  const shown = (icon: string, label: string, name?: string): Shown => ({
    key: `${account.type}:${name ?? ''}`,
    icon,
    label,
    detail: name === label ? undefined : name,
  })
  switch (account.type) {
    case 'email':
      return shown(mail, t('settings.kind.email'), account.address)
    case 'phone':
      return shown(smartphone, t('settings.kind.phone'), formatInternational(account.number))
    case 'wallet': {
      const client = account.walletClientType
      const known = client && client !== 'unknown' ? client : wallet
      const row = shown(known, t('settings.kind.wallet'), shortAddress(account.address))
      return { ...row, key: `wallet:${account.address}` }
    }
    case 'smart_wallet':
      return {
        ...shown(wallet, t('settings.kind.wallet'), shortAddress(account.address)),
        key: `wallet:${account.address}`,
      }
    case 'farcaster':
      return shown(
        'farcaster',
        t('login.farcaster'),
        account.username ? `@${account.username}` : `#${account.fid}`,
      )
    case 'telegram':
      return shown(
        'telegram',
        t('login.telegram'),
        account.username ? `@${account.username}` : account.firstName,
      )
    case 'custom':
      return shown(userRound, t('settings.kind.custom', { app: config.appName }))
    case 'passkey':
    case 'other': {
      const app = crossAppAccount(account)
      if (!app) return { ...shown(userRound, t('settings.kind.other')), key: 'other:' }
      const row = shownApp({ t, apps }, crossAppMethod(app.appId))
      return { ...row, key: `other:${app.appId}:${app.subject}` }
    }
    default: {
      const name = account.email ?? account.username ?? account.name
      const row = shown(account.type, t(`login.${account.type}` as PlainKey), name)
      return { ...row, key: `${account.type}:${account.subject}` }
    }
  }
}

/** Another app, or the person's account of it: by its own name and icon where those are known. */
function shownApp({ t, apps }: Pick<Words, 't' | 'apps'>, method: string): Shown {
  const known = apps[method]
  return { key: method, icon: known?.icon ?? userRound, label: known?.name ?? t('login.otherApp') }
}

/** Other apps whose accounts the host offers. They are no settings of this app, so its methods lack them. */
const offeredApps = ({ order }: FlowContext['config']): readonly string[] =>
  [...new Set([...(order?.primary ?? []), ...(order?.overflow ?? [])])].filter(isOtherApp)
const isOtherApp = (method: string) => crossAppId(method) !== undefined

/** Every other app that the settings may have to name: those that the host offers, and those that the person has accounts of. */
export const appsToName = ({ config }: Pick<Words, 'config'>, user: User): readonly string[] => {
  const linked = user.linkedAccounts.flatMap((account) => crossAppAccount(account)?.appId ?? [])
  return [...new Set([...offeredApps(config), ...linked.map(crossAppMethod)])]
}

/** The methods of the app, and the other apps, for which the person has room. A passkey is added where passkeys are. */
export const addableMethods = ({ config }: Pick<Words, 'config'>, user: User): readonly string[] =>
  [...config.methods, ...offeredApps(config)].filter(
    (method) => method !== 'passkey' && hasRoom(config, user, method),
  )

function hasRoom({ app }: FlowContext['config'], user: User, method: string): boolean {
  try {
    requireRoom(user, method, app)
    return true
  } catch {
    return false
  }
}

/** A method to be added as a list shows it. */
export function shownMethod({ t, apps }: Pick<Words, 't' | 'apps'>, method: string): Shown {
  const kind = kindOf(method)
  if (kind === 'cross-app') return shownApp({ t, apps }, method)
  if (kind === 'email') return { key: method, icon: mail, label: t('settings.kind.email') }
  if (kind === 'sms') return { key: method, icon: smartphone, label: t('settings.kind.phone') }
  if (kind === 'wallet') return { key: method, icon: wallet, label: t('settings.kind.wallet') }
  return { key: method, icon: method, label: t(`login.${method}` as PlainKey) }
}
