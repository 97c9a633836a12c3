import type { FlowContext } from '../../app/flow-context.ts'
import type { LinkedAccount, User } from '../../protocol/user.ts'
import { isGuarded } from '../guarded.ts'
import { isLastLogin } from './accounts.ts'
import { type ConfirmRemovalProps, confirmRemoval } from './confirm-removal.tsx'

/**
 * Asks before an account is removed, unless that is asked anyway: by the vault's window, or because it is the last login. Resolves with
 * whether it is to be removed.
 */
export async function confirmsRemoval(
  { config, stage }: FlowContext,
  user: User,
  account: LinkedAccount,
  shown: ConfirmRemovalProps,
): Promise<boolean> {
  if (isGuarded(config, user) || isLastLogin(user.linkedAccounts, account, config.app)) return true
  return (await stage.ask(confirmRemoval, shown)) === 'remove'
}
