import { type ActivityStore, createActivityStore } from '../../activity/activity.ts'
import type { ActivityEntry } from '../../activity/entry.ts'
import { createTracker, type Tracker } from '../../activity/tracker.ts'
import { createWatchedTokens, type WatchedToken, type WatchedTokens } from '../../balances/watched.ts'
import { lazily } from '../../errors/lazily.ts'
import { rpcUrlOf } from '../../ethereum/chains.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { paymentsKey } from '../../funding/payments-key.ts'
import type { Clock } from '../../lib/clock.ts'
import { createStore, type Readable } from '../../lib/store.ts'
import { createPrices, createReviewPrices, type Prices } from '../../prices/prices.ts'
import { selectDescriptors } from '../../protocol/descriptors.ts'
import type { CallBatches } from '../../signing/calls/batches.ts'
import type { WordOptions } from '../../signing/page-knowledge.ts'
import { createRequestQueue, type RequestQueue } from '../../signing/request-queue.ts'
import type { FundingOffer, TransactionFunding } from '../../signing/transaction/funding.ts'
import type { ActivityService } from '../../signing/transaction/outcome.ts'
import { solanaClusters } from '../../solana/clusters.ts'
import type { SolanaRpc } from '../../solana/rpc.ts'
import { walletsLimits } from '../../wallets/limits.ts'
import type { Payments } from '../../x402/payments.ts'
import type { KitApp } from '../app.ts'
import type { KitContext } from '../context.ts'
import { serviceFeatures } from '../services/features.ts'
import { createFollow, type SolanaChain } from './follow.ts'
import type { SmartAccounts } from './smart-accounts.ts'
import { createSubmit } from './submit.ts'
import { createUserBatches, type UserBatches } from './user-batches.ts'
import { createUserPayments, type UserPayments } from './user-payments.ts'

/** What all requests of a page share, whether the host makes them or one of its libraries. */
export interface Sending {
  /** One dialog at a time. */
  readonly queue: RequestQueue
  /** The node of an Ethereum chain that the app has. */
  nodeOf(chainId: number): ChainNode | undefined
  /** A cluster of Solana by its CAIP-2 name; `undefined` for one that the app doesn't have. */
  solana(chain: string): Promise<SolanaChain | undefined>
  readonly activity: ActivityService
  /** The user's smart accounts; loaded with the first use of one. */
  smartAccounts(): Promise<SmartAccounts>
  /** Batches of calls that the user has approved; loaded once there are any. */
  batches(): Promise<CallBatches>
  /** Payments for requests; loaded once there are any. */
  payments(): Promise<Payments>
  /** The same if this browser has any. */
  storedBatches(): Promise<CallBatches | undefined>
  /** Tokens that the user has added to those of the app; none without a user. */
  readonly watched: { readonly tokens: Readable<readonly WatchedToken[]> } & Pick<WatchedTokens, 'add'>
  /** Prices of coins and tokens, from the app's server. */
  readonly prices: Prices
  /** Sources of a review in the page, beside a node; `undefined` where the vault reviews by itself. */
  review(): { readonly clock: Clock; readonly prices: Prices; readonly words: WordOptions } | undefined
  /** Funding for a transaction of a wallet on a network, CAIP-2; `undefined` in an app without it. */
  funding(place: { readonly address: string; readonly chain: string }): TransactionFunding | undefined
  /** Stops following the user's transactions; those of the next user are followed from then on. */
  close(): void
}

export interface SendingContext
  extends Pick<
    KitContext,
    'appId' | 'storage' | 'fetch' | 'clock' | 'page' | 'activity' | 'services' | 'runs' | 'events'
  > {
  readonly app: Pick<KitApp, 'state' | 'known'>
  /** Loads the app's offer to fund a wallet. */
  readonly offerFunding?: (place: {
    readonly address: string
    readonly chain: string
  }) => Promise<FundingOffer | undefined>
}

