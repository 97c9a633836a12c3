/** What the vault's own server says a transaction would do and cost. docs/protocol.md, "Previews". */
import * as v from 'valibot'
import type { Plain } from '../../lib/plain.ts'
import { isSafeSymbol } from '../../lib/safe-text.ts'
import type { TokenFigures } from '../../solana/token-figures.ts'
import { isScale } from '../../solana/token-scale.ts'
import type { VaultContext } from '../context.ts'
import type { Token } from '../token.ts'
import { unexpectedAnswer } from './transport.ts'

const VERSION = 1

const units = v.pipe(
  v.string(),
  v.regex(/^\d{1,78}$/),
  v.transform((digits) => BigInt(digits)),
  v.check((amount) => amount < 2n ** 256n),
)
const address = v.pipe(v.string(), v.regex(/^[\dA-Za-z]{32,44}$/))
const solanaAddress = v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/))
/** An index is one byte of the message. */
const tablePlace = v.pipe(v.string(), v.regex(/^\d{1,3}$/))
export const tokenDecimals = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36))
/** Without spaces, marks, invisible characters and markup. */
export const tokenSymbol = v.pipe(v.string(), v.regex(/^[^\p{C}\p{M}\p{Z}<>]{1,11}$/u))
/** One that can be taken for another token's is none: amounts are shown all the same, with the token's address. */
const ownSymbol = v.pipe(
  v.optional(tokenSymbol),
  v.transform((symbol) => (symbol !== undefined && isSafeSymbol(symbol) ? symbol : undefined)),
)
const words = v.pipe(v.string(), v.maxLength(300))
/** Without a scale nobody knows how people see its amounts; a fee that this version can't read says nothing. */
const token = v.pipe(
  v.object({
    symbol: ownSymbol,
    decimals: tokenDecimals,
    scale: v.fallback(v.optional(v.pipe(v.number(), v.check(isScale))), undefined),
    transfer_fee: v.fallback(
      v.optional(
        v.object({
          basis_points: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000)),
          maximum: units,
        }),
      ),
      undefined,
    ),
  }),
  v.transform(({ scale, transfer_fee: fee, ...more }): TokenFigures & { readonly decimals: number } => ({
    ...more,
    rules: {
      scale,
      ...(fee && { transferFee: { basisPoints: fee.basis_points, maximum: fee.maximum } }),
    },
  })),
)
const listOf = <T extends v.GenericSchema>(item: T) => v.pipe(v.array(item), v.maxLength(1_000))
const reason = v.object({ kind: v.pipe(v.string(), v.maxLength(64)), message: v.optional(words) })

