import type { Config } from '../app/config.ts'
import type { User } from '../protocol/user.ts'

/** Whether the vault's window approves every change of the user's accounts and sessions: they have a wallet in a strict app. */
export const isGuarded = ({ vault }: Pick<Config, 'vault'>, user: User | null): boolean =>
  vault === 'strict' &&
  user?.linkedAccounts.some((account) => account.type === 'wallet' && account.embedded) === true
