import { limits } from '../../core/limits.ts'
import { Closed } from '../../core/stage.ts'
import { toKitError } from '../../errors/kit-error.ts'
import type { WalletOffer } from '../../wallets/external/connector.ts'
import type { User } from '../../wire/user.ts'
import { settle } from '../login/gates.ts'
import type { ConnectContext, Connection } from './context.ts'
import { failedConnection, openWallet, verdictOf } from './open.ts'
import { showDone, signIn } from './sign-in.ts'

/** Adds a wallet to the account of who is logged in; turning back is closing. Spec §2 "Link wallet". */
export async function linkWallet(cx: ConnectContext, offer: WalletOffer): Promise<User> {
  const connection: Connection = { cx, offer, purpose: 'link', retries: 0 }
  for (;;) {
    try {
      const account = await openWallet(connection)
      if (account === 'back') break
      const user = await signIn(connection, account, undefined, (auth, signed, signal) =>
        auth.link(signed, { signal }),
      )
      if (user === 'back') break
      await showDone(connection, limits.successVisible)
      return user
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      const error = toKitError(cause, 'generic_connect_wallet_error')
      const { next } = await settle(cx, error, verdictOf(connection)(error), failedConnection(connection))
      if (next !== 'again') break
    }
  }
  throw new Closed('The person turned back')
}
