import { chainOf } from '../../ethereum/chains.ts'
import type { TypedData } from '../../ethereum/typed-data.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { prepareVault, signEthereum, untilDone } from '../approved.ts'
import { signTypedData as screen } from './sign-typed-data.tsx'

export interface SignTypedDataRequest {
  readonly wallet: EmbeddedAccount
  readonly typed: TypedData
}

/** Shows typed data (EIP-712) and signs it once the person agrees. Throws `Closed` if they don't. */
export function signTypedData(cx: WalletFlow, { wallet, typed }: SignTypedDataRequest): Promise<string> {
  prepareVault(cx)
  const { domain, primaryType, fields, data } = typed
  const { chainId, ...named } = domain
  const chain =
    chainId === undefined ? undefined : (chainOf(cx.config, Number(chainId))?.name ?? String(chainId))
  const props = {
    ...{ origin: cx.page.origin, address: wallet.address, cancellable: true },
    domain: { ...named, ...(chain !== undefined && { chain }) },
    ...{ primaryType, fields },
  }
  const request = { method: 'eth_signTypedData_v4', params: [wallet.address, data] }
  return untilDone(cx, screen, props, () => signEthereum(cx, wallet, request))
}
