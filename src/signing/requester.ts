import type { WalletFlow } from '../wallets/flow-context.ts'

/** The page that asks, and the app of it where that is another one, as screens display them. */
export const requesterOf = ({ requester, page }: Pick<WalletFlow, 'requester' | 'page'>) => ({
  origin: requester?.origin ?? page.origin,
  app: requester?.name,
})
