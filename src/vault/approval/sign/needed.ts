import type { GivenAllowance } from '../../../ethereum/edit-allowance.ts'
import { tokensOf } from '../../../signing/allowances.ts'
import type { NeededTokens } from './review.ts'

/** Tokens of which the server may say more. */
export const tokensNeeded = (
  chainId: number | undefined,
  allowances: readonly GivenAllowance[],
  more: NeededTokens['list'] = [],
): NeededTokens | undefined =>
  chainId === undefined || allowances.length + more.length === 0
    ? undefined
    : { chainId, list: [...tokensOf(allowances), ...more] }
