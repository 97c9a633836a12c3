import { untilLoaded } from '../../app/failure/until-loaded.ts'
import { addWords } from '../../copy/copy.ts'
import { errors } from '../../copy/en/errors.ts'
import { Closed } from '../../dialog/stage.ts'
import { lazily } from '../../errors/lazily.ts'
import type { ConnectedAccount, WalletOffer } from '../../wallets/external/connector.ts'
import { chooseWallet } from './choose.ts'
import type { ConnectContext } from './context.ts'
import { offerOptions, type WalletListOptions } from './list-options.ts'

addWords(errors)

/** The list works without what talks to a wallet. */
const loadOne = lazily(() => import('./connect-one.ts'))

/**
 * Connects a wallet without logging in, and resolves with it. Going back from the first screen closes the
 * dialog.
 * @param offer the wallet, if it is known already
 */
export async function connectOnly(
  cx: ConnectContext,
  listOptions: WalletListOptions = {},
  offer?: WalletOffer,
): Promise<ConnectedAccount> {
  const connected = await connectOrBack(cx, listOptions, offer)
  if (connected === 'back') throw new Closed('The person turned back')
  return connected
}

/** The same as part of a larger flow, to which the person may go back. */
export async function connectOrBack(
  cx: ConnectContext,
  listOptions: WalletListOptions,
  offer?: WalletOffer,
): Promise<ConnectedAccount | 'back'> {
  const options = offerOptions(cx.config, listOptions, false)
  let next = offer
  for (;;) {
    const chosen = next ?? (await untilLoaded(cx, () => chooseWallet(cx, { purpose: 'connect', options })))
    if (chosen === 'back') return 'back'
    const connected = await untilLoaded(cx, async () => {
      const { connectOne } = await loadOne()
      return connectOne({ cx, offer: chosen, purpose: 'connect', retries: 0 })
    })
    if (connected !== 'back') return connected
    next = undefined
  }
}
