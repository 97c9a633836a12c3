/** Allowances of a request that the user may lower, with the figures of their tokens. */
import { type AllowanceEdit, type GivenAllowance, isWithin } from '../ethereum/edit-allowance.ts'
import { type TokenAction, withReach } from '../ethereum/token-action.ts'
import type { Asset, EditableAllowance } from './preview.ts'

/** The figures of a token, as far as they are known. */
export interface TokenFacts {
  readonly symbol?: string | undefined
  readonly decimals?: number | undefined
  /** The owner's balance. */
  readonly balance?: bigint | undefined
  /** How many there are. */
  readonly supply?: bigint | undefined
}
/** Looks up a token's figures; `owner` is the contract whose tokens they are, `undefined` for the wallet's own. */
export type FindTokenFacts = (token: string, owner?: string) => TokenFacts | undefined

/** As many allowances of one request can be lowered; nobody chooses between more. */
export const MAX_EDITABLE = 8

/** Tokens of allowances, each with whose they are, once. */
export function tokensOf(
  allowances: readonly GivenAllowance[],
): readonly Pick<GivenAllowance, 'token' | 'owner'>[] {
  const distinct = new Map(
    allowances
      .slice(0, MAX_EDITABLE)
      .map(({ token, owner }) => [factsKey(token, owner), { token, ...(owner && { owner }) }]),
  )
  return [...distinct.values()]
}

/** Finds the figures among those that were fetched for {@link tokensOf}. */
export const factsIn =
  (facts: ReadonlyMap<string, TokenFacts>): FindTokenFacts =>
  (token, owner) =>
    facts.get(factsKey(token, owner))
export const factsKey = (token: string, owner?: string): string => `${token} ${owner ?? ''}`.toLowerCase()

/**
 * What the user may choose for each allowance. One whose token doesn't say how it is counted stays as it is.
 * @param asked as the requester asks for them
 * @param now the same, as they will be signed
 * @param seconds since 1970, for ends that are sooner than the one that is asked for
 */
export function toEditable(
  asked: readonly GivenAllowance[],
  now: readonly GivenAllowance[],
  findFacts: FindTokenFacts | undefined,
  seconds: bigint,
): readonly EditableAllowance[] {
  if (!findFacts || asked.length !== now.length) return []
  return asked.slice(0, MAX_EDITABLE).flatMap((first, at): readonly EditableAllowance[] => {
    const current = now[at]
    const facts = findFacts(first.token, first.owner)
    if (!current || facts?.symbol === undefined || facts.decimals === undefined) return []
    const { symbol, decimals, balance } = facts
    const { isUnlimited, expires } = first
    // A request that names no amount needs no more than there is.
    const isEnough = balance !== undefined && balance > 0n && balance <= first.amount
    const once = !isUnlimited ? first.amount : isEnough ? balance : undefined
    const sooner =
      expires === undefined ? [] : ends.map((more) => seconds + more).filter((end) => end < expires)
    return [
      {
        at,
        token: first.token,
        spender: first.spender,
        asked: first.amount,
        amount: current.amount,
        isMaximum: isUnlimited,
        ...(once !== undefined && { once }),
        asset: { symbol, decimals },
        ...(expires !== undefined &&
          current.expires !== undefined &&
          sooner.length > 0 && { end: { asked: expires, now: current.expires, sooner } }),
      },
    ]
  })
}

/** Seconds after which an allowance may end, where it would end later. */
const HOUR = 3_600n
const ends = [HOUR, 24n * HOUR]

/** An approval or a transfer with what its token's figures say of it. */
export function withFacts(
  call: TokenAction,
  findFacts: FindTokenFacts | undefined,
  owner?: string,
): { call: TokenAction; asset?: Asset } {
  const isApproval = call.action === 'approve'
  const isRead = (isApproval || call.action === 'transfer') && call.contract !== undefined
  const facts = isRead ? findFacts?.(call.contract, owner) : undefined
  if (!facts) return { call }
  const { symbol, decimals, balance, supply } = facts
  const figures = balance === undefined ? undefined : { balance, supply }
  const judged = isApproval ? withReach(call, figures) : call
  if (symbol === undefined || decimals === undefined) return { call: judged }
  const { amountOrToken, ...named } = judged
  // A contract that counts its tokens has no numbered ones.
  const amount = judged.amount ?? amountOrToken
  return { call: { ...named, ...(amount !== undefined && { amount }) }, asset: { symbol, decimals } }
}

/** The edit of a screen's answer, if it lowers something that was asked for; `undefined` for anything else. */
export function readEdit(edited: unknown, asked: readonly GivenAllowance[]): AllowanceEdit | undefined {
  const edit = (edited as { readonly allowance?: Partial<AllowanceEdit> } | undefined)?.allowance
  if (typeof edit !== 'object' || edit === null || !Number.isInteger(edit.at)) return undefined
  const { at = -1, amount, expires } = edit
  if ([amount, expires].some((value) => value !== undefined && typeof value !== 'bigint')) return undefined
  const read = { at, ...(amount !== undefined && { amount }), ...(expires !== undefined && { expires }) }
  return isWithin(asked[at], read) ? read : undefined
}
