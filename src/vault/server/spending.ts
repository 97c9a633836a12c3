/** What the vault asks the server about amounts. docs/protocol.md. */

import * as v from 'valibot'
import { parseInteger } from '../../ethereum/integer.ts'
import type { TokenFigures } from '../../ethereum/token-action.ts'
import type { VaultContext } from '../context.ts'
import type { Token } from '../token.ts'
import { tokenDecimals, tokenSymbol } from './preview.ts'
import { unexpectedAnswer } from './transport.ts'

const metadata = v.object({ symbol: tokenSymbol, decimals: tokenDecimals })

/** A transfer and nothing else, with all that it can cost. */
export interface PlainTransfer {
  /** CAIP-2. */
  readonly chain: string
  /** The contract of an ERC-20 token; without it, the chain's own coin. */
  readonly asset?: string | undefined
  readonly amount: bigint
  /** The most that the network may take, in the chain's own coin. */
  readonly fee: bigint
  /** The message to sign. */
  readonly signed: Uint8Array<ArrayBuffer>
}

/**
 * Whether the app lets the frame approve a transfer: the server counts what was approved before.
 * @param reserve counts this one as well
 */
export async function isWithinFrameSpending(
  cx: VaultContext,
  token: Token,
  address: string,
  { chain, asset, amount, fee, signed }: PlainTransfer,
  reserve: boolean,
): Promise<boolean> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', signed))
  const answer = await cx.api(token, '/embedded_wallets/spending', {
    address,
    chain,
    ...(asset !== undefined && { asset }),
    amount: String(amount),
    fee: String(fee),
    transaction: Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join(''),
    reserve,
  })
  return answer.allowed === true
}

/** Figures of a token, and how it is counted, where its contract says that in a way that can be displayed. */
export interface ServerTokenFigures extends TokenFigures {
  readonly symbol?: string | undefined
  readonly decimals?: number | undefined
}

/**
 * Fetches a wallet's balance of a token, its supply, symbol and decimals, from the server's own chain nodes. Throws a `VaultError`.
 * @param options.owner the contract whose balance it is in place of the wallet's
 */
export async function fetchTokenFigures(
  cx: VaultContext,
  token: Token,
  address: string,
  { chainId, contract, owner }: { chainId: number; contract: string; owner?: string | undefined },
): Promise<ServerTokenFigures> {
  const body = { address, chain_id: chainId, token: contract, ...(owner !== undefined && { owner }) }
  const answer = await cx.api(token, '/embedded_wallets/tokens/figures', body)
  const [balance, supply] = [parseInteger(answer.balance), parseInteger(answer.supply)]
  if (balance === undefined) throw unexpectedAnswer()
  const counted = v.safeParse(metadata, answer)
  return { balance, supply, ...(counted.success && counted.output) }
}
