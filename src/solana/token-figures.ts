import type { SolanaAction } from './actions.ts'
import { feeOf, type TokenRules } from './token-rules.ts'

/** What a token's mint and its metadata say, as far as a node has read them. */
export interface TokenFigures {
  readonly symbol?: string | undefined
  readonly decimals?: number | undefined
  readonly rules?: Pick<TokenRules, 'scale' | 'transferFee'> | undefined
}

/** Adds symbols, scales and fees of tokens to their actions, by mint. Symbols are their issuers' claims. */
export const withTokenFigures = (
  actions: readonly SolanaAction[],
  tokens: Readonly<Record<string, TokenFigures>>,
): readonly SolanaAction[] =>
  actions.map((action) => {
    if (!('decimals' in action) || action.kind === 'initializeMint' || action.mint === undefined)
      return action
    const { symbol, rules } = (Object.hasOwn(tokens, action.mint) && tokens[action.mint]) || {}
    const scale = action.scale ?? rules?.scale
    const figured = {
      ...action,
      ...(symbol !== undefined && { symbol }),
      ...(scale !== undefined && { scale }),
    }
    if (figured.kind !== 'transferToken' || figured.fee !== undefined || !rules?.transferFee) return figured
    return { ...figured, fee: feeOf(figured.amount, rules.transferFee) }
  })
