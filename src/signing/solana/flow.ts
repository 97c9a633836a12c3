import { base64 } from '@scure/base'
import type { ActivityEntry } from '../../activity/entry.ts'
import type { Settled } from '../../activity/tracker.ts'
import { Closed } from '../../dialog/stage.ts'
import { KitError } from '../../errors/kit-error.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { Failed, NodeError, Unsettled } from '../../lib/node-errors.ts'
import { type SolanaCluster, solanaExplorerUrl } from '../../solana/clusters.ts'
import type { PreparedTransaction, SolanaRequest } from '../../solana/prepare.ts'
import type { SolanaReceipt } from '../../solana/receipt.ts'
import type { SolanaReview } from '../../solana/review.ts'
import type { SolanaRpc } from '../../solana/rpc.ts'
import type { SendOptions } from '../../solana/send-options.ts'
import type { Simulation } from '../../solana/simulate.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import {
  approvedInVault,
  askVault,
  inVault,
  prepareVault,
  reportFailure,
  showDone,
  solanaSignature,
} from '../approved.ts'
import { signingLimits } from '../limits.ts'
import { type TransactionPreview, titleOf } from '../preview.ts'
import { type ApproveTransactionProps, approveTransaction } from '../transaction/approve-transaction.tsx'
import { failureOf, showFailure } from '../transaction/failure.ts'
import { type ActivityService, showOutcome } from '../transaction/outcome.ts'
import { sendSigned } from '../transaction/sending.ts'
import { type TransactionUi, wordsOf } from '../transaction/transaction-ui.ts'
import { toSolanaPreview } from './preview.ts'

/** What prepares, simulates and sends transactions; whoever asks has loaded it. */
export type SolanaRoom = typeof import('../../solana/adapter.ts')

export interface SolanaTransactionOptions {
  readonly wallet: EmbeddedAccount
  readonly request: SolanaRequest
  readonly cluster: SolanaCluster
  readonly rpc: SolanaRpc
  readonly room: SolanaRoom
  /** The host's own words, which the vault never displays. */
  readonly ui?: TransactionUi | undefined
}
/** A transaction with the wallet's signature. */
export interface SignedSolana {
  readonly bytes: Uint8Array
  /** Its first signature in base58, which names it; `undefined` while the one who pays has not signed. */
  readonly signature: string | undefined
}
/** A transaction that the network has. */
export interface SentSolana {
  readonly entry: ActivityEntry
  readonly prepared: PreparedTransaction
  readonly bytes: Uint8Array
}

export interface SolanaSendRequest extends SolanaTransactionOptions {
  readonly activity: ActivityService
  /** How the node is asked to take it. */
  readonly send?: SendOptions | undefined
  /**
   * Called with the outcome of each broadcast, which continues even if the dialog is closed. It resolves once the network has the
   * transaction.
   */
  readonly onBroadcast: (outcome: Promise<SentSolana>) => void
  /** Whether the user may sign another one after it has expired: not where its signature was given away. */
  readonly isRenewable: boolean
}

/** A request, and whether the wallet may fill in what the app has left out. */
interface Attempt {
  readonly request: SolanaRequest
  readonly mayChange: boolean
}
interface Review {
  readonly prepared: PreparedTransaction
  readonly simulation: Simulation
  readonly preview: TransactionPreview
}

/**
 * Reviews a Solana transaction with the user, and signs exactly the bytes that were given.
 * @throws Closed if the user declines, or the error that keeps it from being signed
 */
export async function signSolanaTransaction(
  cx: WalletFlow,
  options: SolanaTransactionOptions,
): Promise<SignedSolana> {
  const { review, signature } = await reviewAndSign(cx, options, 'sign', {
    request: options.request,
    mayChange: false,
  })
  const { bytes, signature: name } = withOwn(options, review, signature)
  await showDone(cx, approveTransaction, propsOf(options, 'sign', review.preview))
  return { bytes, signature: name }
}

