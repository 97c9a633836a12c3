import type { FrameCalls, frameEvents } from '../wire/frame/calls.ts'
import type { VaultContext } from './context.ts'
import { withDeviceWallet } from './device.ts'
import { VaultError } from './errors.ts'
import { messageBytes, signPersonal } from './sign.ts'
import type { Token } from './token.ts'

type Rpc = FrameCalls[typeof frameEvents.walletRpc]
const CHAIN = 'ethereum'
const METHOD = 'personal_sign'

/**
 * Answers a request to the wallet at `address` (lower case): `personal_sign` with `[message, address]`, wire 7.6.
 * The key exists for this one signature. Throws {@link VaultError}.
 */
export async function answerRpc(
  cx: VaultContext,
  token: Token,
  address: string,
  data: Rpc['data'],
): Promise<Rpc['answer']> {
  const { method, params } = data.request
  if (data.chainType !== CHAIN) throw unsupported('This chain')
  if (data.hdWalletIndex !== 0) throw unsupported('A wallet of another index')
  if (data.requesterAppId !== undefined && data.requesterAppId !== cx.settings.appId)
    throw unsupported('A request of another app')
  if (method !== METHOD) throw unsupported('This method')

  const [message, signer, ...more] = params
  if (typeof message !== 'string' || typeof signer !== 'string' || more.length > 0)
    throw new VaultError('invalid_request_arguments', 'personal_sign takes a message and an address')
  if (signer.toLowerCase() !== address)
    throw new VaultError('invalid_request_arguments', 'The address is not that of the wallet')
  const bytes = messageBytes(message)
  return withDeviceWallet(cx, token, address, (wallet) => ({
    address: wallet.address,
    chainType: CHAIN,
    response: { method: METHOD, data: signPersonal(bytes, wallet.privateKey) },
  }))
}

const unsupported = (what: string) => new VaultError('error', `${what} is unsupported`)
