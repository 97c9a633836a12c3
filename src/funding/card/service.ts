/** Purchases at providers of coins: what they cost, and starting, finding and following them. Nothing is shown here. */
import { KitError } from '../../errors/kit-error.ts'
import {
  abandonPurchase,
  type FundingQuotes,
  type FundingRequest,
  getFundingQuotes,
  getPurchase,
  listPurchases,
  type OpenedPurchase,
  openPurchase,
  type Purchase,
  type PurchaseList,
  type PurchaseRequest,
  startPurchase,
} from '../../protocol/funding.ts'
import type { CallOptions, Http } from '../../protocol/http.ts'
import type { References } from './references.ts'

export type PurchaseOrder = Omit<PurchaseRequest, 'reference'>

export interface PurchaseService {
  quotes(
    request: FundingRequest & { readonly method?: string | undefined },
    options?: CallOptions,
  ): Promise<FundingQuotes>
  /**
   * Starts a purchase. The same order finds the purchase that it has started, in any tab and after a reload, until that is paid: nobody
   * pays twice because an answer was lost.
   */
  start(order: PurchaseOrder, options?: CallOptions): Promise<OpenedPurchase>
  /** The purchase as its provider says it is now. */
  read(id: string, options?: CallOptions): Promise<Purchase>
  /** Opens an unpaid purchase again. Throws `purchase_not_open` for a paid one. */
  reopen(id: string, options?: CallOptions): Promise<OpenedPurchase>
  /** Throws `purchase_not_open` for one that is paid. */
  abandon(id: string, options?: CallOptions): Promise<Purchase>
  /** The user's purchases on all devices, the newest first. */
  list(options?: CallOptions & { readonly before?: string | undefined }): Promise<PurchaseList>
  /** The same order is another purchase from now on. */
  settle(id: string): void
}

export function createPurchaseService({
  http,
  references,
}: {
  readonly http: () => Promise<Http>
  readonly references: References
}): PurchaseService {
  async function start(order: PurchaseOrder, options?: CallOptions): Promise<OpenedPurchase> {
    const name = nameOf(order)
    const opened = await startPurchase(await http(), { ...order, reference: references.of(name) }, options)
    references.note(name, opened.purchase.id)
    return opened
  }
  const service: PurchaseService = {
    quotes: async (request, options) => getFundingQuotes(await http(), request, options),
    async start(order, options) {
      let opened: OpenedPurchase
      try {
        opened = await start(order, options)
      } catch (cause) {
        if (!(cause instanceof KitError) || cause.code !== 'resource_conflict') throw cause
        // The stored reference is of another order.
        references.forget({ order: nameOf(order) })
        opened = await start(order, options)
      }
      return opened.purchase.status === 'abandoned' ? service.reopen(opened.purchase.id, options) : opened
    },
    read: async (id, options) => getPurchase(await http(), id, options),
    reopen: async (id, options) => openPurchase(await http(), id, options),
    async abandon(id, options) {
      const purchase = await abandonPurchase(await http(), id, options)
      references.forget({ purchase: id })
      return purchase
    },
    list: async (options) => listPurchases(await http(), options),
    settle: (id) => references.forget({ purchase: id }),
  }
  return service
}

const nameOf = ({ provider, method, chain, asset, address, amount, currency }: PurchaseOrder): string =>
  [provider, method, chain, asset, address, amount, currency ?? 'USD'].join(' ')

/** Whether nothing was paid, as far as the provider says. */
export const isUnpaid = ({ status }: Pick<Purchase, 'status'>): boolean =>
  status === 'started' || status === 'failed' || status === 'abandoned'

/** Whether the provider has been paid, or will be, and the coins have not been sent. */
export const isUnderWay = ({ status }: Pick<Purchase, 'status'>): boolean =>
  status === 'waiting-payment' || status === 'waiting-authorization' || status === 'pending'
