/** Batches of calls, as a host and the page's libraries get them. */
import { base64 } from '@scure/base'
import { KitError } from '../../errors/kit-error.ts'
import { formatQuantity } from '../../ethereum/integer.ts'
import { parseOperationReceipt } from '../../ethereum/operation-receipt.ts'
import { parseReceipt } from '../../ethereum/receipt.ts'
import {
  type BatchTransaction,
  type CallBatch,
  type CallReceipt,
  hashOf,
  includedOf,
  statusOf,
} from '../../signing/calls/batch.ts'
import { toCallReceipt } from '../../signing/calls/batches.ts'
import type { SolanaReceipt } from '../../solana/receipt.ts'
import { CALLS_VERSION } from '../../wallets/embedded/provider/calls.ts'
import { chainDisconnectedError, ProviderRpcError } from '../../wallets/external/provider-error.ts'
import type { CallsReceipt, CallsStatus } from '../api.ts'
import type { Sending } from './sending.ts'

/** The status of a batch as `wallet_getCallsStatus` gives it. */
export async function providerStatusOf(sending: Sending, batch: CallBatch): Promise<object> {
  const receipts = await receiptsOf(sending, batch)
  return {
    version: CALLS_VERSION,
    id: batch.id,
    chainId: formatQuantity(Number(batch.chain.split(':')[1])),
    status: statusOf(batch),
    atomic: batch.isAtomic,
    ...(receipts.length > 0 && { receipts }),
  }
}

/**
 * The same for a host, on either kind of chain.
 * @throws KitError `network_unavailable` where a receipt has to be read and no node answers
 */
export async function hostStatusOf(sending: Sending, batch: CallBatch): Promise<CallsStatus> {
  const { id, chain, isAtomic: atomic } = batch
  const status = statusOf(batch)
  try {
    const receipts = chain.startsWith('eip155:')
      ? (await receiptsOf(sending, batch)).map(toHostReceipt)
      : await solanaReceiptsOf(sending, batch)
    return { id, status, chain, atomic, receipts }
  } catch (cause) {
    throw new KitError('network_unavailable', 'Disconnected', {
      cause,
      retryable: true,
      data: { id, status },
    })
  }
}

/** Receipts of what the network has included. Those that are not stored are read from it. */
const receiptsOf = (sending: Sending, batch: CallBatch): Promise<readonly CallReceipt[]> =>
  Promise.all(
    includedOf(batch).map(
      (transaction) => transaction.receipt ?? readReceipt(sending, batch.chain, transaction),
    ),
  )

async function readReceipt(
  { nodeOf }: Sending,
  chain: string,
  transaction: BatchTransaction,
): Promise<CallReceipt> {
  const node = nodeOf(Number(chain.split(':')[1]))
  if (!node) throw chainDisconnectedError()
  const hash = hashOf(transaction)
  if (hash === undefined) throw chainDisconnectedError()
  const answer = await node.ask('eth_getTransactionReceipt', [hash])
  const { hash: operation, wallet, operation: details } = transaction.entry
  const receipt = details
    ? parseOperationReceipt(answer, { hash: operation, sender: wallet, entryPoint: details.entryPoint })
    : parseReceipt(answer, { hashes: [hash], from: wallet })
  const read = receipt && toCallReceipt(receipt)
  if (!read) throw new ProviderRpcError(LIMIT_EXCEEDED, 'The receipt has too many logs')
  return read
}

/** EIP-1474. */
const LIMIT_EXCEEDED = -32_005

function toHostReceipt({ status, blockNumber, gasUsed, ...receipt }: CallReceipt): CallsReceipt {
  return {
    ...receipt,
    status: status === '0x1' ? 'success' : 'reverted',
    blockNumber: BigInt(blockNumber),
    gasUsed: BigInt(gasUsed),
  }
}

async function solanaReceiptsOf({ solana }: Sending, batch: CallBatch): Promise<readonly SolanaReceipt[]> {
  const chain = await solana(batch.chain)
  if (!chain) throw chainDisconnectedError()
  const { room, rpc } = chain
  const found = await Promise.all(
    includedOf(batch).map(async ({ entry: { raw, hash, wallet } }) => {
      if (raw === undefined) return undefined
      const { message } = room.decodeTransaction(base64.decode(raw))
      return room.getReceipt(rpc, hash, { wallet, message })
    }),
  )
  return found.filter((each) => each !== undefined)
}
