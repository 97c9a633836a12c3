import { bytesToHex } from '@noble/hashes/utils.js'
import { parseMessage } from '../../../../ethereum/message.ts'
import { parseTypedData } from '../../../../ethereum/typed-data.ts'
import type { FrameSmartAccount, SignRequestOf } from '../../../../protocol/frame/sign-request.ts'
import type { OwnerPayload } from '../../../../wallets/smart/account-codec.ts'
import type { SignatureRequest } from '../../../signing/ethereum.ts'
import { loadOwnAccount, readOwnerSigning } from './account.ts'

/** The payload by which an account vouches for a message or typed data (ERC-1271), computed from the content that is displayed. */
export async function readContentSigning(
  asked: SignRequestOf<'message' | 'typedData'>,
  account: FrameSmartAccount,
): Promise<SignatureRequest> {
  const codec = await loadOwnAccount(account, asked.address)
  const content: OwnerPayload =
    asked.kind === 'message'
      ? { type: 'message', raw: `0x${bytesToHex(parseMessage(asked.message))}` }
      : { type: 'typedData', typedData: parseTypedData(asked.typedData).data }
  const { address, chainId } = account
  const payload = codec.toContentPayload(content, { address: address as `0x${string}`, chainId })
  return readOwnerSigning(payload, asked.address)
}
