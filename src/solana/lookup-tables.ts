import { getAddressDecoder } from '@solana/kit'
import { type DecodedMessage, resolveLookups } from './message.ts'
import { type AccountState, getAccounts, type QueryOptions } from './queries.ts'
import type { SolanaRpc } from './rpc.ts'

const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111'
/** What stands before the addresses. */
const HEADER_SIZE = 56
const ADDRESS_SIZE = 32

/** The addresses in a lookup table; `undefined` if the account is none. */
export function readLookupTable(account: AccountState | undefined): readonly string[] | undefined {
  if (account?.owner !== LOOKUP_TABLE_PROGRAM) return undefined
  const { data } = account
  const [kind] = data
  if (kind !== 1 || data.length < HEADER_SIZE || (data.length - HEADER_SIZE) % ADDRESS_SIZE !== 0)
    return undefined
  const decoder = getAddressDecoder()
  return Array.from({ length: (data.length - HEADER_SIZE) / ADDRESS_SIZE }, (_, at) =>
    decoder.decode(data, HEADER_SIZE + at * ADDRESS_SIZE),
  )
}

/**
 * Resolves the accounts that a message takes from lookup tables. Those of a table that the node doesn't have stay
 * unresolved, and nobody should call them anything else than unknown.
 */
export async function fetchLookups(
  rpc: SolanaRpc,
  message: DecodedMessage,
  options: QueryOptions = {},
): Promise<DecodedMessage> {
  if (message.lookups.length === 0) return message
  const { accounts } = await getAccounts(
    rpc,
    message.lookups.map(({ table }) => table),
    options,
  )
  const tables = new Map<string, readonly string[]>()
  for (const [table, account] of accounts) {
    const addresses = readLookupTable(account)
    if (addresses) tables.set(table, addresses)
  }
  return resolveLookups(message, tables)
}
