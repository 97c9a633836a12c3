import { and, count, eq, inArray } from 'drizzle-orm'
import { Refusal } from '../lib/refusal.ts'
import type { App } from '../settings/app.ts'
import type { Limits } from '../settings/limits.ts'
import type { Transaction } from '../store/database.ts'
import { externalWallets, type ProvedType } from '../users/account.ts'
import { accounts } from '../users/tables.ts'

const isWallet = (type: ProvedType) => (externalWallets as readonly ProvedType[]).includes(type)

/** How many accounts of a kind one user may have: one, but for passkeys and for wallets. */
export function createAccountLimit(limits: Limits) {
  function most(app: App, type: ProvedType): number {
    if (isWallet(type)) return app.maxLinkedWallets ?? Number.POSITIVE_INFINITY
    return type === 'passkey' ? limits.passkeysPerUser : 1
  }
  return {
    async mayAdd(tx: Transaction, app: App, userId: string, type: ProvedType): Promise<boolean> {
      const counted = isWallet(type) ? [...externalWallets] : [type]
      const [row] = await tx
        .select({ total: count() })
        .from(accounts)
        .where(and(eq(accounts.userId, userId), inArray(accounts.type, counted)))
      return (row?.total ?? 0) < most(app, type)
    },
    limitReached(type: ProvedType): Refusal {
      const text = isWallet(type)
        ? 'Cannot link more wallets to account.'
        : type === 'passkey'
          ? 'Cannot link more passkeys to account.'
          : `User already has an account of type ${type} linked.`
      return new Refusal('cannot_link_more_of_type', text)
    },
  }
}
