import type { AppConfig } from '../../protocol/app-config.ts'
import { crossAppAccount, crossAppMethod } from '../../protocol/cross-app.ts'
import type { LinkedAccount } from '../../protocol/user.ts'

/** What identifies an account among those of one person, besides its type. */
const identities = [
  ...(['address', 'number', 'subject', 'fid', 'telegramUserId', 'credentialId', 'customUserId'] as const),
]

/** The account that is meant: the one of that type with the same identity. */
export function findAccount(
  accounts: readonly LinkedAccount[],
  meant: Readonly<{ type: string }>,
): LinkedAccount | undefined {
  const same = (account: LinkedAccount) => {
    if (account === meant) return true
    if (account.type !== meant.type) return false
    const [one, other] = [account, meant] as unknown as Readonly<Record<string, unknown>>[]
    if (account.type === 'other') {
      const app = crossAppAccount(account)
      const wanted = crossAppAccount(meant as LinkedAccount)
      return app !== undefined && app.appId === wanted?.appId && app.subject === wanted.subject
    }
    return identities.every((name) => one?.[name] === other?.[name])
  }
  return accounts.find(same)
}

/** The method by which an account logs in, under the app's name of it; `undefined` for what nobody can log in with. */
function methodOf(account: LinkedAccount): string | undefined {
  switch (account.type) {
    case 'phone':
      return 'sms'
    case 'wallet':
      return account.embedded ? undefined : account.chainType === 'solana' ? 'solana-wallet' : 'wallet'
    default:
      return account.type
  }
}

/** Whether this is the only account by which the person can log in to the app again. */
export function isLastLogin(
  accounts: readonly LinkedAccount[],
  account: LinkedAccount,
  app: Pick<AppConfig, 'loginMethods'>,
): boolean {
  const logsIn = (each: LinkedAccount) => {
    // The host's own login, and those of other apps, are no settings of this app.
    if (each.type === 'custom' || crossAppAccount(each)) return true
    return app.loginMethods.has(methodOf(each) ?? '')
  }
  return logsIn(account) && !accounts.some((each) => each !== account && logsIn(each))
}

/** The method of a linked account as events name it. */
export function eventMethod(account: LinkedAccount): string {
  const app = crossAppAccount(account)
  if (app) return crossAppMethod(app.appId)
  if (account.type === 'wallet') return account.chainType === 'solana' ? 'siws' : 'siwe'
  return account.type === 'phone' ? 'sms' : account.type
}
