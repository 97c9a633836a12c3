import { handleFailure } from '../../app/failure/flow.ts'
import { type KitError, toKitError } from '../../errors/kit-error.ts'
import type { ConnectedAccount } from '../../wallets/external/connector.ts'
import { walletsLimits } from '../limits.ts'
import type { Connection } from './context.ts'
import { failedConnection, onKnownChain, openWallet, showDone, verdictOf } from './open.ts'

/** Connects one wallet, as often as it may be tried. */
export async function connectOne(connection: Connection): Promise<ConnectedAccount | 'back'> {
  const { cx } = connection
  const verdict = verdictOf(connection)
  for (;;) {
    try {
      const opened = await openWallet(connection)
      if (opened === 'back') return 'back'
      const account = await onKnownChain(connection, opened)
      if (account === 'back') return 'back'
      await showDone(connection, walletsLimits.successVisible)
      return account
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      const error: KitError = toKitError(cause, 'generic_connect_wallet_error')
      const { next } = await handleFailure(cx, error, verdict(error), failedConnection(connection))
      if (next !== 'again') return 'back'
    }
  }
}
