/** What the requests of the page's libraries need in front of a person: loaded with the first of them. */
import type { Stage } from './core/stage.ts'
import type { WalletFlow } from './flows/wallet/context.ts'
import type { FlowsContext } from './kit-flows.ts'
import type { AnalyticsEvent } from './wire/analytics.ts'

export {
  signBytes,
  signSolanaBytes,
  signTypedData,
  transact,
  transactSolana,
} from './flows/sign/requests.ts'

export const signsMessage = [
  'embedded_wallet_sign_message_started',
  'embedded_wallet_sign_message_completed',
] as const
export const signsTypedData = [
  'embedded_wallet_sign_typed_data_started',
  'embedded_wallet_sign_typed_data_completed',
] as const
/** What is told to the app's analytics: names, without anything of the request. */
export type Tracked = readonly [started: AnalyticsEvent, completed: AnalyticsEvent]

/** Puts a request on the page's surface. @param signal aborted when whoever is logged in leaves */
export async function runRequest<T>(
  cx: FlowsContext,
  signal: AbortSignal,
  flow: (cx: WalletFlow) => Promise<T>,
  tracked?: Tracked,
): Promise<T> {
  const { wallets } = await cx.services()
  if (tracked) cx.analytics.track(tracked[0])
  const result = await cx.runs.run('sign', { signal }, (stage: Stage) =>
    flow({ ...cx.context(stage), wallets }),
  )
  if (tracked) cx.analytics.track(tracked[1])
  return result
}

/**
 * The same for what may be sent. Whatever becomes of the dialog, what was given to the network is not told as something
 * that the person has rejected.
 */
export async function runSending<T>(
  cx: FlowsContext,
  signal: AbortSignal,
  flow: (cx: WalletFlow, onSending: (sending: Promise<T>) => void) => Promise<T>,
): Promise<T> {
  let sending: Promise<T> | undefined
  const onSending = (next: Promise<T>) => {
    sending = next
    next.catch(() => {})
  }
  try {
    return await runRequest(cx, signal, (now) => flow(now, onSending))
  } catch (cause) {
    if (!sending) throw cause
    return await sending
  }
}
