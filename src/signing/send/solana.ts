/** Sending on Solana: reading and checking a recipient, the maximum, and the review of the transaction. */

import type { Prices } from '../../prices/prices.ts'
import { LAMPORT_DECIMALS, SOL, type SolanaCluster } from '../../solana/clusters.ts'
import { parseSolanaRecipient } from '../../solana/recipient.ts'
import type { SolanaRpc } from '../../solana/rpc.ts'
import type { SplAsset } from '../../solana/token-metadata.ts'
import type { SolanaTransfer } from '../../solana/transfer.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { createSolanaAdapter, type SolanaRoom } from '../solana/adapter.ts'
import { sendTransaction } from '../transaction/flow.ts'
import type { TransactionFunding } from '../transaction/funding.ts'
import type { ActivityService } from '../transaction/outcome.ts'
import type { OnBroadcast, SendAsset, SendChain } from './asset.ts'
import { type ExternalSigner, isExternal, sendExternally } from './external.ts'

export interface SolanaSend {
  readonly asset: SendAsset
  /** The token, as its mint describes it; `undefined` for SOL. */
  readonly spl?: SplAsset | undefined
  readonly cluster: SolanaCluster
  readonly rpc: SolanaRpc
  readonly room: SolanaRoom
  readonly clock: WalletFlow['clock']
  /** The host page's. */
  readonly origin: string
  /** For a review in the page; the vault prices by itself. */
  readonly prices?: Prices | undefined
  /** The wallet that sends: an embedded one, whose transactions are reviewed here, or an external one, which reviews them itself. */
  readonly signer: EmbeddedAccount | ExternalSigner
  readonly activity: ActivityService
  readonly onBroadcast: OnBroadcast
  /** Leads to funding where the wallet has too little. */
  readonly funding?: TransactionFunding | undefined
}

export function createSolanaSend(options: SolanaSend): SendChain {
  const { asset, spl, rpc, room, clock } = options
  const wallet = asset.wallet.address
  /** Recipients whose accounts ask for a memo. */
  const withMemo = new Set<string>()
  return {
    // An external wallet shows its own review, and is funded by whoever has it.
    funding: isExternal(options.signer) ? undefined : options.funding,

    read: (text, known) => parseSolanaRecipient(text, known),

    // No text is read as a name.
    resolve: async () => ({ problem: 'names-off' }),

    async inspect(to, signal) {
      const found = await room.inspectRecipient(rpc, { to, token: spl }, { signal })
      if (found.problem === undefined && found.needsMemo) withMemo.add(to)
      return found
    },

    async maximum(to, signal) {
      if (spl) {
        const held = await room.readSplBalances(rpc, wallet, [spl.mint], { signal })
        const { amount = 0n, raw = 0n } = held.get(spl.mint) ?? {}
        return { amount, send: (cx) => send(cx, { to, amount, raw }) }
      }
      const { amount, budget } = await room.quoteMaximum({ rpc, clock }, { wallet, to }, { signal })
      return { amount, send: (cx) => send(cx, { to, amount, budget }) }
    },

    send: (cx, to, amount) => send(cx, { to, amount }),
  }

  async function send(
    cx: WalletFlow,
    { to, amount, ...exact }: Pick<SolanaTransfer, 'to' | 'amount' | 'raw' | 'budget'>,
  ) {
    const { signer, activity, onBroadcast, cluster, origin, prices } = options
    const request = await room.transferRequest({
      wallet,
      to,
      amount,
      ...exact,
      token: spl,
      needsMemo: withMemo.has(to),
    })
    if (isExternal(signer)) {
      if (signer.chainType !== 'solana') throw new TypeError('The wallet is of another chain')
      const { submit } = signer
      const coin = { symbol: SOL, decimals: LAMPORT_DECIMALS }
      return sendExternally(cx, { asset, coin, to, amount, signer, activity, onBroadcast }, () =>
        submit(request),
      )
    }
    return sendTransaction(cx, {
      adapter: createSolanaAdapter({ cluster, rpc, room, clock, origin, wallet, prices }),
      wallet: signer,
      request,
      activity,
      isRepeatable: true,
      funding: options.funding,
      onBroadcast: (outcome) => onBroadcast(outcome.then(({ entry }) => entry)),
    })
  }
}
