import { hidesWalletUis } from '../../app/config.ts'
import { delegatesOf } from '../../app/delegates.ts'
import { isNamed } from '../../ethereum/chains.ts'
import type { Clock } from '../../lib/clock.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { TransactionFailedError, TransactionUnknownError } from '../../lib/node-errors.ts'
import type { Page } from '../../lib/page.ts'
import { assertSignInMatchesOrigin, readableText } from '../../lib/sign-in-text.ts'
import type { SmartWalletAccount } from '../../protocol/user.ts'
import type { EthereumTypes } from '../../signing/ethereum/adapter.ts'
import type { SolanaTypes } from '../../signing/solana/adapter.ts'
import type { Sent } from '../../signing/transaction/flow.ts'
import type { Commitment } from '../../solana/send-options.ts'
import type { EthereumRequestHandler } from '../../wallets/embedded/provider/ethereum.ts'
import type { SolanaRequestHandler } from '../../wallets/embedded/provider/solana.ts'
import { disconnectedError } from '../../wallets/external/provider-error.ts'
import type { KitApp } from '../app.ts'
import type { KitContext } from '../context.ts'
import { serviceFeatures } from '../services/features.ts'
import type { SolanaChain } from './follow.ts'
import type { Sending } from './sending.ts'
import { createSmartHandler } from './smart-handlers.ts'
import { atomicSupport, rememberSupport, signingChain, toCapabilities } from './wallet-code.ts'

/** Handles what the page's libraries ask of embedded wallets, one request at a time. */
export interface RequestHandlers {
  readonly ethereum: EthereumRequestHandler
  readonly solana: SolanaRequestHandler
  readonly smart: EthereumRequestHandler<SmartWalletAccount>
  /** Refuses the requests that are shown or wait, because the user has logged out. */
  refuseAll(): void
}

type Signing = typeof import('../host/signing.ts')
type SigningRun = import('../host/signing.ts').SigningRun

