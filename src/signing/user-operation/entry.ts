/** Operations of smart accounts in the activity: stored before they are sent, and followed by that alone. */
import { formatUserOperationRequest, type UserOperation } from 'viem/account-abstraction'
import type { ActivityEntry } from '../../activity/entry.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import type { EntryPoint, SentOperation } from '../../wallets/smart/bundler.ts'
import type { PreparedOperation } from '../../wallets/smart/operation.ts'

/** @param operation what was prepared, with its signature */
export function toOperationEntry(
  { hash, chainId, blockNumber }: PreparedOperation,
  operation: UserOperation,
  { address }: EntryPoint,
): Pick<ActivityEntry, 'chain' | 'wallet' | 'hash' | 'nonce' | 'raw' | 'operation'> {
  return {
    chain: `eip155:${chainId}`,
    wallet: operation.sender,
    hash,
    nonce: String(operation.nonce),
    raw: JSON.stringify(formatUserOperationRequest(operation)),
    operation: { entryPoint: address, block: String(blockNumber) },
  }
}

/** @throws InvalidRequest for an entry that is no operation */
export function readSentOperation({ hash, wallet, nonce, operation }: ActivityEntry): SentOperation {
  if (!operation || nonce === undefined) throw new InvalidRequest('The entry is no operation')
  return {
    hash: hash as `0x${string}`,
    sender: wallet as `0x${string}`,
    nonce: BigInt(nonce),
    entryPoint: operation.entryPoint as `0x${string}`,
    blockNumber: BigInt(operation.block),
  }
}
