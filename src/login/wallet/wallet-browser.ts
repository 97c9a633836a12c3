import { handleFailure } from '../../app/failure/flow.ts'
import { addWords } from '../../copy/copy.ts'
import { connect as words } from '../../copy/en/connect.ts'
import { walletErrors } from '../../copy/en/wallet-errors.ts'
import { toKitError } from '../../errors/kit-error.ts'
import type { WalletBrowserReturn } from '../../protocol/wallet-browser.ts'
import { walletVerdict } from '../../wallets/connect/errors.ts'
import type { BackToStart, Login, LoginContext } from '../context.ts'
import { continueHere } from './continue-here.tsx'
import { linkWallet } from './link-wallet.ts'

addWords(words, walletErrors)

/**
 * Continues in a wallet's own browser: logs in with that wallet. A session that came in the link is taken
 * over instead, and the wallet linked to it, but only at a press: somebody else may have made the link, and
 * would then have the wallet on their account.
 */
export async function logInInWalletBrowser(
  cx: LoginContext,
  { token, connector, client }: WalletBrowserReturn,
  logIn: () => Promise<Login | BackToStart>,
): Promise<Login | BackToStart> {
  if (token === undefined) return logIn()
  const { stage, session } = cx
  const external = await cx.wallets.external()
  const solana = connector === 'solana_adapter'
  const offers = await external.offers({
    walletList: [client],
    chains: [solana ? ('solana' as const) : ('ethereum' as const)],
  })
  const offer = offers.find(({ reach }) => reach === 'here')
  if (!offer) return { back: true }
  if ((await stage.ask(continueHere, { wallet: offer.meta })) === 'decline') return { back: true }
  try {
    await session.recover(token, { signal: stage.signal })
  } catch (cause) {
    stage.signal.throwIfAborted()
    const error = toKitError(cause)
    await handleFailure(cx, error, walletVerdict(offer.meta.name)(error))
    return { back: true }
  }
  return linkWallet(cx, offer)
}