/**
 * Reviews a Solana transaction with the user, signs and sends it, and displays what becomes of it. While the network may have it,
 * the same bytes alone are sent again.
 * @returns what the network decided
 * @throws Closed if the user declines or closes the dialog, or the error that keeps it from being sent
 */
export async function sendSolanaTransaction(cx: WalletFlow, options: SolanaSendRequest): Promise<Settled> {
  const { activity, onBroadcast, cluster, room, rpc, send, ui } = options
  requireOtherSignatures(options.request)
  let attempt: Attempt = { request: options.request, mayChange: true }
  for (;;) {
    const { review, signature } = await reviewAndSign(cx, options, 'send', attempt)
    const { prepared, simulation, preview } = review
    const { bytes, signature: name } = withOwn(options, review, signature)
    if (name === undefined) throw new InvalidRequest('The transaction is not signed by its fee payer')
    const entry = entryOf(cx, cluster, review, bytes, name)
    const explorerUrl = solanaExplorerUrl(cluster, name)
    try {
      activity.add(entry)
      await sendSigned(cx, {
        broadcast: async () => {
          await room.submit(
            rpc,
            { bytes, signature: name },
            { message: prepared.message, actions: prepared.actions, send },
          )
          return { entry, prepared, bytes }
        },
        onBroadcast,
        explorerUrl: () => explorerUrl,
      })
    } catch (cause) {
      // A node that does not know the blockhash may be behind, and another one may take the transaction until it expires.
      if (!isExpiryClaimed(room, cause)) {
        if (cause instanceof NodeError) activity.remove(entry)
        cx.stage.signal.throwIfAborted()
        if (cause instanceof Closed || cause instanceof Unsettled) throw cause
        await showFailure(cx, shortageOf(room, cause), {
          inVain: cause instanceof Failed,
          chainType: 'solana',
        })
        // The network takes the same bytes once, whatever has become of the first attempt.
        attempt = {
          request: { wallet: prepared.wallet, transaction: prepared.transaction },
          mayChange: false,
        }
        continue
      }
      cx.stage.signal.throwIfAborted()
    }
    const renewed = options.isRenewable ? room.renewRequest(prepared, { status: 'expired' }) : undefined
    const outcome = await showOutcome(cx, {
      activity,
      entry,
      network: cluster.name,
      coin: preview.coin,
      explorerUrl,
      successHeader: ui?.successHeader,
      successDescription: ui?.successDescription,
      isRetryable: false,
      isRenewable: renewed !== undefined,
      isDifferent: ({ receipt }) =>
        simulation.status === 'done' &&
        receipt !== undefined &&
        room.compareReceipt(simulation.changes, receipt as SolanaReceipt).length > 0,
    })
    if (outcome !== 'retry') return outcome.settled
    if (!renewed) throw new InvalidRequest("The transaction can't be signed anew")
    attempt = { request: renewed, mayChange: true }
  }
}

/** Nobody is asked to approve what no network would take. */
function requireOtherSignatures({ wallet, transaction: { message, signatures } }: SolanaRequest): void {
  const missing = message.signers.filter((signer, at) => signer !== wallet && !signatures[at])
  if (missing.length === 0) return
  throw new InvalidRequest(
    missing.includes(message.payer)
      ? 'The transaction is not signed by its fee payer'
      : `The transaction is not signed by ${missing.join(', ')}`,
  )
}

const withOwn = ({ room, wallet }: SolanaTransactionOptions, { prepared }: Review, signature: Uint8Array) =>
  room.withSignature(prepared.transaction, wallet.address, signature)

const isExpiryClaimed = (room: SolanaRoom, cause: unknown) =>
  cause instanceof room.TransactionRefused && cause.failure.code === 'BlockhashNotFound'

/** A refusal for missing funds in the host's terms, where the node says so by the name of its error alone. */
const shortageOf = (room: SolanaRoom, cause: unknown): unknown =>
  cause instanceof room.TransactionRefused && cause.shortage
    ? new KitError('insufficient_funds', 'Solana wallet has insufficient funds for this transaction.', {
        cause,
      })
    : cause

