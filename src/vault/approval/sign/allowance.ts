import { isAllowance, type TokenAction } from '../../../ethereum/token-action.ts'
import type { Allowance } from './review.ts'

/** An action as an allowance that the server may say more of; `undefined` for any other. */
export const allowanceOf = (
  action: TokenAction | undefined,
  chainId: number | undefined,
  withAction: Allowance['withAction'],
): Allowance | undefined =>
  action?.contract !== undefined && chainId !== undefined && isAllowance(action)
    ? { action, chainId, withAction }
    : undefined
