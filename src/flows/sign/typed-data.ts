import type { TypedData } from '../../chains/typed-data.ts'
import { KitError } from '../../errors/kit-error.ts'
import { signTypedData as screen } from '../../screens/sign/sign-typed-data.tsx'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../wallet/context.ts'
import { askVault, prepareVault, untilDone } from './approved.ts'
import { chainNameOf } from './chain-name.ts'

export interface TypedDataRequest {
  readonly wallet: EmbeddedAccount
  readonly typed: TypedData
}

/** Shows typed data (EIP-712) and signs it once the person says so. Throws `Closed` when they don't. Spec §2 "Sign request". */
export async function signTypedData(cx: WalletFlow, { wallet, typed }: TypedDataRequest): Promise<string> {
  prepareVault(cx)
  const { domain, primaryType, fields, data } = typed
  const { chainId, ...named } = domain
  const props = {
    ...{ origin: cx.page.origin, address: wallet.address, cancellable: true },
    domain: { ...named, ...(chainId !== undefined && { chain: chainNameOf(cx.config, chainId) }) },
    ...{ primaryType, fields },
  }
  const request = { method: 'eth_signTypedData_v4', params: [wallet.address, data] }
  const signature = await untilDone(cx, screen, props, () => askVault(cx, wallet, request))
  if (typeof signature !== 'string') throw new KitError('unable_to_sign', 'Unable to sign message')
  return signature
}