/** The entry of a signed transaction, before it is broadcast. */
function entryOf(
  cx: WalletFlow,
  { chain }: SolanaCluster,
  { prepared: { life }, preview }: Review,
  bytes: Uint8Array,
  hash: string,
): ActivityEntry {
  const transfer = preview.actions.find((action) => action.kind === 'transfer')
  const token = tokenOf(preview)
  return {
    chain,
    wallet: preview.wallet,
    hash,
    title: titleOf(preview),
    ...(transfer?.kind === 'transfer' && { to: transfer.to }),
    ...(preview.value > 0n && { amount: String(preview.value), asset: preview.coin }),
    ...token,
    sentAt: cx.clock.now(),
    status: 'pending',
    raw: base64.encode(bytes),
    ...(life.kind === 'blockhash' && { lastValidBlockHeight: String(life.lastValidBlockHeight) }),
  }
}

/** The one transfer of a token, whose recipient and amount the activity names. */
function tokenOf({ actions }: TransactionPreview): Pick<ActivityEntry, 'to' | 'amount' | 'asset'> {
  const [only, ...others] = actions.flatMap((action) =>
    action.kind === 'instruction' && action.instruction.kind === 'transferToken' ? [action.instruction] : [],
  )
  if (!only || others.length > 0) return {}
  const { amount, decimals, symbol = '', destination, destinationOwner = destination } = only
  return {
    to: destinationOwner,
    ...(decimals !== undefined && { amount: String(amount), asset: { symbol, decimals } }),
  }
}

const reviewAndSign = (
  cx: WalletFlow,
  options: SolanaTransactionOptions,
  action: 'sign' | 'send',
  attempt: Attempt,
): Promise<{ review: Review; signature: Uint8Array }> =>
  inVault(cx) ? signInVault(cx, options, action, attempt) : signInPage(cx, options, action, attempt)

async function signInPage(
  cx: WalletFlow,
  options: SolanaTransactionOptions,
  action: 'sign' | 'send',
  attempt: Attempt,
): Promise<{ review: Review; signature: Uint8Array }> {
  prepareVault(cx)
  let review = await load(cx, options, action, attempt)
  let error: string | undefined
  for (;;) {
    const props = propsOf(options, action, review.preview)
    const answer = await cx.stage.ask(approveTransaction, { ...props, ...(error && { error }) })
    error = undefined
    if (answer === 'cancel') throw new Closed('The user cancelled')
    if (answer === 'recheck') {
      review = await load(cx, options, action, attempt)
      continue
    }
    const fresh = await refresh(cx, options, review)
    const isSame = isSamePreview(fresh.preview, review.preview)
    review = fresh
    // What is signed is what was displayed last.
    if (!isSame) continue
    try {
      const { request, read } = solanaSignature(review.prepared.transaction.message.bytes)
      return { review, signature: read(await askVault(cx, options.wallet, request)) }
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed) throw cause
      error = reportFailure(cx, failureOf(cause))
    }
  }
}

/** Asks the nodes, while the user sees what is known: first from the bytes alone, then the costs, then what a trial run says. */
async function load(
  cx: WalletFlow,
  options: SolanaTransactionOptions,
  action: 'sign' | 'send',
  { request, mayChange }: Attempt,
): Promise<Review> {
  const { rpc, room } = options
  const node = { rpc, clock: cx.clock }
  async function during<T>(
    preview: TransactionPreview,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const props = { ...propsOf(options, action, preview), preparing: true }
    for (;;) {
      const came = await cx.stage.askDuring(approveTransaction, props, work)
      if ('done' in came) return came.done
      if (came.answer === 'cancel') throw new Closed('The user cancelled')
    }
  }
  const { message } = request.transaction
  const offline = toPreview(cx, options, room.reviewMessage(message, request.wallet))
  for (;;) {
    try {
      const prepared = await during(offline, (signal) => room.prepare(node, request, { mayChange, signal }))
      const costs = toPreview(cx, options, room.toPreview(prepared))
      const simulation = await during(costs, (signal) => room.simulate(node, prepared, { signal }))
      return reviewOf(cx, options, prepared, simulation)
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed || cause instanceof InvalidRequest) throw cause
      await showFailure(cx, cause)
    }
  }
}

