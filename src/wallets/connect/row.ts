import type { WalletOffer } from '../../wallets/external/connector.ts'
import type { ConnectContext } from './context.ts'
import { type WalletWishes, wishOf } from './list-options.ts'

/**
 * The method name of a wallet's row. Wallets choose their own names, so this is a form that no other method
 * has.
 */
export const rowOf = ({ id }: Pick<WalletOffer, 'id'>): string => `wallet/${id.replaceAll(':', '/')}`

/** The wallet of such a row: from the list, from this browser, or by its name. */
export async function offerOf(
  cx: ConnectContext & { readonly options: WalletWishes },
  row: string,
): Promise<WalletOffer | undefined> {
  const external = await cx.wallets.external()
  const wish = wishOf(cx.config, cx.options, true)
  const [, name = ''] = row.split('/')
  const isThat = (offer: WalletOffer) => rowOf(offer) === row
  return (
    (await external.offers({ ...wish, all: true })).find(isThat) ??
    (await external.offers({ ...wish, walletList: [name] })).find(isThat)
  )
}
