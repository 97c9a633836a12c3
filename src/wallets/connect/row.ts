import type { WalletOffer } from '../../wallets/external/connector.ts'
import type { ConnectContext } from './context.ts'
import { offerOptions, type WalletListOptions } from './list-options.ts'

/**
 * The method name of a wallet's row. Wallets choose their own names, so this is a form that no other method
 * has.
 */
export const walletMethodName = ({ id }: Pick<WalletOffer, 'id'>): string =>
  `wallet/${id.replaceAll(':', '/')}`

/** The wallet of such a row: from the list, from this browser, or by its name. */
export async function offerOf(
  cx: ConnectContext & { readonly options: WalletListOptions },
  method: string,
): Promise<WalletOffer | undefined> {
  const external = await cx.wallets.external()
  const options = offerOptions(cx.config, cx.options, true)
  const [, name = ''] = method.split('/')
  const matches = (offer: WalletOffer) => walletMethodName(offer) === method
  return (
    (await external.offers({ ...options, all: true })).find(matches) ??
    (await external.offers({ ...options, walletList: [name] })).find(matches)
  )
}
