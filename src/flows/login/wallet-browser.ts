import { learn } from '../../copy/copy.ts'
import { connect as words } from '../../copy/en/connect.ts'
import { walletErrors } from '../../copy/en/wallet-errors.ts'
import { toKitError } from '../../errors/kit-error.ts'
import { walletVerdict } from '../../errors/wallet-connection.ts'
import { goOnHere } from '../../screens/connect/go-on-here.tsx'
import type { WalletBrowserReturn } from '../../wire/wallet-browser.ts'
import { linkWallet } from '../connect/link.ts'
import type { BackToStart, Login, LoginContext } from './context.ts'
import { settle } from './gates.ts'
import { way } from './wallet.ts'

learn(words, walletErrors)

/**
 * Goes on in a wallet's own browser (wire 6.4): logs in with that wallet. A session that the link has brought along is
 * taken over instead, and the wallet linked to it, but only at a press: the link may be somebody else's, who would then
 * have the wallet on an account of theirs (security T11).
 */
export async function goOnInWallet(
  cx: LoginContext,
  { token, connector, client }: WalletBrowserReturn,
  method: string,
): Promise<Login | BackToStart> {
  if (token === undefined) return way(cx, { method })
  const { stage, session } = cx
  const external = await cx.wallets.external()
  const solana = connector === 'solana_adapter'
  const offers = await external.offers({
    walletList: [client],
    chains: [solana ? ('solana' as const) : ('ethereum' as const)],
  })
  const offer = offers.find(({ reach }) => reach === 'here')
  if (!offer) return { back: true }
  if ((await stage.ask(goOnHere, { wallet: offer.meta })) === 'decline') return { back: true }
  try {
    await session.recover(token, { signal: stage.signal })
  } catch (cause) {
    stage.signal.throwIfAborted()
    const error = toKitError(cause)
    await settle(cx, error, walletVerdict(offer.meta.name)(error))
    return { back: true }
  }
  const user = await linkWallet(cx, offer)
  return { user, isNewUser: false, method: solana ? 'siws' : 'siwe', account: undefined }
}
