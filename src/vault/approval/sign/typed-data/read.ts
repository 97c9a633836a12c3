import '../transaction-copy.ts'
import { hashMessageType } from '../../../../clear-signing/index.ts'
import { parseTypedData } from '../../../../ethereum/typed-data.ts'
import { previewTypedData } from '../../../../signing/typed-data/preview.ts'
import { signTypedData } from '../../../../signing/typed-data/sign-typed-data.tsx'
import { allowanceOf } from '../allowance.ts'
import { chains } from '../chains.ts'
import { type ReadKind, toReview } from '../review.ts'

/** No typed data is harmless by its shape: any contract may give it a meaning. */
export const readTypedData: ReadKind<'typedData'> = ({ typedData, chainId }, { requester, knowledge }) => {
  const typed = parseTypedData(typedData)
  const shown = previewTypedData(
    { chains, origin: requester.origin, wallet: requester.address, chainId, ...knowledge },
    typed,
  )
  const props = { ...requester, ...shown, cancellable: true }
  const chain = typed.domain.chainId
  const { contract } = typed.domain
  return toReview(signTypedData, props, 'high', {
    needed:
      chain !== undefined && contract !== undefined && !shown.permit && !shown.held
        ? { chainId: Number(chain), contracts: [], messages: [hashMessageType(typed)] }
        : undefined,
    allowance: allowanceOf(shown.permit, chain === undefined ? undefined : Number(chain), (permit) => ({
      ...props,
      permit,
    })),
  })
}
