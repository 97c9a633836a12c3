import type { ActivityEntry } from '../../activity/activity.ts'
import type { Clock } from '../../lib/clock.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import type { Page } from '../../lib/page.ts'
import type { Fetch } from '../../lib/retrying-fetch.ts'
import { mustBeForPage, readableText } from '../../lib/sign-in-text.ts'
import type { Signed } from '../../signing/solana/flow.ts'
import type { EthereumRequestHandler } from '../../wallets/embedded/provider/ethereum.ts'
import type { SolanaRequestHandler } from '../../wallets/embedded/provider/solana.ts'
import { disconnectedError } from '../../wallets/external/provider-error.ts'
import type { KitApp } from '../app.ts'
import type { KitContext } from '../context.ts'
import { serviceFeatures } from '../services/features.ts'
import type { Sending } from './sending.ts'

/** Handles what the page's libraries ask of embedded wallets, one request at a time. */
export interface RequestHandlers {
  readonly ethereum: EthereumRequestHandler
  readonly solana: SolanaRequestHandler
  /** Refuses the requests that are shown or wait, because the user has logged out. */
  refuseAll(): void
}

type Signing = typeof import('../host/signing.ts')

export function createRequestHandlers(cx: {
  readonly kit: KitContext
  readonly app: Pick<KitApp, 'whenReady'>
  readonly clock: Clock
  readonly page: Page
  readonly fetch: Fetch
  readonly sending: Sending
  /** Loads what reviews and signs a request. */
  readonly signing: () => Promise<Signing>
}): RequestHandlers {
  const { kit, app, page, fetch, clock, sending } = cx
  const { activity } = sending
  let login = new AbortController()

  /** Waits for a request's turn. */
  function enqueue<T>(work: (signing: Signing, signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = login
    return sending.queue.run(async () => {
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
    transact: (wallet, { action, ...transaction }) =>
      enqueue(async (signing, signal) => {
        if (action === 'sign')
          return signing.runSigning(kit, { signal }, (now) =>
            signing.signTransaction(now, { wallet, ...transaction }),
          )
        // A library gets the hash as soon as the network has the transaction, and looks for the receipt by itself.
        const sent = await signing.runSending<ActivityEntry>(kit, { signal }, (now, onBroadcast) =>
          signing.sendTransaction(now, {
            wallet,
            ...transaction,
            activity,
            onBroadcast,
            isRetryable: false,
          }),
        )
        return sent.hash
      }),
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
      const options = { wallet, transaction, cluster }
      if (!send)
        return enqueue((signing, signal) =>
          signing.runSigning(kit, { signal }, (now) => signing.signSolanaTransaction(now, options)),
        )
      const node = createSolanaNode({ url: cluster.rpcUrl, fetch, clock })
      return enqueue((signing, signal) =>
        signing.runSending<Signed>(kit, { signal }, (now, onBroadcast) =>
          signing.sendSolanaTransaction(now, {
            ...options,
            activity,
            onBroadcast,
            broadcast: ({ bytes: signed, name }) =>
              broadcastSolana({ node, clock }, { bytes: signed, name: signatureText(name) }, send),
          }),
        ),
      )
    },
  }

  return {
    ethereum,
    solana,
    refuseAll() {
      login.abort(disconnectedError())
      login = new AbortController()
    },
  }
}
