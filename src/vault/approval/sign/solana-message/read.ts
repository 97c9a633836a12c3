import { InvalidRequest } from '../../../../lib/invalid-request.ts'
import { toRpcRequest } from '../../../../protocol/frame/sign-request.ts'
import { readSignableMessage } from '../../../../solana/review.ts'
import { parseMessageParams } from '../../../signing/solana.ts'
import { reviewMessage } from '../message/read.ts'
import type { ReadKind } from '../review.ts'

/** By Solana's one method transactions are signed as well, so bytes that are one are refused here. */
export const readSolanaMessage: ReadKind<'solanaMessage'> = (asked, cx) => {
  const { address } = cx.requester
  const bytes = parseMessageParams(toRpcRequest(asked, address))
  if (readSignableMessage(bytes, address)) throw new InvalidRequest('The message is a transaction')
  return reviewMessage(bytes, cx, address)
}
