import { Closed } from '../../core/stage.ts'
import { lazily } from '../../errors/lazily.ts'
import type { ConnectedAccount, WalletOffer } from '../../wallets/external/connector.ts'
import { chooseWallet } from './choose.ts'
import type { ConnectContext } from './context.ts'
import { type WalletWishes, wishOf } from './wish.ts'

/** The list does without what speaks with a wallet. */
const loadOne = lazily(() => import('./connect-one.ts'))

/**
 * Connects a wallet without logging in. Resolves with it; turning back from the first screen is closing. Spec §4
 * "Wallet connection".
 * @param offer the wallet, where it is known already
 */
export async function connectOnly(
  cx: ConnectContext,
  wishes: WalletWishes = {},
  offer?: WalletOffer,
): Promise<ConnectedAccount> {
  const connected = await connectOrBack(cx, wishes, offer)
  if (connected === 'back') throw new Closed('The person turned back')
  return connected
}

/** The same as a part of something larger, to which one may go back. */
export async function connectOrBack(
  cx: ConnectContext,
  wishes: WalletWishes,
  offer?: WalletOffer,
): Promise<ConnectedAccount | 'back'> {
  const wish = wishOf(cx.config, wishes, false)
  let next = offer
  for (;;) {
    const chosen = next ?? (await chooseWallet(cx, { purpose: 'connect', wish }))
    if (chosen === 'back') return 'back'
    const { connectOne } = await loadOne()
    const connected = await connectOne({ cx, offer: chosen, purpose: 'connect', retries: 0 })
    if (connected !== 'back') return connected
    next = undefined
  }
}
