import { Refusal } from '../lib/refusal.ts'
import type { App } from '../settings/app.ts'
import type { Limits } from '../settings/limits.ts'
import type { Transaction } from '../store/database.ts'
import type { AccountType, ProvedType } from '../users/account.ts'
import { type Reached, reachedAddresses } from '../users/former-addresses.ts'
import { accounts } from '../users/tables.ts'
import { standsForUser } from '../users/wallet-addresses.ts'
import { createAccountLimit } from './account-limit.ts'
import { endGuest, refuseFactorAsLogin, requireUser, reserveAccount } from './account-rows.ts'

/** An account that the operator or the app's own team vouches for. */
export interface VouchedAccount {
  type: ProvedType
  subject: string
  details: Record<string, unknown>
}

/**
 * Gives a user one more way to log in after somebody has checked who is asking: the way back for those who have none left.
 * The account is not confirmed, so it logs in, and proves nothing for a device until an enrolled one approves it.
 * @returns where the user could be reached before
 * @throws Refusal `linked_to_another_user`, `resource_conflict`, `cannot_link_more_of_type`, `mfa_method_not_allowed`
 */
export async function attachAccount(
  tx: Transaction,
  app: App,
  userId: string,
  account: VouchedAccount,
  { limits, now }: { limits: Limits; now: number },
): Promise<Reached[]> {
  const { type, subject, details } = account
  const { mayAdd, limitReached } = createAccountLimit(limits)
  await requireUser(tx, app, { userId })
  const found = await reserveAccount(tx, app, { type, subject })
  if (found && found.userId !== userId)
    throw new Refusal('linked_to_another_user', 'This account belongs to somebody else.')
  if (found) throw new Refusal('resource_conflict', 'The user has this account already.')
  const chain = chains[type]
  if (chain && (await standsForUser(tx, app, chain, subject)))
    throw new Refusal('linked_to_another_user', 'This address is an embedded wallet of somebody.')
  if (!(await mayAdd(tx, app, userId, type))) throw limitReached(type)
  await refuseFactorAsLogin(tx, app, userId, type)
  const of = { appId: app.id, userId }
  const told = await reachedAddresses(tx, of, { wait: limits.accountChangeWait, now })
  // Never older than now, whoever the user was: an account that is attached proves nothing by its age.
  await endGuest(tx, app, userId)
  const seen = {
    linkedAt: now,
    confirmedAt: null,
    verifiedAt: now,
    firstVerifiedAt: null,
    latestVerifiedAt: null,
  }
  await tx.insert(accounts).values({ appId: app.id, userId, type, subject, details, ...seen })
  return told
}

const chains: Partial<Record<AccountType, 'ethereum' | 'solana'>> = {
  'ethereum-wallet': 'ethereum',
  'solana-wallet': 'solana',
}