/** Publishes the transactions of the user who is logged in, and follows them. */
export function createSending(cx: SendingContext): Sending {
  const { app, appId, storage, fetch, clock } = cx
  const prices = createPrices({ clock, http: async () => (await cx.services()).http() })
  const select: WordOptions['select'] = async (selection, options) =>
    selectDescriptors((await cx.services()).http(), selection, options)
  const nodes = new Map<string, ChainNode>()

  function nodeOf(chainId: number): ChainNode | undefined {
    const url = rpcUrlOf(app.known(), chainId)
    return url ? nodeAt(url) : undefined
  }
  function nodeAt(url: string): ChainNode {
    const node = nodes.get(url) ?? {
      // The library is loaded with the first request.
      ask: async (...request: Parameters<ChainNode['ask']>) => (await loadNode(url)).ask(...request),
    }
    nodes.set(url, node)
    return node
  }
  const loaded = new Map<string, Promise<ChainNode>>()
  function loadNode(url: string): Promise<ChainNode> {
    const node =
      loaded.get(url) ??
      serviceFeatures.ethereumNodes().then(({ createNode }) => createNode({ url, fetch, clock }))
    loaded.set(url, node)
    node.catch(() => loaded.delete(url))
    return node
  }

  const rpcs = new Map<string, SolanaRpc>()
  async function solana(chain: string): Promise<SolanaChain | undefined> {
    const same = solanaClusters(app.known()).filter((each) => each.chain === chain)
    const [cluster] = same
    if (!cluster) return undefined
    const room = await serviceFeatures.solana()
    const urls = same.map(({ rpcUrl }) => rpcUrl)
    const key = urls.join(' ')
    const rpc = rpcs.get(key) ?? room.createSolanaRpc({ urls, fetch, clock })
    rpcs.set(key, rpc)
    return { cluster, rpc, room }
  }

  const smartAccounts = lazily(async () =>
    (await serviceFeatures.smartAccounts()).createSmartAccounts({
      ...cx,
      user: () => app.state.get().user,
      nodeAt,
    }),
  )
  const bundler = async (chainId: number) => (await smartAccounts()).bundler(chainId)

  const follow = createFollow({ clock, nodeOf, solana, bundler })
  const activity: ActivityService = {
    add(entry: ActivityEntry) {
      mustBeOpen().store.add(entry)
      mustBeOpen().tracker.start()
    },
    remove: (id) => current?.store.remove(id),
    resume(id) {
      mustBeOpen().store.update(id, { status: 'pending' })
      mustBeOpen().tracker.start()
    },
    entries: cx.activity,
    settled: (id, signal) => mustBeOpen().tracker.settled(id, signal),
  }
  const watched = createStore<readonly WatchedToken[]>([])
  let current:
    | {
        user: string
        store: ActivityStore
        tracker: Tracker
        batches: UserBatches
        payments: UserPayments
        watched: WatchedTokens
        stop(): void
      }
    | undefined

  function open(user: string): NonNullable<typeof current> {
    const store = createActivityStore(storage, `lk:${appId}:activity:${user}`)
    const tracker = createTracker(store, follow)
    const share = () => cx.activity.set(store.entries.get())
    const batches = createUserBatches({
      ...cx,
      key: `lk:${appId}:calls:${user}`,
      activity,
      submit: createSubmit({ nodeOf, solana, bundler }),
    })
    const payments = createUserPayments({ ...cx, key: `lk:${appId}:x402:${user}`, activity, nodeOf })
    const mine = createWatchedTokens(storage, `lk:${appId}:tokens:${user}`)
    const shareTokens = () => watched.set(mine.tokens.get())
    shareTokens()
    const stops = [
      mine.tokens.subscribe(shareTokens),
      store.entries.subscribe(share),
      watchTabs(store, tracker),
      batches.stop,
      payments.stop,
    ]
    share()
    tracker.start()
    return {
      user,
      store,
      tracker,
      batches,
      payments,
      watched: mine,
      stop() {
        tracker.stop()
        for (const each of stops) each()
        cx.activity.set([])
        watched.set([])
      },
    }
  }

  /** Another tab may send, or see the receipt first; what it sent is followed here as well, because it may be closed. */
  function watchTabs(store: ActivityStore, tracker: Tracker): () => void {
    const { window } = cx.page
    if (!('addEventListener' in window)) return () => {}
    const onStorage = (event: Event) => {
      const { key } = event as StorageEvent
      if (key !== null && !key.startsWith(`lk:${appId}:activity:`)) return
      store.reload()
      tracker.start()
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }

  function update(): void {
    const user = app.state.get().user?.id
    if (user === current?.user) return
    const left = current
    left?.stop()
    // After a logout nothing of the user stays in this browser.
    left?.store.clear()
    if (left) storage.remove(paymentsKey(appId, left.user))
    left?.batches.clear()
    left?.payments.clear()
    left?.watched.clear()
    current = user === undefined ? undefined : open(user)
    current?.batches.resume()
    current?.payments.resume()
  }
  const unsubscribe = app.state.subscribe(update)
  update()

  function mustBeOpen(): NonNullable<typeof current> {
    if (!current) throw new DOMException('The user has logged out', 'AbortError')
    return current
  }

  // Everything else, such as which wallet has most, goes by all prices.
  const reviewPrices = createReviewPrices(
    prices,
    () => app.known().host.appearance?.nativeTokenPrices ?? true,
  )

  return {
    queue: createRequestQueue(cx.runs.isBusy, walletsLimits.walletRequestsWaiting),
    nodeOf,
    solana,
    smartAccounts,
    watched: { tokens: watched, add: (token) => mustBeOpen().watched.add(token) },
    prices,
    review: () =>
      app.known().vault === 'strict'
        ? undefined
        : { clock, prices: reviewPrices, words: { select, own: app.known().host.descriptors } },
    funding(place) {
      const { offerFunding } = cx
      return app.known().app.funding && offerFunding ? { load: () => offerFunding(place) } : undefined
    },
    activity,
    batches: async () => mustBeOpen().batches.get(),
    payments: async () => mustBeOpen().payments.get(),
    storedBatches: async () => mustBeOpen().batches.stored(),
    close() {
      unsubscribe()
      current?.stop()
      current = undefined
    },
  }
}
