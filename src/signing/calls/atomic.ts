/** Calls of a wallet whose own address has code, or gets it with them (EIP-7702): one transaction of the wallet to itself for all of them. */
import { type BatchCall, encodeBatch } from '../../ethereum/execute-batch.ts'
import type { WalletTransaction } from '../../ethereum/transaction.ts'
import type { Delegate } from '../../ethereum/wallet-code.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import {
  createEthereumAdapter,
  type EthereumAdapterOptions,
  type EthereumTypes,
} from '../ethereum/adapter.ts'
import { titleOf } from '../preview.ts'
import { toPreview } from '../transaction/preview.ts'
import type { CallsAdapter } from './adapter.ts'
import { toAtomicPreview } from './preview.ts'

type Prepared = EthereumTypes['prepared']

export interface AtomicCallsOptions extends Omit<EthereumAdapterOptions, 'replaces'> {
  readonly requests: readonly EthereumTypes['request'][]
  /** The code that the wallet gets with the transaction; `undefined` where it has it already. */
  readonly upgrade?: Delegate | undefined
}

export function createAtomicCalls({
  requests,
  upgrade,
  ...options
}: AtomicCallsOptions): CallsAdapter<Prepared> {
  const { chains, origin, wallet, delegates } = options
  const [first] = requests
  if (!first) throw new InvalidRequest('There are no calls')
  const { chainId, from } = first
  const calls = requests.map(toBatchCall)
  const request: WalletTransaction = {
    chainId,
    from,
    to: from,
    value: 0n,
    data: encodeBatch(calls),
    ...(upgrade && { authorizationList: [{ address: upgrade.address, chainId: BigInt(chainId) }] }),
  }
  const adapter = createEthereumAdapter(options)
  const attempt = adapter.start(request, 'send')
  const previewsOf = (prepared?: Prepared) =>
    calls.map((call) =>
      toPreview(chains, { chainId, ...call }, { origin, wallet, delegates, ...prepared?.facts?.knowledge }),
    )
  const preview = (prepared?: Prepared) =>
    toAtomicPreview(adapter.preview(attempt, prepared), previewsOf(prepared))

  return {
    chainType: 'ethereum',
    chain: `eip155:${chainId}`,
    isAtomic: true,
    prepare: (signal) => adapter.prepare(attempt, signal),
    preview,
    encode(prepared) {
      const { content, read } = adapter.encode(attempt, prepared)
      if (content.kind !== 'evmTransaction') throw new InvalidRequest('A batch is a transaction')
      const { transaction, layerOneFee, state } = content
      const isShort = prepared !== undefined && preview(prepared).isUnderfunded
      return {
        content: {
          kind: 'evmBatch',
          transaction,
          ...(layerOneFee !== undefined && { layerOneFee }),
          ...(isShort ? { state: 'underfunded' } : state && { state }),
        },
        read,
      }
    },
    renew: (prepared, signal) => adapter.renew(attempt, prepared, signal),
    toEntries(prepared, signed) {
      const all = preview(prepared)
      const made = signed as EthereumTypes['signed']
      return [
        {
          wallet,
          hash: made.hash,
          title: 'call',
          ...(all.value > 0n && { amount: String(all.value), asset: all.coin }),
          ...adapter.toEntry(prepared, made, all),
        },
      ]
    },
    summarize: (prepared) =>
      previewsOf(prepared).map((each) => ({
        title: titleOf(each),
        ...(each.value > 0n && { amount: String(each.value), asset: each.coin }),
      })),
  }
}

function toBatchCall({ to, value, data }: WalletTransaction): BatchCall {
  if (to === undefined) throw new InvalidRequest("A batch of the wallet's code creates no contracts")
  return { to, value, data }
}
