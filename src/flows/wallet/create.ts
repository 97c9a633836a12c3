import type { CreateEmbedded, EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from './context.ts'
import { makeWallet, untilRead } from './ensure.ts'

/** Makes a wallet because the person or the page asks for it, and shows it. Spec §2 "Embedded wallet screens". */
export async function createWallet(cx: WalletFlow, wish: CreateEmbedded): Promise<EmbeddedAccount> {
  const wallet = await makeWallet(cx, wish, { automatic: false })
  await untilRead(cx, wallet.address, undefined, false)
  return wallet
}