/** The review with another trial run, if the last one is old. A node that can't run it now doesn't undo what was displayed. */
async function refresh(cx: WalletFlow, options: SolanaTransactionOptions, review: Review): Promise<Review> {
  const { prepared, simulation } = review
  if (cx.clock.now() - simulation.at < signingLimits.previewAge || simulation.status === 'unavailable')
    return review
  const node = { rpc: options.rpc, clock: cx.clock }
  const fresh = await options.room.simulate(node, prepared, { signal: cx.stage.signal })
  return fresh.status === 'unavailable' ? review : reviewOf(cx, options, prepared, fresh)
}

function isSamePreview(one: TransactionPreview, other: TransactionPreview): boolean {
  const plain = ({ total, balance, balanceChanges, warnings }: TransactionPreview) =>
    JSON.stringify([total, balance, balanceChanges, warnings], (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
  return plain(one) === plain(other)
}

/** The vault displays it by the bytes: first those that the app gave, then those that are signed. */
async function signInVault(
  cx: WalletFlow,
  options: SolanaTransactionOptions,
  action: 'sign' | 'send',
  { request, mayChange }: Attempt,
): Promise<{ review: Review; signature: Uint8Array }> {
  const { wallet, rpc, room, cluster } = options
  const node = { rpc, clock: cx.clock }
  const more = { action, ...testCluster(cluster) }
  for (;;) {
    try {
      const { prepared, signed, again } = await approvedInVault(
        cx,
        wallet,
        approveTransaction.id,
        async (show, signal) => {
          const { message } = request.transaction
          // An absurd fee is refused before the vault is asked.
          room.reviewMessage(message, request.wallet)
          show(solanaSignature(message.bytes).request, { ...more, state: 'preparing' })
          const ready = await room.prepare(node, request, { mayChange, signal })
          const simulation = await room.simulate(node, ready, { signal })
          const review = reviewOf(cx, options, ready, simulation)
          const state = review.preview.isUnderfunded
            ? 'underfunded'
            : simulation.status === 'failed'
              ? 'may-fail'
              : undefined
          show(solanaSignature(ready.transaction.message.bytes).request, { ...more, ...(state && { state }) })
          return review
        },
      )
      if (again) continue
      const { read } = solanaSignature(prepared.prepared.transaction.message.bytes)
      return { review: prepared, signature: read(signed) }
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed || cause instanceof InvalidRequest) throw cause
      await showFailure(cx, cause)
    }
  }
}

/** For the vault, which takes it for what the page says. */
function testCluster({ chain }: SolanaCluster): { cluster?: 'devnet' | 'testnet' } {
  if (chain === 'solana:devnet') return { cluster: 'devnet' }
  return chain === 'solana:testnet' ? { cluster: 'testnet' } : {}
}

const reviewOf = (
  cx: WalletFlow,
  options: SolanaTransactionOptions,
  prepared: PreparedTransaction,
  simulation: Simulation,
): Review => ({
  prepared,
  simulation,
  preview: toPreview(cx, options, options.room.toPreview(prepared, simulation)),
})

const toPreview = (cx: WalletFlow, { cluster }: SolanaTransactionOptions, review: SolanaReview) =>
  toSolanaPreview(review, { origin: cx.page.origin, network: { name: cluster.name } })

const propsOf = (
  { ui }: SolanaTransactionOptions,
  action: 'sign' | 'send',
  preview: TransactionPreview,
): ApproveTransactionProps => ({ preview, action, ...wordsOf(ui) })
