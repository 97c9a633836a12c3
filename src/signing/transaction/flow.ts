/** The one way of transactions, on every chain: prepare, review, sign, submit, track. */
import type { ActivityEntry } from '../../activity/entry.ts'
import type { Settled } from '../../activity/tracker.ts'
import { Closed } from '../../dialog/stage.ts'
import type { KitError } from '../../errors/kit-error.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { NodeError, TransactionUnknownError } from '../../lib/node-errors.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import type { Approver, ReadyReview, Review } from '../approver.ts'
import type { ChainAdapter, ChainTypes, TransactionAction } from '../chain-adapter.ts'
import { createApprover } from '../create-approver.ts'
import { type TransactionPreview, titleOf, withoutFee } from '../preview.ts'
import type { Signature } from '../signature.ts'
import { type ApproveTransactionProps, approveTransaction } from './approve-transaction.tsx'
import { failureOf, unseenCode, unseenFee, unseenShortage } from './failure.ts'
import { addFunds, type FundingOffer, loadOffer, shortageOf, type TransactionFunding } from './funding.ts'
import type { ActivityService } from './outcome.ts'
import { sendSigned } from './sending.ts'
import { type TransactionUi, wordsOf } from './transaction-ui.ts'

export interface TransactionOptions<T extends ChainTypes> {
  readonly adapter: ChainAdapter<T>
  readonly wallet: EmbeddedAccount
  readonly request: T['request']
  /** The host's own words, which the vault never displays. */
  readonly ui?: TransactionUi | undefined
  /** Leads to funding where the wallet has too little; `undefined` in an app without it. */
  readonly funding?: TransactionFunding | undefined
}

/** A transaction that the network has. */
export interface Sent<T extends ChainTypes> {
  readonly entry: ActivityEntry
  readonly prepared: T['prepared']
  readonly signed: T['signed']
}

export interface SendOptions<T extends ChainTypes> extends TransactionOptions<T> {
  readonly activity: ActivityService
  /**
   * Called with the outcome of each broadcast, which continues even if the dialog is closed. It resolves once the network has the
   * transaction.
   */
  readonly onBroadcast: (outcome: Promise<Sent<T>>) => void
  /** Whether the user may sign another one in its place: not where its hash was given away. */
  readonly isRepeatable: boolean
  /** The kind of transaction in the activity, where its preview doesn't say it. */
  readonly title?: ActivityEntry['title'] | undefined
}

/** A transaction that was approved and signed. */
interface Reviewed<T extends ChainTypes> {
  readonly attempt: T['attempt']
  readonly prepared: T['prepared']
  readonly signed: T['signed']
}

/**
 * Reviews a transaction with the user, and signs it.
 * @throws Closed if the user rejects it, or the error that keeps it from being signed
 */
export async function signTransaction<T extends ChainTypes>(
  cx: WalletFlow,
  options: TransactionOptions<T>,
): Promise<T['signed']> {
  const { adapter, ui } = options
  const approver = createApprover(cx, ui?.isHidden)
  const start = adapter.start(options.request, 'sign')
  const { attempt, prepared, signed } = await reviewTransaction(cx, approver, options, 'sign', start)
  const props = { preview: adapter.preview(attempt, prepared), action: 'sign' } as const
  await approver.showDone<ApproveTransactionProps>(
    { screen: approveTransaction as never, words: wordsOf(ui) },
    props,
  )
  return signed
}

/**
 * Reviews a transaction with the user, signs and sends it, and displays what becomes of it. While the network may have it, the
 * same bytes alone are sent again.
 * @returns what the network decided; `undefined` where nothing is displayed, and the tracker goes on alone
 * @throws Closed if the user rejects it or closes the dialog, or the error that keeps it from being sent
 */
