import type { FrameCalls, frameEvents } from '../../wire/frame/calls.ts'
import { bytesToHex } from '../bytes.ts'
import type { VaultContext } from '../context.ts'
import { withDeviceRoot } from '../device.ts'
import type { RootName, WalletKey } from '../model.ts'
import type { Token } from '../token.ts'
import { readEthereumRequest, type Signing, take } from './ethereum.ts'
import { invalid, unsupported } from './invalid.ts'
import { readSolanaRequest } from './solana.ts'
import { populate } from './transaction/populate.ts'
import { readTransaction } from './transaction/request.ts'

type Rpc = FrameCalls[typeof frameEvents.walletRpc]

/**
 * Answers a request to one wallet of a root (wire 7.6). It is read through before a key is there, and the key exists
 * for this one signature. Throws a VaultError.
 */
export async function answerRpc(
  cx: VaultContext,
  token: Token,
  root: RootName,
  { chainType, hdWalletIndex: index, requesterAppId, request }: Rpc['data'],
): Promise<Rpc['answer']> {
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
    const [transaction] = take(request.params, 1, 'eth_populateTransactionRequest takes a transaction')
    const asked = readTransaction(transaction)
    // The server may take its time: no key is kept for it.
    const address = await withKey((key) => {
      mustBe(asked.from, key)
      return key.address
    })
    return answer(address, await populate(cx, token, address, asked))
  }
  const { signer, sign } = (chainType === 'solana' ? readSolanaRequest : readEthereumRequest)(request)
  return withKey((key) => {
    mustBe(signer, key)
    return answer(key.address, sign(key))
  })
}

function mustBe(signer: Signing['signer'], { address }: WalletKey): void {
  if (signer && `0x${bytesToHex(signer)}` !== address.toLowerCase())
    throw invalid('The address is not that of the wallet')
}
