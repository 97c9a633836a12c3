import type { WalletOffer } from '../../wallets/external/connector.ts'
import type { LoginContext } from '../login/context.ts'
import { wishOf } from './wish.ts'

/**
 * The method by which a wallet stands among the ways to log in. A wallet may call itself as it likes: this is no name
 * that any other method has.
 */
export const rowOf = ({ id }: Pick<WalletOffer, 'id'>): string => `wallet/${id.replaceAll(':', '/')}`

/** The wallet of such a row: of the list, of those that this browser has, or by its name. */
export async function offerOf(cx: LoginContext, row: string): Promise<WalletOffer | undefined> {
  const external = await cx.wallets.external()
  const wish = wishOf(cx.config, cx.options, true)
  const [, name = ''] = row.split('/')
  const isThat = (offer: WalletOffer) => rowOf(offer) === row
  return (
    (await external.offers({ ...wish, all: true })).find(isThat) ??
    (await external.offers({ ...wish, walletList: [name] })).find(isThat)
  )
}