export async function sendTransaction<T extends ChainTypes>(
  cx: WalletFlow,
  options: SendOptions<T>,
): Promise<Settled | undefined> {
  const { adapter, activity, onBroadcast, isRepeatable, ui } = options
  const approver = createApprover(cx, ui?.isHidden)
  let next = adapter.start(options.request, 'send')
  for (;;) {
    const { attempt, prepared, signed } = await reviewTransaction(cx, approver, options, 'send', next)
    const { hash } = signed
    if (hash === undefined) throw new InvalidRequest('The transaction is not signed by its fee payer')
    const named = { ...signed, hash }
    const entry = entryOf(cx, options, attempt, prepared, named)
    const explorerUrl = adapter.explorerUrl(prepared, named)
    try {
      activity.add(entry)
      await sendSigned(approver, cx.stage.signal, {
        broadcast: async () => {
          await adapter.submit(prepared, named)
          return { entry, prepared, signed }
        },
        onBroadcast,
        explorerUrl,
      })
    } catch (cause) {
      const recovery = adapter.afterRefusal(attempt, prepared, cause)
      // A transaction that the network has refused for certain doesn't exist.
      if (recovery.kind !== 'track' && cause instanceof NodeError) activity.remove(entry)
      cx.stage.signal.throwIfAborted()
      if (recovery.kind !== 'track') {
        if (cause instanceof TransactionUnknownError || cause instanceof Closed) throw cause
        await approver.showFailure(recovery.cause, {
          isFinal: recovery.kind === 'stop',
          kind: adapter.failureKind?.(recovery.cause),
          chainType: adapter.chainType,
        })
        if (recovery.kind === 'stop') throw recovery.cause
        next = recovery.attempt
        continue
      }
    }
    const { network, coin } = adapter.preview(attempt, prepared)
    const repeat = (status: 'failed' | 'expired') =>
      isRepeatable ? adapter.afterOutcome(attempt, prepared, status) : undefined
    const repeats = { failed: repeat('failed'), expired: repeat('expired') }
    const outcome = await approver.showOutcome({
      activity,
      entry,
      network: network.name,
      coin,
      explorerUrl,
      successHeader: ui?.successHeader,
      successDescription: ui?.successDescription,
      isRetryable: repeats.failed !== undefined,
      isRenewable: repeats.expired !== undefined,
      isDifferent: (settled) => adapter.isDifferent?.(prepared, settled) ?? false,
    })
    if (!outcome || 'settled' in outcome) return outcome?.settled
    next = repeats[outcome.retry]
  }
}

/** The entry of a signed transaction, before it is broadcast. */
function entryOf<T extends ChainTypes>(
  cx: WalletFlow,
  { adapter, title }: SendOptions<T>,
  attempt: T['attempt'],
  prepared: T['prepared'],
  signed: T['signed'] & { readonly hash: string },
): ActivityEntry {
  const preview = adapter.preview(attempt, prepared)
  return {
    wallet: preview.wallet,
    hash: signed.hash,
    title: title ?? titleOf(preview),
    ...(preview.value > 0n && { amount: String(preview.value), asset: preview.coin }),
    ...adapter.toEntry(prepared, signed, preview),
    sentAt: cx.clock.now(),
    status: 'pending',
  }
}

