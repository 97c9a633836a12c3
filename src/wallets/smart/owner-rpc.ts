/** The signature of a smart account's owner, as a call of the vault's frame. */
import type { Plain } from '../../lib/plain.ts'
import type { RpcRequest } from '../../protocol/frame/calls.ts'
import type { OwnerPayload } from './account-codec.ts'

/** The call that has the owner's key sign. The page and the vault both use it, so the same bytes are signed with and without an approval. */
export function toOwnerRpc(payload: OwnerPayload, owner: string): RpcRequest {
  switch (payload.type) {
    case 'message':
      return { method: 'personal_sign', params: [payload.raw, owner] }
    case 'typedData':
      return { method: 'eth_signTypedData_v4', params: [owner, payload.typedData as Plain] }
    case 'hash':
      return { method: 'secp256k1_sign', params: [payload.hash] }
  }
}
