import { parseTransaction } from '../../ethereum/transaction.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import type { FrameCalls, frameEvents } from '../../protocol/frame/calls.ts'
import type { VaultContext } from '../context.ts'
import type { RootName, WalletKey } from '../model.ts'
import { withDeviceRoot } from '../shares/device-root.ts'
import type { Token } from '../token.ts'
import { unsupported } from './errors.ts'
import { parseEthereumRequest, takeParams } from './ethereum.ts'
import { populate } from './populate.ts'
import { parseSolanaRequest } from './solana.ts'

type WalletRpc = FrameCalls[typeof frameEvents.walletRpc]

/**
 * Answers a request to one wallet of a root. The request is read completely before any key is derived, and the key
 * exists for this one signature. Throws `InvalidRequest` or a `VaultError`.
 */
export async function answerWalletRpc(
  cx: VaultContext,
  token: Token,
  root: RootName,
  { chainType, hdWalletIndex: index, requesterAppId, request }: WalletRpc['data'],
): Promise<WalletRpc['answer']> {
  if (requesterAppId !== undefined && requesterAppId !== cx.settings.appId)
    throw unsupported('A request of another app')
  const withKey = <T>(work: (key: WalletKey) => T) =>
    withDeviceRoot(cx, token, root, (opened) => opened.withKey({ chainType, index }, work))
  const answer = (address: string, data: string | object) => ({
    address,
    chainType,
    response: { method: request.method, data },
  })

  if (chainType === 'ethereum' && request.method === 'eth_populateTransactionRequest') {
    const [raw] = takeParams(request.params, 1, 'eth_populateTransactionRequest takes a transaction')
    const transaction = parseTransaction(raw)
    // The key is gone again before the server is asked, which may take seconds.
    const address = await withKey((key) => {
      requireSigner(transaction.from, key)
      return key.address
    })
    return answer(address, await populate(cx, token, address, transaction))
  }
  const { signer, sign } =
    chainType === 'solana' ? parseSolanaRequest(request) : parseEthereumRequest(request, cx.settings)
  return withKey((key) => {
    requireSigner(signer, key)
    return answer(key.address, sign(key))
  })
}

function requireSigner(signer: string | undefined, { address }: WalletKey): void {
  if (signer !== undefined && signer !== address)
    throw new InvalidRequest('The address does not belong to the wallet')
}
