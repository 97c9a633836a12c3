import { KitError } from '../../errors/kit-error.ts'
import { kindOf } from '../../login/methods.ts'
import type { AppConfig } from '../../protocol/app-config.ts'
import { crossAppAccount } from '../../protocol/cross-app.ts'
import type { LinkedAccount, User } from '../../protocol/user.ts'
import { accountLimits } from '../limits.ts'

/** Accounts that nobody can add: they come with a login of their own. */
const neverLinked: ReadonlySet<string> = new Set(['guest', 'custom', 'siwe', 'siws', 'solana-wallet'])

/**
 * Whether the person may add an account of that method. Throws a {@link KitError}: `not_supported` for what can't be added
 * by anybody, `feature_not_enabled` for what the app has for logins alone, `cannot_link_more_of_type` where they have as many of the
 * kind as may be, `mfa_method_not_allowed` for the phone of somebody whose second factor are text messages.
 * @param app its settings, as soon as they are known
 */
export function requireRoom(user: User, method: string, app?: Pick<AppConfig, 'telegram'>): void {
  if (neverLinked.has(method))
    throw new KitError('not_supported', `An account of type ${method} can't be linked`)
  if (method === 'telegram' && app?.telegram?.canLink === false)
    throw new KitError('feature_not_enabled', "Telegram accounts can't be linked in this app")
  const kind = kindOf(method)
  // A person may have any number of wallets, until the server says otherwise.
  if (kind === 'wallet') return
  const has = user.linkedAccounts.filter(accountsOf(method)).length
  if (kind === 'passkey') {
    if (has >= accountLimits.passkeys)
      throw new KitError('cannot_link_more_of_type', 'Cannot link more passkeys to account.')
  } else if (has > 0)
    throw new KitError(
      'cannot_link_more_of_type',
      `User already has an account of type ${kind === 'cross-app' ? 'cross-app' : nameOf(method)} linked.`,
    )
  else if (kind === 'sms' && user.mfaMethods.includes('sms'))
    throw new KitError(
      'mfa_method_not_allowed',
      'Text messages are your second factor. Remove them there before you log in with them.',
    )
}

const nameOf = (method: string) => (method === 'sms' ? 'phone' : method)

/** Which of a person's accounts count against the limit of a method. */
function accountsOf(method: string): (account: LinkedAccount) => boolean {
  if (kindOf(method) === 'cross-app') return (account) => crossAppAccount(account) !== undefined
  const type = nameOf(method)
  return (account) => account.type === type
}
