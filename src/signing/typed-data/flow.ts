import type { TypedData } from '../../ethereum/typed-data.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { agreed, ethereumSignature } from '../approved.ts'
import type { SignMessageUi } from '../message/flow.ts'
import { shownTypedData } from './shown.ts'
import { signTypedData as screen } from './sign-typed-data.tsx'

export interface SignTypedDataRequest {
  readonly wallet: EmbeddedAccount
  readonly typed: TypedData
  /** The chain that the wallet is on. */
  readonly chainId: number
  readonly ui?: SignMessageUi | undefined
}

/** Shows typed data (EIP-712) and signs it once the person agrees. Throws `Closed` if they don't. */
export async function signTypedData(
  cx: WalletFlow,
  { wallet, typed, chainId, ui = {} }: SignTypedDataRequest,
): Promise<string> {
  const shown = {
    origin: cx.page.origin,
    address: wallet.address,
    cancellable: true,
    ...shownTypedData({ chains: cx.config, origin: cx.page.origin, wallet: wallet.address, chainId }, typed),
  }
  const request = { method: 'eth_signTypedData_v4', params: [wallet.address, typed.data] }
  const { isCancellable: cancellable = true, title, description, buttonText, iconUrl } = ui
  const worded = {
    ...shown,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(buttonText !== undefined && { buttonText }),
    ...(iconUrl !== undefined && { iconUrl }),
    cancellable,
  }
  return agreed(cx, wallet, screen, { shown, worded }, { ...ethereumSignature(request), chainId })
}
