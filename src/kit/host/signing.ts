/** What signs for hosts and for the page's libraries; loaded with the first request of either. */
import { Closed } from '../../dialog/stage.ts'
import type { Surface } from '../../dialog/surface.ts'
import { KitError } from '../../errors/kit-error.ts'
import { defaultChainId } from '../../ethereum/chains.ts'
import { isWellFormed } from '../../ethereum/hex.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { NodeError, TransactionUnknownError, Unreachable } from '../../lib/node-errors.ts'
import { assertSignInMatchesOrigin } from '../../lib/sign-in-text.ts'
import type { AnalyticsEvent } from '../../protocol/analytics.ts'
import { failureOf, signMessage } from '../../signing/index.ts'
import type { Turn } from '../../signing/request-queue.ts'
import type { RequestingApp, WalletFlow } from '../../wallets/flow-context.ts'
import { walletsLimits } from '../../wallets/limits.ts'
import type { SignOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import type { Sending } from '../wallets/sending.ts'
import { signingChain } from '../wallets/wallet-code.ts'
import { personOf } from './person.ts'
import { inTurn, toSignatureUi } from './requests.ts'

export * from '../../signing/index.ts'

/** What is counted: the names only, never anything of the request. */
export type SigningEvents = readonly [started: AnalyticsEvent, completed: AnalyticsEvent]
export const messageEvents: SigningEvents = [
  'embedded_wallet_sign_message_started',
  'embedded_wallet_sign_message_completed',
]
export const typedDataEvents: SigningEvents = [
  'embedded_wallet_sign_typed_data_started',
  'embedded_wallet_sign_typed_data_completed',
]

export interface SigningRun {
  /** Where it is shown; the page's own surface by default. */
  readonly surface?: Surface | undefined
  /** Closes the dialog. */
  readonly signal?: AbortSignal | undefined
  /** The host wants no screen: a dialog opens only where something else has to be asked, such as a second factor. */
  readonly isHidden?: boolean | undefined
  readonly events?: SigningEvents | undefined
  /** Its turn in the queue. */
  readonly turn?: Turn | undefined
  /** The other app that asks, where this page doesn't. */
  readonly requester?: RequestingApp | undefined
}

/** Runs a flow of signing in a dialog. Throws a {@link KitError}, such as `flow_in_progress` while another is open. */
export async function runSigning<T>(
  cx: KitContext,
  { events, turn, requester, ...place }: SigningRun,
  flow: (cx: WalletFlow) => Promise<T>,
): Promise<T> {
  const { wallets } = await cx.services()
  if (events) cx.analytics.track(events[0])
  const result = await cx.runs.run('sign', { ...place, queue: turn }, async (stage) => {
    try {
      return await flow({ ...cx.flow(stage), wallets, requester })
    } catch (cause) {
      // Somebody who closes the dialog of a request is done with those that wait behind it; a button rejects this one alone.
      if (stage.signal.aborted && cause instanceof Closed) turn?.rejectWaiting()
      throw toHostError(cause)
    }
  })
  if (events) cx.analytics.track(events[1])
  return result
}

/** A code of the kit for hosts; libraries find the error itself in its cause. */
function toHostError(cause: unknown): unknown {
  if (cause instanceof InvalidRequest)
    return new KitError('invalid_request_arguments', cause.message, { cause })
  return cause instanceof NodeError || cause instanceof Unreachable ? failureOf(cause) : cause
}

/**
 * Runs a flow that sends, and resolves as soon as the network has the transaction; the dialog goes on until the user closes it. A
 * transaction that went to the network is never reported as rejected, even if the dialog was closed meanwhile.
 */
export async function runSending<T>(
  cx: KitContext,
  run: SigningRun,
  flow: (cx: WalletFlow, onBroadcast: (outcome: Promise<T>) => void) => Promise<unknown>,
): Promise<T> {
  let sent: Promise<T> | undefined
  return new Promise<T>((resolve, reject) => {
    const onBroadcast = (outcome: Promise<T>) => {
      sent = outcome
      run.turn?.commit()
      // A refusal is the dialog's to show; whoever asks hears of the last outcome.
      outcome.then(resolve, () => {})
    }
    runSigning(cx, run, (now) => flow(now, onBroadcast)).then(
      () => sent?.then(resolve, reject),
      (cause: unknown) => {
        if (!sent) return reject(cause)
        sent.then(resolve, (failure: unknown) =>
          // A transaction that the network has certainly refused doesn't exist, so what counts is how the dialog ended.
          reject(failure instanceof TransactionUnknownError ? failure : cause),
        )
      },
    )
  })
}

/** Signs for {@link Kit.signMessage} in both of its forms. The kit is ready. */
export async function signForHost(
  cx: KitContext,
  sending: Sending,
  input: unknown,
  second: object = {},
  address?: string,
): Promise<string | { signature: string }> {
  if (typeof input === 'object' && input !== null && 'message' in input)
    return { signature: await sign(cx, sending, input.message, second) }
  return sign(cx, sending, input, { uiOptions: second, ...(address !== undefined && { address }) })
}

async function sign(
  cx: KitContext,
  sending: Sending,
  message: unknown,
  options: SignOptions,
): Promise<string> {
  const { uiOptions = {}, address, surface, signal } = options
  if (typeof message !== 'string' || message === '')
    throw new KitError('invalid_message', 'Message must be a non-empty string')
  requireSignable(message, cx.page.origin)
  personOf(cx, 'signing')
  const { wallets } = await cx.services()
  const embedded = await wallets.embedded()
  const first = embedded.list().find(({ chainType }) => chainType === 'ethereum')
  const wallet = address === undefined ? first : embedded.find(address)
  if (wallet?.chainType !== 'ethereum')
    throw new KitError('embedded_wallet_not_found', 'Must have an embedded wallet before signing')

  const ui = toSignatureUi(cx, uiOptions)
  const { isHidden } = ui
  const known = cx.app.known()
  const chain = signingChain(known, sending, defaultChainId(known))
  const signature = await inTurn(sending, signal, (turn) =>
    runSigning(cx, { surface, signal, turn, isHidden, events: messageEvents }, (now) =>
      signMessage(now, { wallet, message, ui, chain }),
    ),
  )
  cx.events.emit('signature', { signature, address: wallet.address })
  return signature
}

/** What no embedded wallet signs, whether the page asks or one of its libraries. */
export function requireSignable(message: string, origin: string): void {
  try {
    if (!isWellFormed(message)) throw new InvalidRequest('The message is not well-formed text')
    if (message.length > walletsLimits.walletRequestSize) throw new InvalidRequest('The message is too long')
    assertSignInMatchesOrigin(message, origin)
  } catch (cause) {
    if (!(cause instanceof InvalidRequest)) throw cause
    throw new KitError('invalid_message', cause.message, { cause })
  }
}
