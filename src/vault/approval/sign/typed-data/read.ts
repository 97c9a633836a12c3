import '../transaction-copy.ts'
import { hashMessageType } from '../../../../clear-signing/index.ts'
import { readPermits, withPermit } from '../../../../ethereum/edit-permit.ts'
import { parseTypedData } from '../../../../ethereum/typed-data.ts'
import { readEdit, toEditable } from '../../../../signing/allowances.ts'
import { missingForTypedData, permitProps, previewTypedData } from '../../../../signing/typed-data/preview.ts'
import { signTypedData } from '../../../../signing/typed-data/sign-typed-data.tsx'
import { chains } from '../chains.ts'
import { tokensNeeded } from '../needed.ts'
import { requireNoOperation } from '../no-operation.ts'
import { type ReadKind, toReview } from '../review.ts'
import { confirmsCode } from '../wallet-code.ts'

/** The operations of Safe, whose owners sign them as typed data. */
const OPERATION_TYPE = 'SafeOp'

/** No typed data is harmless by its shape: any contract may give it a meaning. */
export const readTypedData: ReadKind<'typedData'> = (request, { requester, knowledge, delegates }) => {
  const { typedData, chainId, isEditable } = request
  const { findFacts, asked = request, since, ...words } = knowledge
  const typed = parseTypedData(typedData)
  const permits = readPermits(typed)
  // As the page has brought it.
  const first = asked.kind === 'typedData' ? readPermits(parseTypedData(asked.typedData)) : permits
  const { address: wallet } = requester
  const shown = previewTypedData(
    { chains, origin: requester.origin, wallet, chainId, ...words, findFacts, now: since },
    typed,
  )
  const allowances = isEditable ? toEditable(first, permits, findFacts, since ?? 0n) : []
  const more = permitProps(shown.permit, permits, allowances, isEditable)
  const chain = typed.domain.chainId
  const { contract } = typed.domain
  const props = { ...requester, ...shown, ...more, cancellable: true }
  const place = chain === undefined ? chainId : Number(chain)
  return toReview(signTypedData, props, 'high', {
    ...(!request.account && confirmsCode(place || undefined, request.address, delegates, props)),
    needed:
      chain !== undefined && contract !== undefined && !shown.permit && !shown.held
        ? {
            chainId: Number(chain),
            messages: [hashMessageType(typed)],
            ...missingForTypedData(typed, { wallet, ...words }),
          }
        : undefined,
    tokens: tokensNeeded(chain === undefined ? undefined : Number(chain), permits),
    ...(!request.account &&
      typed.primaryType === OPERATION_TYPE &&
      requireNoOperation(request.address, typed)),
    edit(answer) {
      const edit = isEditable ? readEdit((answer as { edited?: unknown }).edited, first) : undefined
      return edit && { ...request, typedData: withPermit(typed, edit).data }
    },
  })
}
