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
import { createEthereumAdapter, sendTransaction, signMessage, signTypedData } from '../../signing/index.ts'
import type { RequestingApp, WalletFlow } from '../../wallets/flow-context.ts'
import type { CrossAppRequest, ManageOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import { serviceFeatures } from '../services/features.ts'
import type { Sending } from '../wallets/sending.ts'
import { signingChain } from '../wallets/wallet-code.ts'
import { personOf } from './person.ts'
import { inTurn, readRequest, walletFor } from './requests.ts'
import { requireSignable, runSending, runSigning } from './signing.ts'
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

/** Has the user review a request and carries it out, for `kit.crossApp.respond`. */
export async function respondToApp(
  cx: KitContext,
  sending: Sending,
  asked: RequestAsked,
  options: ManageOptions = {},
): Promise<string> {
  const request = await review(cx, asked)
  const http = (await cx.services()).http()
  const result = await carryOut(cx, sending, asked, request, options).catch((cause: unknown) => {
    // The user has rejected it.
    if (toKitError(cause).code === 'unable_to_sign') return undefined
    throw cause
  })
  return answerAppRequest(http, asked, result === undefined ? { error: 'rejected' } : { result })
}

async function review(cx: KitContext, asked: RequestAsked): Promise<AppRequest> {
  personOf(cx, 'answering another app')
  return reviewAppRequest((await cx.services()).http(), asked)
}

async function carryOut(
  cx: KitContext,
  sending: Sending,
  asked: RequestAsked,
  { requester: { name, origin }, call, expiresAt }: AppRequest,
  { surface, signal: given }: ManageOptions,
): Promise<string> {
  const { session } = await cx.services()
  const requester: RequestingApp = { requestId: asked.id, name, origin }
  const from = (now: WalletFlow): WalletFlow => ({ ...now, requester })
  // The other app no longer waits after that, so nothing is signed.
  const over = new AbortController()
  const done = new AbortController()
  void cx.clock.sleep(Math.max(0, expiresAt - session.serverNow()), done.signal).then(
    () => over.abort(new KitError('cross_app_request_over', 'This request is no longer open.')),
    () => {},
  )
  const signal = given ? AbortSignal.any([given, over.signal]) : over.signal
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
        const wallet = await walletFor(cx, 'ethereum', address)
        const message = readRequest(() => parseMessage(given))
        const known = cx.app.known()
        requireSignable(readableText(message) ?? '', origin)
        return inTurn(sending, signal, (turn) =>
          runSigning(cx, { surface, signal, turn }, (now) =>
            signMessage(from(now), {
              wallet,
              message,
              chain: signingChain(known, sending, defaultChainId(known)),
            }),
          ),
        )
      }
      case 'eth_signTypedData_v4': {
        const [address, data] = call.params
        const wallet = await walletFor(cx, 'ethereum', address)
        const { parseTypedData } = await serviceFeatures.ethereumTypedData()
        const typed = readRequest(() => parseTypedData(data))
        const { chainId = defaultChainId(cx.app.known()) } = typed.domain
        mustHaveChain(cx, Number(chainId))
        const node = sending.nodeOf(Number(chainId))
        const { signature } = await inTurn(sending, signal, (turn) =>
          runSigning(cx, { surface, signal, turn }, (now) =>
            signTypedData(from(now), {
              wallet,
              typed,
              chainId: Number(chainId),
              node,
              review: sending.review(),
              delegates: delegatesOf(cx.app.known()),
            }),
          ),
        )
        return signature
      }
      case 'eth_sendTransaction':
        return send(call.params[0])
    }
  }

  /** Resolves as soon as the network has the transaction: the app that asks follows it by itself. */
  async function send(given: object): Promise<string> {
    const { parseTransaction } = await serviceFeatures.ethereumTransactions()
    const defaults = { chainId: defaultChainId(cx.app.known()) }
    const { from: sender, chainId } = readRequest(() => parseTransaction(given, defaults))
    const wallet = await walletFor(cx, 'ethereum', sender)
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
    const sent = await inTurn(sending, signal, (turn) =>
      runSending<{ entry: { hash: string } }>(cx, { surface, signal, turn }, (now, onBroadcast) =>
        sendTransaction(from(now), {
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
