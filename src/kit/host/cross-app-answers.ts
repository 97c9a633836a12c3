/** Requests of other apps to the wallets of this one's users; loaded with the first of them. The kit is ready. */
import { delegatesOf } from '../../app/delegates.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import { defaultChainId } from '../../ethereum/chains.ts'
import { parseMessage } from '../../ethereum/message.ts'
import { readableText } from '../../lib/sign-in-text.ts'
import {
  type AppRequest,
  answerAppRequest,
  appCallKind,
  type RequestAsked,
  reviewAppRequest,
} from '../../protocol/cross-app-requests.ts'
import type { SmartWalletAccount } from '../../protocol/user.ts'
import { createEthereumAdapter, sendTransaction, signMessage, signTypedData } from '../../signing/index.ts'
import type { RequestingApp } from '../../wallets/flow-context.ts'
import type { CrossAppRequest, ManageOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import { serviceFeatures } from '../services/features.ts'
import type { Sending } from '../wallets/sending.ts'
import { signingChain } from '../wallets/wallet-code.ts'
import { personOf } from './person.ts'
import { inTurn, readRequest, smartWalletAt, walletFor } from './requests.ts'
import type { InTurn } from './send-calls.ts'
import { requireSignable, runSending, runSigning } from './signing.ts'
import type { AppContent } from './smart-wallets.ts'
import { mustHaveChain } from './transactions.ts'

/** Reads a request for `kit.crossApp.request`. */
export async function readAppRequest(cx: KitContext, asked: RequestAsked): Promise<CrossAppRequest> {
  const { requester, call, expiresAt } = await review(cx, asked)
  return { requester, kind: appCallKind(call), expiresAt }
}

/** Ends a request without a result, for `kit.crossApp.decline`. */
export async function declineAppRequest(
  cx: KitContext,
  asked: RequestAsked,
  { disconnect = false }: { disconnect?: boolean } = {},
): Promise<string> {
  personOf(cx, 'declining a request')
  return answerAppRequest((await cx.services()).http(), asked, { error: 'rejected', disconnect })
}

/** Smart wallets come with the first request that asks one. */
export type LoadSmartWallets = () => Promise<typeof import('./smart-wallets.ts')>

/** Has the user review a request and carries it out, for `kit.crossApp.respond`. */
export async function respondToApp(
  cx: KitContext,
  sending: Sending,
  asked: RequestAsked,
  loadSmartWallets: LoadSmartWallets,
  options: ManageOptions = {},
): Promise<string> {
  const request = await review(cx, asked)
  const http = (await cx.services()).http()
  const result = await carryOut(cx, sending, { asked, request, loadSmartWallets }, options).catch(
    (cause: unknown) => {
      // The user has rejected it.
      if (toKitError(cause).code === 'unable_to_sign') return undefined
      throw cause
    },
  )
  return answerAppRequest(http, asked, result === undefined ? { error: 'rejected' } : { result })
}

async function review(cx: KitContext, asked: RequestAsked): Promise<AppRequest> {
  personOf(cx, 'answering another app')
  return reviewAppRequest((await cx.services()).http(), asked)
}

interface Answering {
  readonly asked: RequestAsked
  readonly request: AppRequest
  readonly loadSmartWallets: LoadSmartWallets
}

async function carryOut(
  cx: KitContext,
  sending: Sending,
  { asked, request, loadSmartWallets }: Answering,
  { surface, signal: given }: ManageOptions,
): Promise<string> {
  const { session } = await cx.services()
  const { call, expiresAt } = request
  const { name, origin } = request.requester
  const requester: RequestingApp = { requestId: asked.id, name, origin }
  // The other app no longer waits after that, so nothing is signed.
  const over = new AbortController()
  const done = new AbortController()
  void cx.clock.sleep(Math.max(0, expiresAt - session.serverNow()), done.signal).then(
    () => over.abort(new KitError('cross_app_request_over', 'This request is no longer open.')),
    () => {},
  )
  const signal = given ? AbortSignal.any([given, over.signal]) : over.signal
  const enqueue: InTurn = (work) =>
    inTurn(sending, signal, (turn) => work({ surface, signal, turn, requester }))
  try {
    return await run()
  } catch (cause) {
    if (over.signal.aborted) throw over.signal.reason
    throw cause
  } finally {
    done.abort()
  }

  async function run(): Promise<string> {
    switch (call.method) {
      case 'personal_sign': {
        const [given, address] = call.params
        const message = readRequest(() => parseMessage(given))
        const known = cx.app.known()
        const owned = await walletOf(address)
        requireSignable(readableText(message) ?? '', origin)
        if ('linked' in owned) return bySmartWallet(owned.linked, { bytes: message })
        const chain = signingChain(known, sending, defaultChainId(known))
        return enqueue((run) =>
          runSigning(cx, run, (now) => signMessage(now, { wallet: owned.wallet, message, chain })),
        )
      }
      case 'eth_signTypedData_v4': {
        const [address, data] = call.params
        const owned = await walletOf(address)
        const { parseTypedData } = await serviceFeatures.ethereumTypedData()
        const typed = readRequest(() => parseTypedData(data))
        if ('linked' in owned) return bySmartWallet(owned.linked, { typed })
        const known = cx.app.known()
        const chainId = Number(typed.domain.chainId ?? defaultChainId(known))
        mustHaveChain(cx, chainId)
        const place = { wallet: owned.wallet, typed, chainId, node: sending.nodeOf(chainId) }
        const reviewed = { ...place, review: sending.review(), delegates: delegatesOf(known) }
        const { signature } = await enqueue((run) =>
          runSigning(cx, run, (now) => signTypedData(now, reviewed)),
        )
        return signature
      }
      case 'eth_sendTransaction':
        return send(call.params[0])
    }
  }

  /** The user's smart wallet, or the wallet with a key of its own. */
  async function walletOf(address: string | undefined) {
    const linked = smartWalletAt(personOf(cx, 'answering another app'), address)
    return linked ? { linked } : { wallet: await walletFor(cx, 'ethereum', address) }
  }

  async function bySmartWallet(linked: SmartWalletAccount, content: AppContent): Promise<string> {
    const { answerAppBySmartWallet } = await loadSmartWallets()
    const context = { enqueue, isHidden: false, requester }
    return answerAppBySmartWallet(cx, sending, linked, content, context)
  }

  /** Resolves as soon as the network has the transaction: the app that asks follows it by itself. */
  async function send(given: object): Promise<string> {
    const { parseTransaction } = await serviceFeatures.ethereumTransactions()
    const defaults = { chainId: defaultChainId(cx.app.known()) }
    const transaction = readRequest(() => parseTransaction(given, defaults))
    const { from: sender, chainId } = transaction
    const owned = await walletOf(sender)
    if ('linked' in owned) return bySmartWallet(owned.linked, { transaction })
    const { wallet } = owned
    mustHaveChain(cx, chainId)
    const node = sending.nodeOf(chainId)
    if (!node) throw new KitError('unsupported_chain_id', `There is no node for chain ID ${chainId}`)
    const adapter = createEthereumAdapter({
      chains: cx.app.known(),
      origin,
      app: name,
      wallet: wallet.address,
      node,
      ...defaults,
      review: sending.review(),
    })
    const parsed = readRequest(() => adapter.parse(given))
    const place = { address: wallet.address, chain: `eip155:${chainId}` }
    const sent = await enqueue((run) =>
      runSending<{ entry: { hash: string } }>(cx, run, (now, onBroadcast) =>
        sendTransaction(now, {
          adapter,
          wallet,
          request: parsed,
          ui: {},
          funding: sending.funding(place),
          activity: sending.activity,
          isRepeatable: true,
          onBroadcast,
        }),
      ),
    )
    return sent.entry.hash
  }
}