/** Reviews an attempt until it is signed: anew after an edit, and after a failure that the user wants retried. */
async function reviewTransaction<T extends ChainTypes>(
  cx: WalletFlow,
  approver: Approver,
  { adapter, wallet, ui, funding }: TransactionOptions<T>,
  action: TransactionAction,
  start: T['attempt'],
): Promise<Reviewed<T>> {
  let attempt = start
  /** The attempt and the preview before the fees were changed. */
  let before: { readonly attempt: T['attempt']; readonly preview: TransactionPreview } | undefined
  let displayed: TransactionPreview | undefined
  let notice: ApproveTransactionProps['notice']
  let offer: FundingOffer | undefined
  const toReady = (prepared: T['prepared']): Ready<T> => {
    const preview = adapter.preview(attempt, prepared)
    const shortage = shortageOf(preview)
    const isFundable = shortage !== undefined && offer?.covers(shortage) === true
    return {
      state: 'ready',
      props: { preview, action, ...(notice && { notice }), ...(isFundable && { isFundable }) },
      value: prepared,
      signature: withOffer(adapter.encode(attempt, prepared), preview, offer),
      ...unseenErrorOf(preview, adapter.chainType),
    }
  }
  let ready: T['prepared'] | undefined
  const display = (review: Ready<T>): Ready<T> => {
    displayed = review.props.preview
    ready = review.value
    return review
  }
  let waitingFor: TransactionPreview | undefined
  async function* previews(signal: AbortSignal): AsyncGenerator<States<T>> {
    const toPreparing = (prepared?: T['prepared'], waiting?: TransactionPreview): States<T> => ({
      state: 'preparing',
      props: { preview: waiting ?? adapter.preview(attempt, prepared), action },
      content: adapter.encode(attempt, prepared).content,
    })
    yield toPreparing(undefined, waitingFor)
    const loading = loadOffer(cx, funding, signal)
    loading.catch(() => {})
    let prepared = await adapter.prepare(attempt, signal)
    if (adapter.simulate) {
      yield toPreparing(prepared)
      prepared = await adapter.simulate(prepared, signal)
    }
    // The host learns why a transaction will likely fail; the user may send it all the same.
    const expected = adapter.expectedFailure(prepared)
    if (expected) cx.report(failureOf(expected.cause, expected.kind))
    offer = await loading
    yield display(toReady(prepared))
  }
  for (;;) {
    try {
      const decision = await approver.review<ApproveTransactionProps, T['prepared'], T['signed']>({
        wallet,
        screen: approveTransaction as never,
        words: wordsOf(ui),
        previews,
        async renew(prepared, signal) {
          const renewed = await adapter.renew(attempt, prepared, signal)
          if (renewed === undefined) return undefined
          return display(toReady(renewed))
        },
        toError: (cause) => failureOf(cause),
      })
      if (decision.outcome === 'approved') {
        const { value, signed, edited } = decision
        const adopted = edited && adapter.adopt?.(attempt, value, edited)
        return { attempt, prepared: value, ...adopted, signed }
      }
      notice = undefined
      before = undefined
      waitingFor = undefined
      if (decision.outcome === 'add-funds') {
        const shortage = decision.shortage ?? (displayed && shortageOf(displayed)) ?? {}
        const add = () => addFunds(cx, offer, shortage)
        // A request that can't be closed is none on the way to funding either.
        await (ui?.isCancellable === false ? cx.stage.lock(add) : add())
        // Funds take longer to come than some transactions live. Nothing is signed so far, so there is none that may land beside it.
        const renewed =
          action === 'send' && ready !== undefined && adapter.afterOutcome(attempt, ready, 'expired')
        if (renewed) attempt = renewed
      }
      // Other bytes are another transaction: it is prepared and reviewed anew.
      if (decision.outcome === 'edited') {
        if (decision.edit.fees !== undefined && displayed) {
          before = { attempt, preview: displayed }
          waitingFor = withoutFee(displayed, decision.edit.fees)
        }
        attempt = adapter.edit(attempt, decision.edit)
      }
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof InvalidRequest && before) {
        // Fees that the user chose and that nobody means to pay don't end the request.
        attempt = before.attempt
        waitingFor = before.preview
        before = undefined
        notice = 'fees-refused'
        continue
      }
      if (cause instanceof Closed || cause instanceof InvalidRequest) throw cause
      await approver.showFailure(cause, {
        kind: adapter.failureKind?.(cause),
        chainType: adapter.chainType,
      })
    }
  }
}

/** The error in place of a signature that nobody has seen; none where it may be signed unseen. */
function unseenErrorOf(
  { actions, fee, feeConcern, isUnderfunded }: TransactionPreview,
  chainType: 'ethereum' | 'solana',
): { unseenError?: KitError } {
  if (isUnderfunded) return { unseenError: unseenShortage(chainType) }
  if (actions.some(({ kind }) => kind === 'code')) return { unseenError: unseenCode() }
  return feeConcern && fee !== undefined ? { unseenError: unseenFee(fee) } : {}
}

/** Tells the vault of the offer; it finds out by itself if funds are missing. */
function withOffer<S>(
  { content, ...rest }: Signature<S>,
  { actions, tokenShortage }: TransactionPreview,
  offer: FundingOffer | undefined,
): Signature<S> {
  const coin = offer?.covers({}) ? { isFundable: true } : {}
  if (content.kind !== 'evmTransaction' && content.kind !== 'solanaTransaction') return { ...rest, content }
  const [first] = actions
  const transferred =
    first?.kind === 'token' && first.call.action === 'transfer' ? first.call.contract : undefined
  const token = content.kind === 'evmTransaction' ? transferred : tokenShortage?.token
  const isCovered = token !== undefined && offer?.covers({ token })
  return { ...rest, content: { ...content, ...coin, ...(isCovered && { fundableToken: token }) } }
}

type Ready<T extends ChainTypes> = ReadyReview<ApproveTransactionProps, T['prepared'], T['signed']>
type States<T extends ChainTypes> = Review<ApproveTransactionProps, T['prepared'], T['signed']>
