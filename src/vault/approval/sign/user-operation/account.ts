/** Smart accounts of a wallet's key: what the vault knows of them comes from the key's address and the account's published code. */
import { InvalidRequest } from '../../../../lib/invalid-request.ts'
import type { FrameSmartAccount } from '../../../../protocol/frame/sign-request.ts'
import type {
  OwnerPayload,
  SmartAccountCodec,
  SmartAccountKind,
} from '../../../../wallets/smart/account-codec.ts'
import { loadSmartAccountCodec } from '../../../../wallets/smart/accounts/features.ts'
import { toOwnerRpc } from '../../../../wallets/smart/owner-rpc.ts'
import type { SignatureRequest } from '../../../signing/ethereum.ts'
import { readRequest } from '../../../signing/signature.ts'

/**
 * Loads the codec of an account that the wallet's key owns.
 * @param owner the address of the wallet whose key signs
 * @throws InvalidRequest for a kind that the vault doesn't know, and for an account of another owner
 */
export async function loadOwnAccount(
  { kind, version, address }: FrameSmartAccount,
  owner: string,
): Promise<SmartAccountCodec> {
  const codec = await loadSmartAccountCodec(kind as SmartAccountKind, version)
  if (codec.getAddress(owner as `0x${string}`).toLowerCase() !== address.toLowerCase())
    throw new InvalidRequest('The smart account does not belong to the wallet')
  return codec
}

/** The payload that the owner's key signs for its account. Only here a bare hash is signed: one that the vault has computed itself. */
export async function readOwnerSigning(payload: OwnerPayload, owner: string): Promise<SignatureRequest> {
  const request = await readRequest('ethereum', toOwnerRpc(payload, owner), {
    rawSigning: true,
    delegates: [],
  })
  return { ...request, signer: owner }
}
