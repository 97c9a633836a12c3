import { rpcUrlOf } from '../../ethereum/chains.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import type { Clock } from '../../lib/clock.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import type { Page } from '../../lib/page.ts'
import type { Fetch } from '../../lib/retrying-fetch.ts'
import { mustBeForPage, readableText } from '../../lib/sign-in-text.ts'
import type { Readable } from '../../lib/store.ts'
import { createRequestQueue } from '../../signing/request-queue.ts'
import type { EthereumRequestHandler } from '../../wallets/embedded/provider/ethereum.ts'
import type { SolanaRequestHandler } from '../../wallets/embedded/provider/solana.ts'
import { disconnectedError } from '../../wallets/external/provider-error.ts'
import { walletsLimits } from '../../wallets/limits.ts'
import type { KitApp } from '../app.ts'
import type { KitContext } from '../context.ts'
import { serviceFeatures } from '../services/features.ts'

/** Handles what the page's libraries ask of embedded wallets, one request at a time. */
export interface RequestHandlers {
  readonly ethereum: EthereumRequestHandler
  readonly solana: SolanaRequestHandler
  /** The node of a chain that the app has. */
  nodeOf(chainId: number): ChainNode | undefined
  /** Refuses the requests that are shown or wait, because the person has logged out. */
  refuseAll(): void
}

type Signing = typeof import('../host/signing.ts')

export function createRequestHandlers(cx: {
  readonly kit: KitContext
  readonly app: Pick<KitApp, 'state' | 'known' | 'whenReady'>
  readonly clock: Clock
  readonly page: Page
  readonly fetch: Fetch
  /** Loads what shows and signs a request. */
  readonly signing: () => Promise<Signing>
}): RequestHandlers {
  const { kit, app, page, fetch, clock } = cx
  const isDialogOpen: Readable<boolean> = {
    get: () => app.state.get().isModalOpen,
    subscribe: app.state.subscribe,
  }
  const queue = createRequestQueue(isDialogOpen, walletsLimits.walletRequestsWaiting)
  const nodes = new Map<string, ChainNode>()
  let login = new AbortController()

  function nodeAt(url: string): ChainNode {
    const node =
      nodes.get(url) ??
      lazyNode(async () => (await serviceFeatures.ethereumNodes()).createNode({ url, fetch, clock }))
    nodes.set(url, node)
    return node
  }

  /** Waits for a request's turn. */
  function enqueue<T>(work: (signing: Signing, signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = login
    return queue.run(async () => {
      const signing = await cx.signing()
      await app.whenReady()
      return work(signing, signal)
    }, signal)
  }

  const ethereum: EthereumRequestHandler = {
    async signMessage(wallet, bytes) {
      mustBeForPage(readableText(bytes), page.origin)
      return enqueue((signing, signal) =>
        signing.runSigning(kit, { signal, events: signing.messageEvents }, (now) =>
          signing.signMessage(now, { wallet, message: bytes }),
        ),
      )
    },
    signTypedData: (wallet, request) =>
      enqueue((signing, signal) =>
        signing.runSigning(kit, { signal, events: signing.typedDataEvents }, (now) =>
          signing.signTypedData(now, { wallet, ...request }),
        ),
      ),
    transact: (wallet, transaction) =>
      enqueue((signing, signal) =>
        signing.runSending<string>(kit, { signal }, (now, onBroadcast) =>
          signing.transact(now, { wallet, ...transaction, onBroadcast }),
        ),
      ),
  }

  const solana: SolanaRequestHandler = {
    async signMessage(wallet, bytes) {
      mustBeForPage(readableText(bytes), page.origin)
      const { isTransactionMessage } = await serviceFeatures.solanaTransactions()
      // Signed as a message it would be a transaction that nobody has seen.
      if (isTransactionMessage(bytes)) throw new InvalidRequest('The message is a transaction')
      return enqueue((signing, signal) =>
        signing.runSigning(kit, { signal, events: signing.messageEvents }, (now) =>
          signing.signSolanaMessage(now, { wallet, message: bytes }),
        ),
      )
    },

    async transact(wallet, { bytes, cluster, send }) {
      const [{ parseSolanaTransaction, signatureText }, { broadcastSolana }, { createSolanaNode }] =
        await Promise.all([
          serviceFeatures.solanaTransactions(),
          serviceFeatures.solanaBroadcast(),
          serviceFeatures.solanaNodes(),
        ])
      const transaction = parseSolanaTransaction(bytes, wallet.address)
      const node = createSolanaNode({ url: cluster.rpcUrl, fetch, clock })
      const broadcast =
        send &&
        ((signed: { bytes: Uint8Array; name: Uint8Array | undefined }) => {
          if (!signed.name) throw new InvalidRequest('The transaction is not signed by its fee payer')
          return broadcastSolana({ node, clock }, { ...signed, name: signatureText(signed.name) }, send)
        })
      return enqueue((signing, signal) =>
        signing.runSending<{ bytes: Uint8Array; name: Uint8Array | undefined }>(
          kit,
          { signal },
          (now, onBroadcast) =>
            signing.transactSolana(now, { wallet, transaction, cluster, broadcast, onBroadcast }),
        ),
      )
    },
  }

  return {
    ethereum,
    solana,
    nodeOf(chainId) {
      const url = rpcUrlOf(app.known(), chainId)
      return url ? nodeAt(url) : undefined
    },
    refuseAll() {
      login.abort(disconnectedError())
      login = new AbortController()
    },
  }
}

/** A node whose library is loaded with the first request. */
function lazyNode(load: () => Promise<ChainNode>): ChainNode {
  return { ask: async (...request) => (await load()).ask(...request) }
}
