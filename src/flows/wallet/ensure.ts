import { Closed } from '../../core/stage.ts'
import { embeddedWalletVerdict } from '../../errors/embedded-wallet.ts'
import { type KitError, toKitError } from '../../errors/kit-error.ts'
import { failure } from '../../screens/gate/failure.tsx'
import { walletCreated } from '../../screens/wallet/created.tsx'
import { creatingWallet } from '../../screens/wallet/creating.tsx'
import { wantsWallet } from '../../wallets/quietly.ts'
import type { WalletAccount } from '../../wire/user.ts'
import type { LoginContext } from '../login/context.ts'
import { say } from '../words.ts'

/**
 * Gives the person a wallet where the app wants them to have one. Resolves with it, or with `undefined` when nothing
 * was to be done. A failure is shown with a way to try again; whoever gives up gets it thrown. Creation can be
 * resumed: the vault and the server make one wallet or none.
 */
export async function ensureWallet(cx: LoginContext, isNewUser: boolean): Promise<WalletAccount | undefined> {
  const user = cx.session.user.get()
  if (!user || !wantsWallet(cx.config.createOnLogin, user)) return undefined
  for (;;) {
    try {
      const wallet = await cx.stage.during(creatingWallet, {}, (signal) => cx.wallets.embedded.create(signal))
      await untilRead(cx, wallet.address, isNewUser)
      return wallet
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      await orGiveUp(cx, toKitError(cause, 'embedded_wallet_create_error'))
    }
  }
}

/** The wallet exists: closing here is as good as continuing. */
async function untilRead(cx: LoginContext, address: string, isNewUser: boolean): Promise<void> {
  try {
    await cx.stage.ask(walletCreated, { address, isNewUser })
  } catch (cause) {
    if (!(cause instanceof Closed)) throw cause
  }
}

async function orGiveUp(cx: LoginContext, error: KitError): Promise<void> {
  const verdict = embeddedWalletVerdict(error)
  cx.report(error)
  if (verdict.show !== 'screen') throw error
  const answer = await cx.stage.ask(failure, {
    title: cx.t(verdict.title),
    detail: say(cx.t, verdict.detail),
    action: 'retry',
  })
  if (answer !== 'retry') throw error
}
