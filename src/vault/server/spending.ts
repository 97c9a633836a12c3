/** What the vault asks the server about amounts. docs/protocol.md. */

import { parseInteger } from '../../ethereum/integer.ts'
import type { TokenFigures } from '../../ethereum/token-action.ts'
import type { VaultContext } from '../context.ts'
import type { Token } from '../token.ts'
import { unexpectedAnswer } from './transport.ts'

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

/** Fetches a wallet's balance of a token, and its supply, from the server's own chain nodes. Throws a `VaultError`. */
export async function fetchTokenFigures(
  cx: VaultContext,
  token: Token,
  address: string,
  { chainId, contract }: { chainId: number; contract: string },
): Promise<TokenFigures> {
  const body = { address, chain_id: chainId, token: contract }
  const answer = await cx.api(token, '/embedded_wallets/tokens/figures', body)
  const [balance, supply] = [parseInteger(answer.balance), parseInteger(answer.supply)]
  if (balance === undefined) throw unexpectedAnswer()
  return { balance, supply }
}
