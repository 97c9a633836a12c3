/** What the vault asks the server about transactions. docs/protocol.md. */

import type { Plain, PlainObject } from '../../lib/plain.ts'
import type { VaultContext } from '../context.ts'
import type { Token } from '../token.ts'

/** Lets the server's own chain nodes fill in what a transaction lacks, so that the vault asks no third party. */
export async function populateTransaction(
  cx: VaultContext,
  token: Token,
  address: string,
  transaction: PlainObject,
): Promise<Plain | undefined> {
  return (await cx.api(token, '/embedded_wallets/transactions/populate', { address, transaction }))
    .transaction
}
