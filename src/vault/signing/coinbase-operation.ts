import { hexToBytes } from '@noble/hashes/utils.js'
import { parseChainNumber } from '../../ethereum/integer.ts'
import { parseUserOperation } from '../../ethereum/user-operation.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { isPlainObject, type Plain } from '../../lib/plain.ts'
import type { RpcRequest } from '../../protocol/frame/calls.ts'
import { loadSmartAccountCodec } from '../../wallets/smart/accounts/features.ts'
import { signDigest, toHexSignature } from '../keys/signature.ts'
import type { WalletKey } from '../model.ts'

/**
 * Reads an operation of a Coinbase smart wallet with the number of its chain, as a list or with `chainId` as a field. Signs it as the account
 * whose owner the key is. Throws `InvalidRequest`.
 */
export async function readCoinbaseOperation(
  params: RpcRequest['params'],
): Promise<{ sign(key: WalletKey): string }> {
  const [raw, chain] = Array.isArray(params) ? (params as readonly Plain[]) : [params as Plain]
  if (!isPlainObject(raw)) throw new InvalidRequest('csw_signUserOperation takes an operation and a chain ID')
  const { chainId: own, ...fields } = raw
  const chainId = parseChainNumber(chain ?? own)
  if (chainId === undefined) throw new InvalidRequest('csw_signUserOperation takes the ID of a chain')
  const operation = parseUserOperation({ signature: '0x', ...fields }, '0.6')
  const codec = await loadSmartAccountCodec('coinbase_smart_wallet')
  const payload = codec.toOperationPayload(operation, chainId)
  if (payload.type !== 'hash') throw new InvalidRequest('The account signs no hash')
  const digest = hexToBytes(payload.hash.slice(2))
  return {
    sign(key) {
      const address = codec.getAddress(key.address as `0x${string}`)
      if (address.toLowerCase() !== operation.sender.toLowerCase())
        throw new InvalidRequest('The smart wallet does not belong to the wallet')
      const signature = toHexSignature(signDigest(digest, key.privateKey))
      return codec.toOperationSignature(signature as `0x${string}`)
    },
  }
}
