import { limits } from '../../core/limits.ts'
import { Closed } from '../../core/stage.ts'
import { type KitError, toKitError } from '../../errors/kit-error.ts'
import type { ConnectedAccount, WalletOffer } from '../../wallets/external/connector.ts'
import { settle } from '../login/gates.ts'
import { chooseWallet } from './choose.ts'
import type { ConnectContext, Connection } from './context.ts'
import { failedConnection, onKnownChain, openWallet, verdictOf } from './open.ts'
import { showDone } from './sign-in.ts'
import { type WalletWishes, wishOf } from './wish.ts'

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
    const connected = await connectOne({ cx, offer: chosen, purpose: 'connect', retries: 0 })
    if (connected !== 'back') return connected
    next = undefined
  }
}

/** Connects one wallet, as often as it may be tried. */
async function connectOne(connection: Connection): Promise<ConnectedAccount | 'back'> {
  const { cx } = connection
  const verdict = verdictOf(connection)
  for (;;) {
    try {
      const opened = await openWallet(connection)
      if (opened === 'back') return 'back'
      const account = await onKnownChain(connection, opened)
      if (account === 'back') return 'back'
      await showDone(connection, limits.successVisible)
      return account
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      const error: KitError = toKitError(cause, 'generic_connect_wallet_error')
      const { next } = await settle(cx, error, verdict(error), failedConnection(connection))
      if (next !== 'again') return 'back'
    }
  }
}
