import { parseTransaction } from '../../ethereum/transaction.ts'
import type { FrameCalls, frameEvents } from '../../protocol/frame/calls.ts'
import type { VaultContext } from '../context.ts'
import type { RootName } from '../model.ts'
import type { Token } from '../token.ts'
import { unsupported } from './errors.ts'
import { takeParams } from './ethereum.ts'
import { populate } from './populate.ts'
import { readRequest, requireSigner, signRequest, withWalletKey } from './signature.ts'

type WalletRpc = FrameCalls[typeof frameEvents.walletRpc]

/** Answers a request to one wallet of a root. Throws `InvalidRequest` or a `VaultError`. */
export async function answerWalletRpc(
  cx: VaultContext,
  token: Token,
  root: RootName,
  { chainType, hdWalletIndex: index, requesterAppId, request }: WalletRpc['data'],
): Promise<WalletRpc['answer']> {
  if (requesterAppId !== undefined && requesterAppId !== cx.settings.appId)
    throw unsupported('A request of another app')
  const path = { chainType, index }
  const answer = (address: string, data: string | object) => ({
    address,
    chainType,
    response: { method: request.method, data },
  })

  if (chainType === 'ethereum' && request.method === 'eth_populateTransactionRequest') {
    const [raw] = takeParams(request.params, 1, 'eth_populateTransactionRequest takes a transaction')
    const transaction = parseTransaction(raw)
    // The key is gone again before the server is asked, which may take seconds.
    const address = await withWalletKey(cx, token, root, path, (key) => {
      requireSigner(transaction.from, key)
      return key.address
    })
    return answer(address, await populate(cx, token, address, transaction))
  }
  const read = await readRequest(chainType, request, cx.settings)
  const { address, data } = await signRequest(cx, token, root, path, read)
  return answer(address, data)
}
