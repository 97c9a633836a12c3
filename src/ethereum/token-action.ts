/** What a call or a permit does with tokens: who may get or spend what. */

/** A named action on tokens. Addresses have their checksum. */
export interface TokenAction {
  readonly action: 'transfer' | 'approve' | 'approveAll' | 'revokeAll'
  /** The tokens' contract, if it is known. */
  readonly contract?: string | undefined
  /** Whose tokens move, where that isn't the signer by itself. */
  readonly from?: string | undefined
  /** The recipient, or the one who is allowed to spend. */
  readonly party: string
  /** In the token's smallest units. */
  readonly amount?: bigint | undefined
  /** The number of the one token that it is about. */
  readonly token?: bigint | undefined
  /** By the call alone nobody can tell whether the number is an amount or names a token (ERC-20 and ERC-721). */
  readonly amountOrToken?: bigint | undefined
  /** It is for everything, now and later: the greatest amount that its type has, or no amount at all. */
  readonly unlimited: boolean
  /** Seconds since 1970, for an allowance that ends by itself. */
  readonly expires?: bigint | undefined
  /** For an allowance: whether it reaches all that the wallet has, as far as somebody could say. */
  readonly reach?: 'all' | 'part' | undefined
}

/** A token's figures, in its smallest units. */
export interface TokenFigures {
  /** The wallet's balance. */
  readonly balance: bigint
  /** How many there are. */
  readonly supply?: bigint | undefined
}

/** Whether an action lets somebody else spend tokens. */
export const isAllowance = ({ action, amount, amountOrToken, unlimited }: TokenAction): boolean =>
  action === 'approveAll' || (action === 'approve' && (unlimited || (amount ?? amountOrToken) !== 0n))

/** The action with what it reaches: an allowance is judged by its effect, however it is written. */
export function withReach(action: TokenAction, figures: TokenFigures | undefined): TokenAction {
  if (!isAllowance(action)) return action
  if (action.unlimited) return { ...action, reach: 'all' }
  const amount = action.amount ?? action.amountOrToken
  if (!figures || amount === undefined) return action
  const { balance, supply } = figures
  const isAll = amount >= balance || (supply !== undefined && amount >= supply)
  return { ...action, reach: isAll ? 'all' : 'part' }
}

/** The greatest amounts, which contracts take for no limit. */
export const UNLIMITED = (1n << 256n) - 1n
export const UNLIMITED_160 = (1n << 160n) - 1n

/** An allowance for `party`, which is unlimited from a certain amount on. */
export function allowance(
  party: string | undefined,
  amount: bigint | undefined,
  unlimitedFrom: bigint,
  contract: string | undefined,
): TokenAction | undefined {
  if (!party || amount === undefined) return undefined
  return {
    action: 'approve',
    party,
    ...(contract && { contract }),
    amount,
    unlimited: amount >= unlimitedFrom,
  }
}
