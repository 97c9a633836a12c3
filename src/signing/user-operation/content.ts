/** Messages and typed data that a smart account vouches for (ERC-1271), by a signature of its owner's key. */
import { serializeErc6492Signature } from 'viem/utils'
import type { FrameSmartAccount } from '../../protocol/frame/sign-request.ts'
import type { OwnerPayload } from '../../wallets/smart/account-codec.ts'
import { toOwnerRpc } from '../../wallets/smart/owner-rpc.ts'
import { type AccountSigner, readHex, type SignedContent } from '../signature.ts'
import type { OwnedAccount } from './adapter.ts'

/** An account on a chain: its signatures are valid on that one alone. */
export interface VouchingAccount {
  readonly account: OwnedAccount
  readonly chainId: number
  /** Whether it has code there. Until it has, its signature says how it is deployed (ERC-6492). */
  readonly isDeployed: boolean
}

/** The account as the vault's requests name it. */
export const frameAccountOf = ({
  account: { codec, address },
  chainId,
}: Pick<VouchingAccount, 'account' | 'chainId'>): FrameSmartAccount => ({
  kind: codec.kind,
  version: codec.version,
  address,
  chainId,
})

/** Signs messages and typed data as an account. */
export const createAccountSigner = (vouching: VouchingAccount): AccountSigner => ({
  account: frameAccountOf(vouching),
  sign(content) {
    const { account, chainId, isDeployed } = vouching
    const { codec, address, owner } = account
    const place = { address, chainId }
    const payload = toPayload(content)
    return {
      rpc: toOwnerRpc(codec.toContentPayload(payload, place), owner.address),
      read(result, edited) {
        // The user may have lowered a permit in the vault.
        const signed = edited && 'typedData' in edited ? toPayload(edited) : payload
        const signature = codec.toContentSignature(readHex(result) as `0x${string}`, signed, place)
        const deployment = isDeployed ? undefined : codec.getFactoryArgs(owner.address as `0x${string}`)
        if (!deployment) return signature
        const { factory, factoryData } = deployment
        return serializeErc6492Signature({ address: factory, data: factoryData, signature })
      },
    }
  },
})

const toPayload = (content: SignedContent): OwnerPayload =>
  'message' in content
    ? { type: 'message', raw: content.message as `0x${string}` }
    : { type: 'typedData', typedData: content.typedData }
