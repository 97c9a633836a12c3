import {
  chainTypes,
  partsOf,
  type SignRequest,
  type SingleContent,
  toRpcRequest,
} from '../../../../protocol/frame/sign-request.ts'
import type { VaultSettings } from '../../../entry/settings.ts'
import type { SignatureRequest } from '../../../signing/ethereum.ts'
import { readRequest, requireSigner } from '../../../signing/signature.ts'

/** Reads all that a request has signed: every part of it before the first is signed, under the one key that is lent for it. */
export async function readSigning(
  asked: SignRequest,
  settings: Pick<VaultSettings, 'rawSigning' | 'operationSigning' | 'delegates'>,
): Promise<SignatureRequest> {
  if (asked.kind === 'userOperation')
    return (await import('../user-operation/read.ts')).readOperationSigning(asked)
  if ((asked.kind === 'message' || asked.kind === 'typedData') && asked.account)
    return (await import('../user-operation/content.ts')).readContentSigning(asked, asked.account)
  const readOne = (content: SingleContent) =>
    readRequest(chainTypes[asked.kind], toRpcRequest(content, asked.address), settings)
  const parts = partsOf(asked)
  if (!parts) return readOne(asked as SingleContent)
  const requests = await Promise.all(parts.map(readOne))
  return {
    signer: requests.find(({ signer }) => signer !== undefined)?.signer,
    sign: (key) => ({
      signatures: requests.map((request) => {
        requireSigner(request.signer, key)
        return request.sign(key)
      }),
    }),
  }
}
