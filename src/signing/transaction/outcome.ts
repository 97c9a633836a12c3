import { type ActivityEntry, type ActivityId, networkHashOf } from '../../activity/entry.ts'
import type { Settled } from '../../activity/tracker.ts'
import { Closed } from '../../dialog/stage.ts'
import { KitError } from '../../errors/kit-error.ts'
import { TimedOut, within } from '../../lib/clock.ts'
import type { Readable } from '../../lib/store.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { signingLimits } from '../limits.ts'
import { formatAmount } from '../preview.ts'
import { type TransactionFailedProps, transactionFailed } from './transaction-failed.tsx'
import { transactionReceipt } from './transaction-receipt.tsx'
import { transactionSent } from './transaction-sent.tsx'

/** Follows transactions for as long as the page lives, so that closing a dialog stops nothing. */
export interface ActivityService {
  /** Writes a transaction down, before it is broadcast. */
  add(entry: ActivityEntry): void
  /** Removes one that the network has refused for certain. */
  remove(id: ActivityId): void
  /** Follows one further that the network has again, after it had dropped it. */
  resume(id: ActivityId): void
  /** The user's transactions, newest first. */
  readonly entries: Readable<readonly ActivityEntry[]>
  settled(id: ActivityId, signal?: AbortSignal): Promise<Settled>
}

export interface OutcomeOptions {
  readonly activity: Pick<ActivityService, 'settled'>
  readonly entry: ActivityEntry
  readonly network: string
  readonly coin: { readonly symbol: string; readonly decimals: number }
  readonly explorerUrl?: string | undefined
  readonly successHeader?: string | undefined
  readonly successDescription?: string | undefined
  /** Whether the user may try the transaction again after the network has failed it. */
  readonly isRetryable: boolean
  /** Whether the user may sign it anew once it has expired, which the network says only when it can't land any more. */
  readonly isRenewable?: boolean | undefined
  /** Whether the network did something else than the review said. */
  readonly isDifferent?: ((settled: Settled) => boolean) | undefined
}

/** `retry`: what the network let happen to it, after which the user wants another one. */
export type Outcome = { readonly settled: Settled } | { readonly retry: 'failed' | 'expired' }

/**
 * Displays a transaction that was sent until the network has decided, and then its receipt or why it failed. Success is displayed
 * for a receipt of this very transaction alone.
 * @throws Closed when the user closes it before that; the transaction is followed further
 */
export async function showOutcome(cx: WalletFlow, options: OutcomeOptions): Promise<Outcome> {
  const { activity, entry, explorerUrl } = options
  const settled =
    (await waitFor(cx, options, (signal) =>
      within(cx.clock, signingLimits.usualConfirmation, (own) => activity.settled(entry, own), signal).catch(
        (cause: unknown) => {
          if (!(cause instanceof TimedOut)) throw cause
          return undefined
        },
      ),
    )) ?? (await waitFor(cx, options, (signal) => activity.settled(entry, signal), true))
  if (settled.entry.status !== 'confirmed') return showUnsuccessful(cx, options, settled)
  const { fee } = settled.entry
  // Closing the receipt is as good as its button.
  await cx.stage
    .ask(transactionReceipt, {
      chain: entry.chain,
      network: options.network,
      hash: entry.hash,
      explorerUrl,
      ...(entry.amount !== undefined &&
        entry.asset && { amount: formatAmount(BigInt(entry.amount), entry.asset) }),
      ...(fee !== undefined && { fee: formatAmount(BigInt(fee), options.coin) }),
      successHeader: options.successHeader,
      successDescription: options.successDescription,
      ...(options.isDifferent?.(settled) && { isDifferent: true }),
    })
    .catch(() => {})
  return { settled }
}

/** Displays that the network has the transaction, during `work`. */
async function waitFor<T>(
  cx: WalletFlow,
  { entry, explorerUrl }: OutcomeOptions,
  work: (signal: AbortSignal) => Promise<T>,
  isLate = false,
): Promise<T> {
  const came = await cx.stage.askDuring(transactionSent, { hash: entry.hash, explorerUrl, isLate }, work)
  if ('answer' in came) throw new Closed('The user closed the dialog')
  return came.done
}

async function showUnsuccessful(
  cx: WalletFlow,
  { entry, explorerUrl, isRetryable, isRenewable }: OutcomeOptions,
  settled: Settled,
): Promise<Outcome> {
  const { status, reason } = settled.entry
  cx.report(failureOfEntry(settled.entry))
  const props: TransactionFailedProps = {
    ...wordsFor(cx, status),
    ...(reason && { reason: { message: reason.slice(0, signingLimits.reasonLength) } }),
    hash: entry.hash,
    explorerUrl,
    action:
      status === 'expired' && isRenewable ? 'renew' : isRetryable && status === 'failed' ? 'retry' : 'close',
  }
  const answer = await cx.stage.ask(transactionFailed, props).catch(() => 'close' as const)
  if (answer === 'retry') return { retry: 'failed' }
  return answer === 'renew' ? { retry: 'expired' } : { settled }
}

/** The error of a host for a transaction that the network did not carry out. */
export function failureOfEntry(entry: ActivityEntry): KitError {
  const { status, hash, reason, replacedBy, operation } = entry
  const transactionHash = networkHashOf(entry)
  return new KitError('transaction_failure', messages[status] ?? 'The transaction has failed', {
    data: {
      ...(transactionHash !== undefined && { transactionHash }),
      ...(operation && { userOpHash: hash }),
      status,
      ...(reason && { reason }),
      ...(replacedBy && { replacedBy }),
    },
  })
}

const messages: Partial<Record<ActivityEntry['status'], string>> = {
  failed: 'The transaction has failed on the network',
  replaced: 'Another transaction of the wallet was confirmed in its place',
  dropped: 'The network no longer has the transaction',
  expired: 'The transaction has expired',
}

function wordsFor(
  { t }: WalletFlow,
  status: ActivityEntry['status'],
): Pick<TransactionFailedProps, 'title' | 'detail'> {
  if (status === 'replaced' || status === 'dropped' || status === 'expired')
    return { title: t(`transaction.${status}.title`), detail: t(`transaction.${status}.detail`) }
  return { title: t('transaction.failed.title'), detail: t('transaction.failed.onChain') }
}
