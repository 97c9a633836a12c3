import type { WalletFlow } from '../../flow-context.ts'
import type { CreateEmbedded, EmbeddedAccount } from '../embedded-wallets.ts'
import { makeWallet, offerProofFor, untilRead } from './ensure.ts'

/** Creates a wallet because the person or the page asks for it, and shows it. */
export async function createWallet(cx: WalletFlow, options: CreateEmbedded): Promise<EmbeddedAccount> {
  const wallet = await makeWallet(cx, options, { automatic: false })
  if ((await offerProofFor(cx, wallet, true)) === 'has-proof')
    await untilRead(cx, wallet.address, undefined, false)
  return wallet
}
