import { partsOf, type SingleContent, toRpcRequest } from '../protocol/frame/sign-request.ts'
import type { EmbeddedAccount } from '../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../wallets/flow-context.ts'
import { withWalletHere } from '../wallets/flows.ts'
import type { Signature } from './signature.ts'

/** Signs what has been approved in the page. */
export interface Signer {
  sign(signature: Pick<Signature<unknown>, 'content' | 'rpc'>): Promise<string | object>
}

/** Signs with the key of an embedded wallet, in the vault; a wallet that is not on this device is recovered first. */
export const createKeySigner = (cx: WalletFlow, wallet: EmbeddedAccount): Signer => ({
  sign: ({ content, rpc }) =>
    withWalletHere(cx, wallet, async (embedded) => {
      if (rpc) return embedded.rpc(wallet, rpc, cx.stage.signal)
      const signOne = (one: SingleContent) =>
        embedded.rpc(wallet, toRpcRequest(one, wallet.address), cx.stage.signal)
      const parts = partsOf(content)
      if (!parts) return signOne(content as SingleContent)
      const signatures: (string | object)[] = []
      for (const part of parts) signatures.push(await signOne(part))
      return { signatures }
    }),
})

/** Loads the vault while the user reads; a failure shows when the vault is asked. */
export function prepareVault(cx: WalletFlow): void {
  cx.wallets
    .embedded()
    .then((embedded) => embedded.prepare())
    .catch(() => {})
}
