import { addWords } from '../../copy/copy.ts'
import { connect as words } from '../../copy/en/connect.ts'
import { isRecent, offerOptions } from '../../wallets/connect/list-options.ts'
import { walletMethodName } from '../../wallets/connect/row.ts'
import type { WalletOffer } from '../../wallets/external/connector.ts'
import { walletLabel } from '../../wallets/registry/registry.ts'
import type { LoginContext } from '../context.ts'
import type { WalletRow } from '../landing/flow.ts'
import { landingLimits } from '../landing/limits.ts'

addWords(words)

/**
 * The wallets that have rows of their own on the landing screen: those in the host's order, or the first of
 * the list in an app that puts wallets first, with a row for the others.
 */
export async function landingRows(
  cx: LoginContext,
  names: readonly string[],
  first: boolean,
): Promise<readonly WalletRow[]> {
  const external = await cx.wallets.external()
  const rowsOf = async (under: string, walletList: readonly string[] | undefined) => {
    const options = offerOptions(cx.config, { ...cx.options, walletList }, true)
    const row = (offer: WalletOffer) => ({
      under,
      id: walletMethodName(offer),
      name: walletLabel(offer.meta.id, offer.meta.name),
      icon: offer.meta.icon ?? offer.meta.id,
      recent: isRecent(offer, cx.recentWallet),
    })
    return (await external.offers(options)).map(row)
  }
  if (!first) return (await Promise.all(names.map((name) => rowsOf(name, [name])))).flat()
  const others = {
    under: 'wallet',
    id: 'wallet',
    name: cx.t('connect.list.more'),
    icon: undefined,
    recent: false,
  }
  return [...(await rowsOf('wallet', undefined)).slice(0, landingLimits.wallets), others]
}
