import { Closed } from '../../core/stage.ts'
import { embeddedWalletVerdict } from '../../errors/embedded-wallet.ts'
import { type KitError, toKitError } from '../../errors/kit-error.ts'
import { failure } from '../../screens/gate/failure.tsx'
import { walletCreated } from '../../screens/wallet/created.tsx'
import { creatingWallet } from '../../screens/wallet/creating.tsx'
import type { CreateEmbedded, EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import { recoveryOptionsOf } from '../../wallets/embedded/recovery-options.ts'
import { wantedWallets } from '../../wallets/quietly.ts'
import type { LoginContext } from '../login/context.ts'
import { say } from '../words.ts'
import type { WalletFlow } from './context.ts'

/**
 * Gives the person the wallets that the app wants them to have. Resolves with those that were made. A failure is shown
 * with a way to try again; whoever gives up gets it thrown. Creation can be resumed: the vault and the server make one
 * wallet or none.
 */
export async function ensureWallets(
  cx: LoginContext,
  isNewUser: boolean,
): Promise<readonly EmbeddedAccount[]> {
  const user = cx.session.user.get()
  const made: EmbeddedAccount[] = []
  for (const chainType of user ? wantedWallets(cx.config, user) : [])
    made.push(await makeWallet(cx, { chainType }, { automatic: true }))
  const [first, second] = made
  if (first) await untilRead(cx, first.address, second?.address, isNewUser)
  return made
}

/**
 * Makes a wallet, with a way of recovery of the person's own where the app requires one. Spec §4 "Wallet creation".
 * @param options.automatic part of a login, which can't be left; else turning back throws {@link Closed}
 */
export async function makeWallet(
  cx: WalletFlow,
  wish: CreateEmbedded,
  { automatic }: { automatic: boolean },
): Promise<EmbeddedAccount> {
  const embedded = await cx.wallets.embedded()
  const { methods, required } = recoveryOptionsOf(cx.config)
  const isFirst = !embedded.list().some((wallet) => !wallet.imported)
  for (;;) {
    try {
      if (!required || !isFirst) {
        const present = embedded.list().find((wallet) => !wallet.imported)
        const make = () => cx.stage.during(creatingWallet, {}, (signal) => embedded.create(wish, signal))
        if (!present) return await make()
        const { withWalletHere } = await import('./index.ts')
        return await withWalletHere(cx, present, make)
      }
      const { secureWallet } = await import('./index.ts')
      const came = await secureWallet(cx, {
        methods,
        automatic,
        work: (recovery, signal) => embedded.create({ ...wish, recovery }, signal),
      })
      if (came !== 'back') return came.done
      if (!automatic) throw new Closed('The person turned back')
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed) throw cause
      await orGiveUp(cx, toKitError(cause, 'embedded_wallet_create_error'))
    }
  }
}

/** The wallet exists: closing here is as good as continuing. */
export async function untilRead(
  cx: WalletFlow,
  address: string,
  second: string | undefined,
  isNewUser: boolean,
): Promise<void> {
  try {
    await cx.stage.ask(walletCreated, { address, isNewUser, ...(second && { second }) })
  } catch (cause) {
    if (!(cause instanceof Closed)) throw cause
  }
}

async function orGiveUp(cx: WalletFlow, error: KitError): Promise<void> {
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
