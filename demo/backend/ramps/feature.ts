import { inArray } from 'drizzle-orm'
import type { Feature } from '../http/definition.ts'
import type { SessionServices } from '../sessions/services.ts'
import { deleteInBatches } from '../store/delete-in-batches.ts'
import { bridgeRoutes } from './bridges.ts'
import { compatibleRoutes } from './compatible.ts'
import type { FundingContext } from './context.ts'
import { createPurchases, openingName, unpaid } from './purchases.ts'
import { fundingRoutes } from './routes.ts'
import { bridges, purchases, rampEvents } from './tables.ts'
import { webhookRoutes } from './webhooks.ts'

/** Buying coins for one's wallets: providers, their quotes, purchases and webhooks. */
export const fundingFeature: Feature<SessionServices> = {
  tables: [purchases, rampEvents, bridges],
  sealedColumns: [
    {
      table: purchases,
      field: 'sealedOpening',
      column: purchases.sealedOpening,
      key: [purchases.id],
      sealedName: ({ id = '' }) => openingName(id),
    },
  ],
  async sweep(database, limits, now) {
    const wasUnpaid = inArray(purchases.status, [...unpaid])
    await deleteInBatches(database, purchases.updatedAt, now - limits.unpaidPurchaseLife, wasUnpaid)
    await deleteInBatches(database, purchases.updatedAt, now - limits.purchaseLife)
    await deleteInBatches(database, bridges.createdAt, now - limits.unpaidPurchaseLife)
    await deleteInBatches(database, rampEvents.at, now - limits.webhookMemory)
  },
  start(services) {
    const { database, secrets, clock, limits, log } = services
    const cx = { limits, now: clock, log }
    const context: FundingContext = {
      services,
      cx,
      purchases: createPurchases({ database, secrets, clock, cx }),
    }
    return {
      publicRoutes: (api) => webhookRoutes(api, context),
      routes(api) {
        compatibleRoutes(api, context)
        fundingRoutes(api, context)
        bridgeRoutes(api, context)
      },
    }
  },
}
