import type { TypedData } from '../../ethereum/typed-data.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { type SignMessageUi, signatureWords } from '../message/flow.ts'
import { requestSignature } from '../request-signature.ts'
import { readHex } from '../signature.ts'
import { previewTypedData } from './preview.ts'
import { type SignTypedDataProps, signTypedData as screen } from './sign-typed-data.tsx'

export interface SignTypedDataRequest {
  readonly wallet: EmbeddedAccount
  readonly typed: TypedData
  /** The chain that the wallet is on. */
  readonly chainId: number
  readonly ui?: SignMessageUi | undefined
}

/**
 * Reviews typed data (EIP-712) with the user and signs it.
 * @returns the signature, 0x-hex
 * @throws Closed if the user rejects it
 */
export async function signTypedData(
  cx: WalletFlow,
  { wallet, typed, chainId, ui }: SignTypedDataRequest,
): Promise<string> {
  const { origin } = cx.page
  const { address } = wallet
  const props = {
    origin,
    address,
    cancellable: true,
    ...previewTypedData({ chains: cx.config, origin, wallet: address, chainId }, typed),
  }
  return requestSignature<SignTypedDataProps, string>(cx, {
    wallet,
    screen: screen as never,
    props,
    words: signatureWords(ui),
    signature: { content: { kind: 'typedData', typedData: typed.data, chainId }, read: readHex },
    isHidden: ui?.isHidden,
  })
}
