/** Several calls: reviewed together, signed under one approval, and sent one after the other. */
import { moment } from '../../activity/when.ts'
import { Closed } from '../../dialog/stage.ts'
import { KitError } from '../../errors/kit-error.ts'
import { chainOf, explorerUrlOf } from '../../ethereum/chains.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { solanaClusters, solanaExplorerUrl } from '../../solana/clusters.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { isOfSponsor, mayBeIncluded } from '../../wallets/smart/errors.ts'
import type { Approver, ReadyReview, Review } from '../approver.ts'
import { createApprover } from '../create-approver.ts'
import { formatAmount } from '../preview.ts'
import { failureOf, unseenShortage } from '../transaction/failure.ts'
import { type TransactionUi, wordsOf } from '../transaction/transaction-ui.ts'
import { sponsorDeclined } from '../user-operation/sponsor-declined.tsx'
import type { CallsAdapter } from './adapter.ts'
import { type ApproveCallsProps, approveCalls } from './approve-calls.tsx'
import { type CallBatch, hashOf, statusOf } from './batch.ts'
import type { CallBatches } from './batches.ts'
import { type CallsDetailProps, callsDetail } from './calls-detail.tsx'
import { isSameBatch } from './store.ts'

export interface CallsOptions<Prepared> {
  readonly adapter: CallsAdapter<Prepared>
  readonly wallet: EmbeddedAccount
  /** The batch's identifier, which is held for it. */
  readonly id: string
  readonly batches: CallBatches
  /** The host's own words, which the vault never displays. */
  readonly ui?: TransactionUi | undefined
  /** Called once the user has approved the calls: they are sent, whoever closes what from then on. */
  readonly onApproved: (batch: CallBatch) => void
}

/**
 * Reviews calls with the user, has all of them signed, and displays what becomes of them.
 * @throws Closed if the user rejects them, or the error that keeps them from being signed
 */
export async function sendCalls<Prepared>(cx: WalletFlow, options: CallsOptions<Prepared>): Promise<void> {
  const { wallet, id, batches, ui, onApproved } = options
  const approver = createApprover(cx, ui?.isHidden)
  let { adapter } = options
  for (;;) {
    const reviewed = await reviewCalls(cx, approver, { ...options, adapter })
    adapter = reviewed.adapter
    const now = cx.clock.now()
    const calls = adapter.summarize?.(reviewed.prepared)
    const batch: CallBatch = {
      id,
      chain: adapter.chain,
      wallet: adapter.wallet ?? wallet.address,
      isAtomic: adapter.isAtomic,
      approvedAt: now,
      transactions: adapter.toEntries(reviewed.prepared, reviewed.signed).map((entry) => ({
        entry: { ...entry, sentAt: now, status: 'pending' },
        state: 'waiting',
      })),
      ...(calls && { calls }),
    }
    const sending = batches.add(batch)
    if (!adapter.isAtomic) sending.catch(() => {})
    else {
      const refusal = await refusalOf(cx, options, batch, sending)
      if (refusal) {
        adapter = await recover(cx, approver, adapter, refusal.cause)
        continue
      }
    }
    onApproved(batch)
    return approver.showProgress(() => showCalls(cx, batches, batch))
  }
}

/**
 * Waits until the network has taken calls that are one. Whoever closes the dialog meanwhile has approved them all the same.
 * @returns why it refuses them; there is no batch then, but what the network may have all the same stays in the activity
 */
async function refusalOf<Prepared>(
  cx: WalletFlow,
  { batches, onApproved }: CallsOptions<Prepared>,
  batch: CallBatch,
  sending: Promise<void>,
): Promise<{ readonly cause: unknown } | undefined> {
  const { signal } = cx.stage
  const closed = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  closed.catch(() => {})
  try {
    await Promise.race([sending, closed])
    return undefined
  } catch (cause) {
    if (signal.aborted) {
      sending.catch(() => {})
      onApproved(batch)
      throw cause
    }
    batches.remove(batch)
    return { cause }
  }
}

/**
 * Displays why calls can't be prepared or sent, or has the user choose who pays once the app's sponsor doesn't.
 * @returns the adapter for the next attempt
 */
async function recover<Prepared>(
  cx: WalletFlow,
  approver: Approver,
  adapter: CallsAdapter<Prepared>,
  cause: unknown,
): Promise<CallsAdapter<Prepared>> {
  if (cause instanceof KitError && isOfSponsor(cause) && adapter.selfPaid) {
    await approver.showChoice(() => choosePayment(cx, cause), cause)
    return adapter.selfPaid()
  }
  // Another one after it could be a second one.
  await approver.showFailure(cause, { chainType: adapter.chainType, isFinal: mayBeIncluded(cause) })
  return adapter
}

