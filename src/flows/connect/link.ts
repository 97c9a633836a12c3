import { learn } from '../../copy/copy.ts'
import { account as words } from '../../copy/en/account.ts'
import { errors } from '../../copy/en/errors.ts'
import { gate } from '../../copy/en/gate.ts'
import { limits } from '../../core/limits.ts'
import { Closed } from '../../core/stage.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import type { ConnectedAccount, WalletOffer } from '../../wallets/external/connector.ts'
import type { User } from '../../wire/user.ts'
import { resolveConflict } from '../account/link-conflict.ts'
import { settle } from '../login/gates.ts'
import type { ConnectContext, Connection } from './context.ts'
import { failedConnection, openWallet, verdictOf } from './open.ts'
import { showDone, signIn, takeOver } from './sign-in.ts'

learn(words, errors, gate)

/** Adds a wallet to the account of who is logged in; turning back is closing. Spec §2 "Link wallet". */
export async function linkWallet(cx: ConnectContext, offer: WalletOffer): Promise<User> {
  const connection: Connection = { cx, offer, purpose: 'link', retries: 0 }
  let opened: ConnectedAccount | undefined
  for (;;) {
    try {
      const account = await openWallet(connection)
      if (account === 'back') break
      opened = account
      if (isLinked(cx, account)) throw new KitError('resource_conflict', 'Wallet was already linked.')
      const user = await signIn(connection, account, undefined, (auth, signed, signal) =>
        auth.link(signed, { signal }),
      )
      if (user === 'back') break
      await showDone(connection, limits.successVisible)
      return user
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      const error = toKitError(cause, 'generic_connect_wallet_error')
      const settled = await settle(cx, error, verdictOf(connection)(error), failedConnection(connection))
      if (settled.next === 'stay') throw error
      if (settled.next === 'start') break
      if (settled.next === 'again') continue
      const { transfer } = settled
      const account = opened
      if (!account) throw error
      const conflict = { ...transfer, title: cx.t('account.conflict.wallet'), account: account.address }
      const outcome = await resolveConflict(cx, conflict, () => takeOver(cx, account, transfer.nonce))
      if (outcome === 'declined') break
      return outcome.user
    }
  }
  throw new Closed('The person turned back')
}

const isLinked = ({ session }: ConnectContext, { address }: ConnectedAccount) =>
  session.user.get()?.linkedAccounts.some((each) => each.type === 'wallet' && each.address === address)
