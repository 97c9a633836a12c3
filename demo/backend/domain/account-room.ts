import { and, count, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '../store/open.ts'
import { accounts } from '../store/schema.ts'
import { externalWallets, type ProvedType } from './accounts.ts'
import type { App } from './app-settings.ts'
import type { RateLimits } from './limits.ts'
import { Refusal } from './refusal.ts'

const isWallet = (type: ProvedType) => (externalWallets as readonly ProvedType[]).includes(type)

/** How many accounts of a kind one user may have: one, but for passkeys and for wallets. Wire 3.3, 4.1. */
export function createAccountRoom(limits: RateLimits) {
  function most(app: App, type: ProvedType): number {
    if (isWallet(type)) return app.maxLinkedWallets ?? Number.POSITIVE_INFINITY
    return type === 'passkey' ? limits.passkeysPerUser : 1
  }
  return {
    async hasRoom(tx: Transaction, app: App, userId: string, type: ProvedType): Promise<boolean> {
      const counted = isWallet(type) ? [...externalWallets] : [type]
      const [row] = await tx
        .select({ total: count() })
        .from(accounts)
        .where(and(eq(accounts.userId, userId), inArray(accounts.type, counted)))
      return (row?.total ?? 0) < most(app, type)
    },
    noRoom(type: ProvedType): Refusal {
      const text = isWallet(type)
        ? 'Cannot link more wallets to account.'
        : type === 'passkey'
          ? 'Cannot link more passkeys to account.'
          : `User already has an account of type ${type} linked.`
      return new Refusal('cannot_link_more_of_type', text)
    },
  }
}
