import { handleFailure } from '../../app/failure/flow.ts'
import { addWords } from '../../copy/copy.ts'
import { account as words } from '../../copy/en/account.ts'
import { errors } from '../../copy/en/errors.ts'
import { gate } from '../../copy/en/gate.ts'
import { Closed } from '../../dialog/stage.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import type { ConnectContext, Connection } from '../../wallets/connect/context.ts'
import { failedConnection, openWallet, showDone, verdictOf } from '../../wallets/connect/open.ts'
import type { ConnectedAccount, WalletOffer } from '../../wallets/external/connector.ts'
import { walletsLimits } from '../../wallets/limits.ts'
import type { Login, LoginContext } from '../context.ts'
import { resolveConflict } from '../transfer/flow.ts'
import { type SignInContext, signIn, takeOver } from './sign-in.ts'

addWords(words, errors, gate)

type LinkContext = SignInContext & Pick<LoginContext, 'mayTransfer'>

/** Links a wallet to the person who is logged in. Going back closes the dialog. */
export async function linkWallet(cx: LinkContext, offer: WalletOffer): Promise<Login> {
  const linked = await linkWalletOrBack(cx, offer)
  if (linked === 'back') throw new Closed('The person turned back')
  return linked
}

/** The same as part of a larger flow, to which the person may go back. */
export async function linkWalletOrBack(cx: LinkContext, offer: WalletOffer): Promise<Login | 'back'> {
  const connection: Connection<SignInContext> = { cx, offer, purpose: 'link', retries: 0 }
  let opened: ConnectedAccount | undefined
  for (;;) {
    try {
      const account = await openWallet(connection)
      if (account === 'back') break
      opened = account
      if (isLinked(cx, account)) throw new KitError('resource_conflict', 'Wallet was already linked.')
      const linked = await signIn(connection, account, undefined, (auth, signed, signal) =>
        auth.link(signed, { signal }),
      )
      if (linked === 'back') break
      await showDone(connection, walletsLimits.successVisible)
      return linked
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      const error = toKitError(cause, 'generic_connect_wallet_error')
      const settled = await handleFailure(
        cx,
        error,
        verdictOf(connection)(error),
        failedConnection(connection),
      )
      if (settled.next === 'stay') throw error
      if (settled.next === 'start') break
      if (settled.next === 'again') continue
      const { transfer } = settled
      const account = opened
      if (!account) throw error
      const conflict = { ...transfer, title: cx.t('account.conflict.wallet'), account: account.address }
      const outcome = await resolveConflict(cx, conflict, () => takeOver(cx, account, transfer.nonce))
      if (outcome === 'declined') break
      return outcome
    }
  }
  return 'back'
}

const isLinked = ({ session }: ConnectContext, { address }: ConnectedAccount) =>
  session.user.get()?.linkedAccounts.some((each) => each.type === 'wallet' && each.address === address)
