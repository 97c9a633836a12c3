import type { SolanaAction } from './actions.ts'

/** Adds the symbols of tokens to their actions, by mint. They are their issuers' claims. */
export const withSymbols = (
  actions: readonly SolanaAction[],
  tokens: Readonly<Record<string, { readonly symbol?: string | undefined }>>,
): readonly SolanaAction[] =>
  actions.map((action) => {
    if (!('decimals' in action) || action.mint === undefined) return action
    const symbol = Object.hasOwn(tokens, action.mint) ? tokens[action.mint]?.symbol : undefined
    return symbol === undefined ? action : { ...action, symbol }
  })