const change = v.object({
  kind: v.pipe(v.string(), v.maxLength(32)),
  token: v.optional(address),
  id: v.optional(units),
  amount: units,
})
const allowance = v.pipe(
  v.object({
    kind: v.pipe(v.string(), v.maxLength(32)),
    token: v.optional(address),
    account: v.optional(address),
    spender: address,
    amount: v.optional(units),
    id: v.optional(units),
    // Somebody controls it all the same, for however long.
    until: v.fallback(v.optional(units), undefined),
    is_unlimited: v.boolean(),
  }),
  v.transform(({ is_unlimited: isUnlimited, ...more }) => ({ ...more, isUnlimited })),
)
/** An allowance that somebody has already. */
const standing = v.pipe(
  v.object({ token: address, amount: v.nullable(units), is_unlimited: v.boolean() }),
  v.transform(({ token, amount, is_unlimited: isUnlimited }) => ({
    token,
    ...(amount !== null && { amount }),
    isUnlimited,
  })),
)
const simulation = v.variant('outcome', [
  v.object({ outcome: v.literal('unavailable') }),
  v.pipe(
    v.object({
      outcome: v.literal('simulated'),
      status: v.picklist(['success', 'failed']),
      reason: v.optional(reason),
      out: v.optional(listOf(change), []),
      in: v.optional(listOf(change), []),
      allowances: v.optional(listOf(allowance), []),
      is_complete: v.optional(v.boolean(), true),
    }),
    v.transform(({ is_complete: isComplete, ...more }) => ({ ...more, isComplete })),
  ),
])
/** Fees per gas, or on Solana a whole priority fee. */
const fees = v.union([
  v.pipe(
    v.object({ gas_price: units }),
    v.transform(({ gas_price: gasPrice }) => ({ gasPrice })),
  ),
  v.pipe(
    v.object({ max_fee_per_gas: units, max_priority_fee_per_gas: units }),
    v.transform(({ max_fee_per_gas: maxFeePerGas, max_priority_fee_per_gas: maxPriorityFeePerGas }) => ({
      maxFeePerGas,
      maxPriorityFeePerGas,
    })),
  ),
  v.pipe(
    v.object({ priority_fee: units }),
    v.transform(({ priority_fee: priority }) => ({ priority })),
  ),
])
const prepared = v.pipe(
  v.object({
    fee: units,
    layer_one_fee: v.optional(units),
    rent: v.optional(units),
    deposits: v.fallback(v.optional(units), undefined),
    missing: v.optional(units, '0'),
    is_underfunded: v.boolean(),
    nonce: v.fallback(v.optional(units), undefined),
    reason: v.optional(reason),
    levels: v.fallback(v.optional(v.object({ slow: fees, usual: fees, fast: fees })), undefined),
    unit_limit: v.fallback(v.optional(units), undefined),
    token_shortage: v.fallback(v.optional(v.object({ token: address, missing: units })), undefined),
  }),
  v.transform(
    ({
      layer_one_fee: layerOneFee,
      is_underfunded: isUnderfunded,
      unit_limit: unitLimit,
      token_shortage: tokenShortage,
      ...more
    }) => ({ ...more, layerOneFee, isUnderfunded, unitLimit, tokenShortage }),
  ),
)
const seconds = v.pipe(v.number(), v.safeInteger())
const price = v.object({
  usd: v.pipe(
    v.number(),
    v.check((usd) => usd >= 1e-15 && usd < 1e15),
  ),
  at: seconds,
})
/** Fields that a newer server adds are left out. */
const fields = v.object({
  version: v.literal(VERSION),
  chain: v.string(),
  prepared: v.optional(prepared),
  simulation: v.optional(simulation),
  tokens: v.pipe(
    v.record(address, token),
    v.check((tokens) => Object.keys(tokens).length <= 100),
  ),
  /** Accounts of lookup tables, by table and by place in it. */
  lookups: v.fallback(v.optional(v.record(solanaAddress, v.record(tablePlace, solanaAddress)), {}), {}),
  balance: v.optional(units),
  /** The contract whose code the wallet has; `null`: none. */
  wallet_code: v.fallback(v.optional(v.nullable(v.pipe(v.string(), v.regex(/^0x[\da-f]{40}$/i)))), undefined),
  paymaster_allowances: v.fallback(v.optional(listOf(standing)), undefined),
  // Nobody does without a preview because of a price.
  prices: v.fallback(
    v.optional(v.object({ coin: v.optional(price), tokens: v.optional(v.record(address, price), {}) })),
    undefined,
  ),
  at: v.fallback(v.optional(seconds), undefined),
  /** On Solana the slot of the trial run. */
  block_number: v.fallback(v.optional(units), undefined),
  disputed: v.optional(listOf(v.pipe(v.string(), v.maxLength(32))), []),
  /** How many nodes have said all of it. */
  nodes: v.fallback(v.optional(v.pipe(v.number(), v.safeInteger())), undefined),
})
const answer = v.pipe(
  fields,
  v.transform(({ wallet_code: walletCode, block_number: block, paymaster_allowances: mayTake, ...more }) => ({
    ...more,
    walletCode,
    /** Allowances of an operation's paymaster. */
    ...(mayTake && { mayTake }),
    ...(block !== undefined && { block }),
  })),
)
export type ServerPreview = Readonly<v.InferOutput<typeof answer>>

/**
 * Fetches the preview of a transaction from the server's own chain nodes. Throws a `VaultError`, also for an answer of another version.
 * @param options.chain CAIP-2
 * @param options.request `{ transaction }` on Ethereum, `{ message }` in base64 on Solana
 */
export async function fetchPreview(
  cx: VaultContext,
  token: Token,
  {
    address: wallet,
    chain,
    request,
  }: { address: string; chain: string; request: Readonly<Record<string, Plain>> },
): Promise<ServerPreview> {
  const body = { version: VERSION, address: wallet, chain, request }
  const found = v.safeParse(answer, await cx.api(token, '/embedded_wallets/preview', body))
  if (!found.success || found.output.chain !== chain) throw unexpectedAnswer()
  return found.output
}