/** Displays what became of a batch until the user closes it, which stops nothing. */
export async function showCalls(
  cx: WalletFlow,
  { batches }: Pick<CallBatches, 'batches'>,
  wanted: Pick<CallBatch, 'id' | 'wallet'>,
): Promise<void> {
  for (;;) {
    const batch = batches.get().find((each) => isSameBatch(each, wanted))
    if (!batch) return
    const asked = await cx.stage.askDuring(callsDetail, detailOf(cx, batch), (signal) =>
      untilChange(batches, signal),
    )
    if ('answer' in asked) return
  }
}

/** Reviews the calls until they are signed: anew after a failure that the user wants retried. */
async function reviewCalls<Prepared>(
  cx: WalletFlow,
  approver: Approver,
  { adapter: first, wallet, ui }: CallsOptions<Prepared>,
): Promise<{
  readonly adapter: CallsAdapter<Prepared>
  readonly prepared: Prepared
  readonly signed: unknown
}> {
  let adapter = first
  const toReady = (prepared: Prepared): ReadyReview<ApproveCallsProps, Prepared, unknown> => {
    const preview = adapter.preview(prepared)
    return {
      state: 'ready',
      props: { preview },
      value: prepared,
      signature: adapter.encode(prepared),
      ...(preview.isUnderfunded && { unseenError: unseenShortage(adapter.chainType) }),
    }
  }
  async function* previews(
    signal: AbortSignal,
  ): AsyncGenerator<Review<ApproveCallsProps, Prepared, unknown>> {
    yield {
      state: 'preparing',
      props: { preview: adapter.preview() },
      content: adapter.encode().content,
    }
    yield toReady(await adapter.prepare(signal))
  }
  for (;;) {
    try {
      const decision = await approver.review<ApproveCallsProps, Prepared, unknown>({
        wallet,
        screen: approveCalls as never,
        words: wordsOf(ui),
        previews,
        async renew(prepared, signal) {
          const renewed = await adapter.renew(prepared, signal)
          return renewed && toReady(renewed)
        },
        toError: (cause) => failureOf(cause),
      })
      // A batch has nothing to edit; whatever else was decided, the nodes are asked again.
      if (decision.outcome === 'approved')
        return { adapter, prepared: decision.value, signed: decision.signed }
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed || cause instanceof InvalidRequest) throw cause
      adapter = await recover(cx, approver, adapter, cause)
    }
  }
}

/** Asks who pays once the app's sponsor has declined. Resolves if the user does. @throws Closed if they don't */
async function choosePayment(cx: WalletFlow, cause: KitError): Promise<void> {
  cx.report(cause)
  const { sponsor, reason } = (cause.data ?? {}) as { readonly sponsor?: string; readonly reason?: string }
  const answer = await cx.stage.ask(sponsorDeclined, { sponsor, reason })
  if (answer === 'cancel') throw new Closed('The user cancelled')
}

/** A batch as its screen displays it. */
export function detailOf(cx: WalletFlow, batch: CallBatch): CallsDetailProps {
  return {
    status: statusOf(batch),
    isAtomic: batch.isAtomic,
    calls: batch.transactions.flatMap((transaction) => {
      const { entry, state } = transaction
      const hash = state === 'waiting' || state === 'stopped' ? undefined : hashOf(transaction)
      const sent = { state, hash, explorerUrl: hash && explorerOf(cx, batch.chain, hash) }
      return (batch.calls ?? [entry]).map(({ title, amount, asset }) => ({
        kind: title,
        amount: amount !== undefined && asset ? formatAmount(BigInt(amount), asset) : undefined,
        ...sent,
      }))
    }),
    chain: batch.chain,
    network: networkName(cx, batch.chain),
    when: moment(batch.approvedAt),
  }
}

function networkName({ config }: WalletFlow, chain: string): string {
  const cluster = solanaClusters(config).find((each) => each.chain === chain)
  return cluster?.name ?? chainOf(config, numberOf(chain))?.name ?? chain
}

function explorerOf({ config }: WalletFlow, chain: string, hash: string): string | undefined {
  const cluster = solanaClusters(config).find((each) => each.chain === chain)
  return cluster ? solanaExplorerUrl(cluster, hash) : explorerUrlOf(config, numberOf(chain), hash)
}

const numberOf = (chain: string) => Number(chain.split(':')[1])

/** Resolves with the next change. */
const untilChange = (batches: CallBatches['batches'], signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const stop = batches.subscribe(() => {
      stop()
      resolve()
    })
    signal.addEventListener('abort', () => stop(), { once: true })
  })
