/** Sending on Ethereum's chains: reading and checking a recipient, the maximum, and the review of the transaction. */

import type { Config } from '../../app/config.ts'
import { delegatesOf } from '../../app/delegates.ts'
import { gasPriceOracleOf } from '../../ethereum/chains.ts'
import { parseRecipient } from '../../ethereum/recipient.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { readToken } from '../../ethereum/tokens.ts'
import type { WalletTransaction } from '../../ethereum/transaction.ts'
import { inspectRecipient, quoteMaximum, transferRequest } from '../../ethereum/transfer.ts'
import { Unreachable } from '../../lib/node-errors.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import { createEthereumAdapter } from '../ethereum/adapter.ts'
import type { Asset } from '../preview.ts'
import { sendTransaction } from '../transaction/flow.ts'
import type { TransactionFunding } from '../transaction/funding.ts'
import type { ActivityService } from '../transaction/outcome.ts'
import type { ReviewSources } from '../transaction/review.ts'
import type { OnBroadcast, Resolved, SendAsset, SendChain } from './asset.ts'
import { type ExternalSigner, isExternal, sendExternally } from './external.ts'

/** Asks ENS for the address of a name; loaded where an app has turned names on. */
export type ResolveName = typeof import('../../ethereum/names.ts').resolveName

export interface EthereumSend {
  readonly asset: SendAsset
  /** The chain's own coin. */
  readonly coin: Asset
  readonly chainId: number
  readonly config: Config
  readonly node: ChainNode
  /** The host page's. */
  readonly origin: string
  /** For a review in the page; the vault simulates and prices by itself. */
  readonly review?: ReviewSources | undefined
  /** The wallet that sends: an embedded one, whose transactions are reviewed here, or an external one, which reviews them itself. */
  readonly signer: EmbeddedAccount | ExternalSigner
  readonly activity: ActivityService
  readonly onBroadcast: OnBroadcast
  /** Leads to funding where the wallet has too little. */
  readonly funding?: TransactionFunding | undefined
  /** `undefined`: the app has turned names off. */
  readonly names?: { readonly node: ChainNode; readonly resolve: ResolveName } | undefined
}

export function createEthereumSend(options: EthereumSend): SendChain {
  const { asset, chainId, config, node, names } = options
  const { token, wallet } = asset
  const from = wallet.address
  return {
    // An external wallet shows its own review, and is funded by whoever has it.
    funding: isExternal(options.signer) ? undefined : options.funding,

    read: (text, { own, recent, tokens }) =>
      parseRecipient(text, { own, recent, tokens, allowsNames: names !== undefined }),

    async resolve(name, signal): Promise<Resolved> {
      if (!names) return { problem: 'names-off' }
      const found = await names.resolve(names.node, name, { chainId, signal })
      return found.kind === 'resolved' ? found : { problem: found.reason }
    },

    async inspect(to, signal) {
      const found = await inspectRecipient(node, { chainId, to, signal })
      if (found.problem !== undefined) return found
      return {
        // Contracts take a chain's own coin only if they are made for it, and a trial run says that.
        ...(found.isContract && token !== undefined && { caution: 'contract' as const }),
        rent: 0n,
        least: 0n,
        remainder: 0n,
      }
    },

    async maximum(to, signal) {
      if (token !== undefined) {
        const { balance: amount } = await readToken(node, token, { owner: from, signal })
        if (amount === undefined) throw new Unreachable("The token's contract names no balance")
        return { amount, send: (cx) => send(cx, { to, amount }) }
      }
      const gasPriceOracle = gasPriceOracleOf(config, chainId)
      const { amount, request } = await quoteMaximum(node, { chainId, from, to }, { gasPriceOracle, signal })
      return { amount, send: (cx) => send(cx, { to, amount, request }) }
    },

    send: (cx, to, amount) => send(cx, { to, amount }),
  }

  function send(
    cx: Parameters<SendChain['send']>[0],
    {
      to,
      amount,
      request = transferRequest({ chainId, from, to, amount, token }),
    }: { to: string; amount: bigint; request?: WalletTransaction },
  ) {
    const { signer, activity, onBroadcast, coin, origin, review } = options
    if (isExternal(signer)) {
      if (signer.chainType !== 'ethereum') throw new TypeError('The wallet is of another chain')
      const { submit } = signer
      return sendExternally(cx, { asset, coin, to, amount, signer, activity, onBroadcast }, () =>
        submit(request),
      )
    }
    return sendTransaction(cx, {
      adapter: createEthereumAdapter({
        chains: config,
        delegates: delegatesOf(config),
        origin,
        wallet: from,
        node,
        review,
      }),
      wallet: signer,
      request,
      activity,
      isRepeatable: true,
      funding: options.funding,
      onBroadcast: (outcome) => onBroadcast(outcome.then(({ entry }) => entry)),
    })
  }
}