export function createRequestHandlers(cx: {
  readonly kit: KitContext
  readonly app: Pick<KitApp, 'whenReady' | 'known'>
  readonly clock: Clock
  readonly page: Page
  readonly sending: Sending
  /** Loads what reviews and signs a request. */
  readonly signing: () => Promise<Signing>
  /** Loads what reviews and sends batches of calls. */
  readonly calls: () => Promise<typeof import('../host/send-calls.ts')>
  /** Loads what reviews tokens for the user's balances. */
  readonly watch: () => Promise<typeof import('../host/watch-token.ts')>
  /** Loads what signs and sends for smart wallets. */
  readonly smart: () => Promise<typeof import('../host/smart-wallets.ts')>
}): RequestHandlers {
  const { kit, app, page, clock, sending } = cx
  const { activity } = sending
  const known = rememberSupport({ clock, activity })
  let login = new AbortController()

  /** Libraries have no options for a call: the app's own setting counts. */
  const isHidden = () => hidesWalletUis(cx.app.known())

  const fundingOf = (address: string, chain: string) =>
    isHidden() ? undefined : sending.funding({ address, chain })

  /** Waits for a request's turn. */
  function enqueue<T>(work: (signing: Signing, run: SigningRun) => Promise<T>): Promise<T> {
    const { signal } = login
    return sending.queue.run(async (turn) => {
      const signing = await cx.signing()
      await app.whenReady()
      return work(signing, { signal, turn, isHidden: isHidden() })
    }, signal)
  }

  const ethereum: EthereumRequestHandler = {
    async signMessage(wallet, bytes, chainId) {
      assertSignInMatchesOrigin(readableText(bytes), page.origin)
      const chain = signingChain(cx.app.known(), sending, chainId)
      return enqueue((signing, run) =>
        signing.runSigning(kit, { ...run, events: signing.messageEvents }, (now) =>
          signing.signMessage(now, { wallet, message: bytes, ui: { isHidden: isHidden() }, chain }),
        ),
      )
    },
    signTypedData: (wallet, request) =>
      enqueue((signing, run) =>
        signing
          .runSigning(kit, { ...run, events: signing.typedDataEvents }, (now) =>
            signing.signTypedData(now, {
              wallet,
              ...request,
              ui: { isHidden: isHidden() },
              node: sending.nodeOf(request.chainId),
              review: sending.review(),
              delegates: delegatesOf(cx.app.known()),
            }),
          )
          .then(({ signature }) => signature),
      ),
    transact: (wallet, { action, node, request }) =>
      enqueue(async (signing, run) => {
        const adapter = signing.createEthereumAdapter({
          chains: cx.app.known(),
          delegates: delegatesOf(cx.app.known()),
          origin: page.origin,
          wallet: wallet.address,
          node,
          review: isHidden() ? undefined : sending.review(),
        })
        const options = {
          adapter,
          wallet,
          request,
          ui: { isHidden: isHidden() },
          funding: fundingOf(wallet.address, `eip155:${request.chainId}`),
        }
        if (action === 'sign') {
          const signed = await signing.runSigning(kit, run, (now) => signing.signTransaction(now, options))
          return signed.raw
        }
        // A library gets the hash as soon as the network has the transaction, and looks for the receipt by itself.
        const sent = await signing.runSending<Sent<EthereumTypes>>(kit, run, (now, onBroadcast) =>
          signing.sendTransaction(now, { ...options, activity, onBroadcast, isRepeatable: false }),
        )
        return sent.entry.hash
      }),
    watchToken: (wallet, request) =>
      enqueue(async (_, run) =>
        (await cx.watch()).watchTokenForLibrary(kit, sending, run, { wallet, ...request }),
      ),
    calls: {
      async capabilities({ address }, chainId, isSending) {
        const config = cx.app.known()
        const place = { address, chainId, delegates: delegatesOf(config) }
        const ask = () => atomicSupport(sending.nodeOf(chainId), clock, place)
        if (isSending) return toCapabilities(await ask())
        return toCapabilities(isNamed(config, chainId) ? await known(place, ask) : { status: 'unsupported' })
      },
      async send(request) {
        const { sendCallsForLibrary } = await cx.calls()
        return sendCallsForLibrary(kit, sending, request, {
          enqueue: (work) => enqueue((_, run) => work(run)),
          isHidden: isHidden(),
        })
      },
      status: async (id, wallets) => (await cx.calls()).callsStatusForLibrary(sending, id, wallets),
      show: async (id, wallets) =>
        (await cx.calls()).showCallsForLibrary(kit, sending, { id, wallets }, login.signal),
    },
  }

  const solana: SolanaRequestHandler = {
    async signMessage(wallet, bytes) {
      assertSignInMatchesOrigin(readableText(bytes), page.origin)
      const { readSignableMessage } = await serviceFeatures.solana()
      // Signed as a message it would be a transaction that nobody has seen.
      if (readSignableMessage(bytes, wallet.address)) throw new InvalidRequest('The message is a transaction')
      return enqueue((signing, run) =>
        signing.runSigning(kit, { ...run, events: signing.messageEvents }, (now) =>
          signing.signSolanaMessage(now, { wallet, message: bytes, ui: { isHidden: isHidden() } }),
        ),
      )
    },

    async transact(wallet, { bytes, cluster, send }) {
      const chain = await sending.solana(cluster.chain)
      if (!chain) throw new InvalidRequest(`The app has no cluster ${cluster.chain}`)
      const { commitment, ...sendOptions } = send ?? {}
      const request = chain.room.parseRequest(bytes, wallet.address)
      const optionsOf = (signing: Signing) => {
        const adapter = signing.createSolanaAdapter({
          ...chain,
          clock,
          origin: page.origin,
          wallet: wallet.address,
          send: sendOptions,
          prices: isHidden() ? undefined : sending.review()?.prices,
        })
        const funding = fundingOf(wallet.address, cluster.chain)
        return { adapter, wallet, request, ui: { isHidden: isHidden() }, funding }
      }
      if (!send) {
        const signed = await enqueue((signing, run) =>
          signing.runSigning(kit, run, (now) => signing.signTransaction(now, optionsOf(signing))),
        )
        return { bytes: signed.bytes, signature: signed.hash }
      }
      const sent = await enqueue((signing, run) =>
        signing.runSending<Sent<SolanaTypes>>(kit, run, (now, onBroadcast) =>
          signing.sendTransaction(now, {
            ...optionsOf(signing),
            activity,
            // A library gets the signature as soon as the network has the transaction, unless it wants to wait for more.
            onBroadcast: (outcome) =>
              onBroadcast(
                commitment ? outcome.then((now) => waitFor(chain, clock, now, commitment)) : outcome,
              ),
            isRepeatable: false,
          }),
        ),
      )
      return { bytes: sent.signed.bytes, signature: sent.entry.hash }
    },
  }

  const smart = createSmartHandler({
    kit,
    sending,
    smart: cx.smart,
    calls: cx.calls,
    origin: page.origin,
    request: () => ({ enqueue: (work) => enqueue((_, run) => work(run)), isHidden: isHidden() }),
    signal: () => login.signal,
  })

  return {
    ethereum,
    solana,
    smart,
    refuseAll() {
      login.abort(disconnectedError())
      login = new AbortController()
    },
  }
}

/** Code of a node for a transaction that fails. */
const FAILED = -32002

/** Waits until the network has confirmed a transaction to a degree. */
async function waitFor(
  { room, rpc }: SolanaChain,
  clock: Clock,
  sent: Sent<SolanaTypes>,
  commitment: Commitment,
): Promise<Sent<SolanaTypes>> {
  const { signed, prepared, entry } = sent
  const transaction = { bytes: signed.bytes, signature: entry.hash }
  const until = commitment === 'finalized' ? 'finalized' : 'confirmed'
  const { message, life } = prepared
  for await (const status of room.track({ rpc, clock }, { transaction, message, life, until }))
    if (status.status === 'failed')
      throw new TransactionFailedError(FAILED, 'The transaction has failed', status.failure)
    else if (status.status === 'finalized' || status.status === until) return sent
  throw new TransactionUnknownError('The network did not confirm the transaction', entry.hash)
}
