import type { ActivityEntry } from '../../activity/entry.ts'
import type { Settled } from '../../activity/tracker.ts'
import { Closed } from '../../dialog/stage.ts'
import { broadcast, transactionHash } from '../../ethereum/broadcast.ts'
import { decodeCall } from '../../ethereum/call-decoder.ts'
import { explorerUrlOf, gasPriceOracleOf } from '../../ethereum/chains.ts'
import { readAllowance, withAllowance } from '../../ethereum/edit-allowance.ts'
import type { FailureReason } from '../../ethereum/failure-reason.ts'
import type { FeeChoice, FeeSpeed } from '../../ethereum/fees.ts'
import { formatQuantity } from '../../ethereum/integer.ts'
import { type Attempt, nextAttempt } from '../../ethereum/next-attempt.ts'
import { type PreparedTransaction, prepareTransaction } from '../../ethereum/prepare-transaction.ts'
import type { TransactionReceipt } from '../../ethereum/receipt.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { compareWithReceipt } from '../../ethereum/simulate.ts'
import { withReach } from '../../ethereum/token-action.ts'
import { readToken, type Token } from '../../ethereum/tokens.ts'
import {
  formatTransaction,
  type TransactionRequest,
  type WalletTransaction,
} from '../../ethereum/transaction.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { EXECUTION_REVERTED, NodeError, Unsettled } from '../../lib/node-errors.ts'
import type { Prices } from '../../prices/prices.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import {
  approvedInVault,
  askVault,
  ethereumSignature,
  inVault,
  prepareVault,
  reportFailure,
  showDone,
} from '../approved.ts'
import { type EditedFees, type TransactionPreview, titleOf, type Warning } from '../preview.ts'
import {
  type ApproveTransactionProps,
  approveTransaction,
  type EditedAllowance,
} from './approve-transaction.tsx'
import { failureOf, reasonOf, showFailure } from './failure.ts'
import { readFeeChoice } from './fees.ts'
import { type ActivityService, showOutcome } from './outcome.ts'
import { type PreviewContext, toPreview } from './preview.ts'
import { isReviewCurrent, isReviewOld, loadReview, reviewContext, type TransactionReview } from './review.ts'
import { sendSigned } from './sending.ts'
import { type TransactionUi, wordsOf } from './transaction-ui.ts'

export interface TransactionOptions {
  readonly wallet: EmbeddedAccount
  readonly request: WalletTransaction
  readonly action: 'sign' | 'send'
  readonly node: ChainNode
  /** Prices of the app's server, for the review in the page. */
  readonly prices?: Prices | undefined
  /** The host's own words, which the vault never displays. */
  readonly ui?: TransactionUi | undefined
}

export interface SendOptions extends Omit<TransactionOptions, 'action'> {
  readonly activity: ActivityService
  /**
   * Called with the outcome of each broadcast, which continues even if the dialog is closed. It resolves once the network has the
   * transaction.
   */
  readonly onBroadcast: (outcome: Promise<ActivityEntry>) => void
  /** Whether the user may send another one after the network has failed it: not where its hash was given away. */
  readonly isRetryable: boolean
  /** A transaction that waits, whose nonce and higher fees the first attempt has. `request` then has that nonce. */
  readonly replaces?: Attempt['dearerThan'] | undefined
  /** The kind of transaction in the activity, where its preview doesn't say it. */
  readonly title?: ActivityEntry['title'] | undefined
}

/**
 * Reviews a transaction with the user, and signs it.
 * @returns the signed transaction, 0x-hex
 * @throws Closed if the user declines, or the error that keeps it from being signed
 */
export async function signTransaction(
  cx: WalletFlow,
  given: Omit<TransactionOptions, 'action'>,
): Promise<string> {
  const options: TransactionOptions = { ...given, action: 'sign' }
  let attempt: Attempt = options
  for (;;) {
    const { prepared, request, token, reviewed, raw } = await review(cx, options, attempt)
    attempt = { ...attempt, request }
    if (raw === 'again') continue
    await showDone(cx, approveTransaction, propsOf(cx, options, prepared, token, reviewed))
    return raw
  }
}

/**
 * Reviews a transaction with the user, signs and sends it, and displays what becomes of it. While the network may have it, the
 * same bytes alone are sent again.
 * @returns what the network decided
 * @throws Closed if the user declines or closes the dialog, or the error that keeps it from being sent
 */
export async function sendTransaction(cx: WalletFlow, given: SendOptions): Promise<Settled> {
  const options: TransactionOptions = { ...given, action: 'send' }
  const { activity } = given
  const { request } = options
  let attempt: Attempt = given.replaces ? { request, dearerThan: given.replaces } : { request }
  for (;;) {
    const { prepared, request, token, reviewed, raw } = await review(cx, options, attempt)
    attempt = { ...attempt, request }
    if (raw === 'again') continue
    const { transaction } = prepared
    const { preview } = propsOf(cx, options, prepared, token, reviewed)
    const entry = entryOf(cx, preview, transaction, raw, given.title)
    const explorerUrl = explorerUrlOf(cx.config, transaction.chainId, entry.hash)
    try {
      activity.add(entry)
      await sendSigned(cx, {
        broadcast: () => broadcast(given.node, raw, transaction.chainId).then(() => entry),
        onBroadcast: given.onBroadcast,
        explorerUrl: () => explorerUrl,
      })
    } catch (cause) {
      // Nobody has one that the network has refused for certain.
      if (cause instanceof NodeError) activity.remove(entry)
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Unsettled || cause instanceof Closed) throw cause
      const next = nextAttempt(attempt.request, transaction, options.request.nonce, cause)
      await showFailure(cx, cause, { inVain: !next })
      // Whatever else was refused, it must stay dearer than the one that it replaces.
      if (next) attempt = { ...(given.replaces && { dearerThan: given.replaces }), ...next }
      continue
    }
    const outcome = await showOutcome(cx, {
      activity,
      entry,
      network: preview.network.name,
      coin: preview.coin,
      explorerUrl,
      successHeader: given.ui?.successHeader,
      successDescription: given.ui?.successDescription,
      isRetryable: given.isRetryable && options.request.nonce === undefined,
      isDifferent: (settled) => isDifferent(reviewed, settled, preview.wallet),
    })
    if (outcome !== 'retry') return outcome.settled
    // A mined transaction has used its nonce.
    attempt = { request: { ...options.request, data: request.data, nonce: undefined } }
  }
}

/** Whether the network moved something else than the review in the page showed. */
function isDifferent(
  reviewed: TransactionReview | undefined,
  { entry, receipt }: Settled,
  wallet: string,
): boolean {
  const simulated = reviewed?.simulated
  if (entry.status !== 'confirmed' || receipt === undefined || simulated?.outcome !== 'simulated')
    return false
  // Of a transaction that was to fail nothing was shown, and what is only partly known can't be compared.
  if (simulated.status === 'failed' || !simulated.isComplete) return false
  const confirmed = receipt as TransactionReceipt
  return confirmed.hasAllLogs && compareWithReceipt(simulated, confirmed, wallet).length > 0
}

/** The entry of a signed transaction, before it is broadcast. */
function entryOf(
  cx: WalletFlow,
  preview: TransactionPreview,
  { chainId, to, nonce }: PreparedTransaction['transaction'],
  raw: string,
  title: ActivityEntry['title'] = titleOf(preview),
): ActivityEntry {
  const [action] = preview.actions
  const token = action?.kind === 'token' && action.call.action === 'transfer' ? action : undefined
  const sent = preview.value > 0n ? { units: preview.value, asset: preview.coin } : undefined
  const moved =
    token?.asset && token.call.amount !== undefined ? { units: token.call.amount, asset: token.asset } : sent
  return {
    chain: `eip155:${chainId}`,
    wallet: preview.wallet,
    hash: transactionHash(raw),
    title,
    ...((token?.call.party ?? to) && { to: token?.call.party ?? to }),
    ...(moved && { amount: String(moved.units), asset: moved.asset }),
    sentAt: cx.clock.now(),
    status: 'pending',
    raw,
    nonce: String(nonce),
  }
}

const review = (cx: WalletFlow, options: TransactionOptions, attempt: Attempt): Promise<Decision> =>
  inVault(cx) ? decideInVault(cx, options, attempt) : decide(cx, options, attempt)

interface Decision {
  readonly prepared: PreparedTransaction
  /** What was prepared: the host page's request, with the allowance that the user has chosen. */
  readonly request: WalletTransaction
  /** The token of an allowance. */
  readonly token: Token | undefined
  /** What the page's review showed beside the transaction's own bytes. */
  readonly reviewed?: TransactionReview | undefined
  /** The signed transaction. 'again': the person was told that the wallet has too little money. */
  readonly raw: string | 'again'
}

async function decide(cx: WalletFlow, options: TransactionOptions, attempt: Attempt): Promise<Decision> {
  prepareVault(cx)
  let { request } = attempt
  let loaded = await prepare(cx, options, attempt)
  let notice: ApproveTransactionProps['notice']
  for (;;) {
    const { prepared, token } = loaded
    const props = { ...propsOf(cx, options, prepared, token, loaded), ...(notice && { notice }) }
    const answer = await approve(cx, options, { ...attempt, request }, loaded, props)
    notice = undefined
    if (typeof answer === 'string') return { prepared, request, token, reviewed: loaded, raw: answer }
    if ('fresh' in answer) {
      loaded = answer.fresh
      notice = 'renewed'
    } else if ('fees' in answer.edited) {
      const fees = { edited: { fees: answer.edited.fees } }
      const changed = await changeFees(cx, options, { ...attempt, request }, loaded, props, fees)
      if (changed === 'refused') notice = 'fees-refused'
      else loaded = changed
    } else {
      // Other bytes are another transaction: it is prepared and reviewed anew.
      const { data, to } = request
      if (to) request = { ...request, data: withAllowance(data, to, answer.edited.allowance) }
      loaded = await prepare(cx, options, { ...attempt, request }, loaded.choice)
    }
  }
}

/** The vault shows it: first what is known, then what the node has filled in. */
async function decideInVault(
  cx: WalletFlow,
  options: TransactionOptions,
  { request, dearerThan }: Attempt,
): Promise<Decision> {
  const { wallet, action, node } = options
  const gasPriceOracle = gasPriceOracleOf(cx.config, request.chainId)
  for (;;) {
    try {
      const { prepared, signed, again } = await approvedInVault(
        cx,
        wallet,
        approveTransaction.id,
        async (show, signal) => {
          show(requestOf(request), { action, state: 'preparing' })
          const ready = await prepareTransaction(node, request, { gasPriceOracle, dearerThan, signal })
          // An absurd fee is refused before the vault is asked.
          propsOf(cx, options, ready)
          const { isUnderfunded, doubt } = ready
          if (doubt && !isUnderfunded) cx.report(failureOf(doubt))
          const state = isUnderfunded ? 'underfunded' : doubt ? stateFor(doubt) : undefined
          show(requestOf(ready.transaction), {
            action,
            ...(state && { state }),
            ...(ready.layerOneFee > 0n && { layerOneFee: formatQuantity(ready.layerOneFee) }),
          })
          return ready
        },
      )
      if (again) return { prepared, request, token: undefined, raw: 'again' }
      return { prepared, request, token: undefined, raw: ethereumSignature(requestOf(request)).read(signed) }
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed || cause instanceof InvalidRequest) throw cause
      await showFailure(cx, cause)
    }
  }
}

/** The node's own words come by way of the page, so the vault only gets what kind of refusal it is. */
const stateFor = (error: NodeError) => (isRevert(error) ? 'reverts' : 'may-fail')

const isRevert = ({ code, message }: NodeError) => code === EXECUTION_REVERTED || /revert/i.test(message)

const requestOf = (transaction: TransactionRequest) => ({
  method: 'eth_signTransaction',
  params: [formatTransaction(transaction)],
})

const propsOf = (
  cx: WalletFlow,
  options: TransactionOptions,
  { transaction, fee, balance, isUnderfunded, doubt, reason }: PreparedTransaction,
  token?: Token,
  reviewed?: TransactionReview,
): ApproveTransactionProps => {
  const { warnings = [], ...more } = reviewed ? reviewContext(cx, reviewed) : {}
  const preview = toPreview(cx.config, transaction, {
    ...more,
    ...previewContext(cx, options),
    ...allowanceContext(options.request, transaction, token),
    fee,
    balance,
    isUnderfunded,
    warnings: [...(doubt && !isUnderfunded ? [simulationWarning(doubt, reason)] : []), ...warnings],
  })
  return { preview, action: options.action, ...wordsOf(options.ui) }
}

const previewContext = (cx: WalletFlow, { request }: TransactionOptions) => ({
  origin: cx.page.origin,
  wallet: request.from,
})

/** What the token itself says of an allowance: how it is counted, and what it reaches. */
function allowanceContext(
  asked: WalletTransaction,
  { data, to }: Pick<TransactionRequest, 'data' | 'to'>,
  token: Token | undefined,
): Pick<PreviewContext, 'allowance' | 'call'> {
  if (!token || !to) return {}
  const [first, now, call] = [readAllowance(asked.data, to), readAllowance(data, to), decodeCall(data, to)]
  if (!first || !now || !call) return {}
  const { symbol, decimals, balance } = token
  const { isUnlimited } = first
  // A request that names no amount needs no more than the wallet has.
  const once = !isUnlimited ? first.amount : balance && balance <= first.amount ? balance : undefined
  const { amountOrToken: _, ...named } = call
  return {
    call: withReach({ ...named, amount: now.amount }, balance === undefined ? undefined : { balance }),
    allowance: {
      asked: first.amount,
      amount: now.amount,
      isMaximum: isUnlimited,
      ...(once !== undefined && { once }),
      asset: { symbol, decimals },
    },
  }
}

/** The token that an allowance is of. Without its decimals no amount can be chosen, and the request stays as it is. */
async function readAllowanceToken(
  node: ChainNode,
  { data, to, from }: WalletTransaction,
  signal: AbortSignal,
): Promise<Token | undefined> {
  const allowance = to && readAllowance(data, to)
  if (!allowance) return undefined
  try {
    const token = await readToken(node, allowance.token, { owner: from, signal })
    return token.kind === 'token' ? token : undefined
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/** With the contract's own words where it gave some. */
function simulationWarning(error: NodeError, reason: FailureReason | undefined): Warning {
  const words = reason?.message ?? reasonOf(error)?.message
  return {
    code: isRevert(error) ? 'reverts' : 'may-fail',
    severity: 'danger',
    ...(words && { reason: words }),
  }
}

type Loaded = TransactionReview & { readonly token: Token | undefined }

async function load(
  cx: WalletFlow,
  options: TransactionOptions,
  attempt: Attempt,
  choice: FeeChoice | undefined,
  signal: AbortSignal,
): Promise<Loaded> {
  const [reviewed, token] = await Promise.all([
    loadReview(cx, options, attempt, { choice, signal }),
    readAllowanceToken(options.node, attempt.request, signal),
  ])
  return { ...reviewed, token }
}

/** Prepares the transaction with other fees, while the user sees which. `refused`: nobody means to pay those. */
async function changeFees(
  cx: WalletFlow,
  options: TransactionOptions,
  attempt: Attempt,
  loaded: Loaded,
  { preview, ...props }: ApproveTransactionProps,
  edited: EditedFees,
): Promise<Loaded | 'refused'> {
  const choice = readFeeChoice(edited) ?? loaded.choice
  const chosen: FeeSpeed | 'own' = typeof choice === 'object' ? 'own' : (choice ?? 'usual')
  const { fee: _, total: __, feeConcern: ___, fees, ...rest } = preview
  const waiting = {
    ...props,
    preview: { ...rest, ...(fees && { fees: { ...fees, chosen } }) },
    preparing: true,
  }
  try {
    const asked = await cx.stage.askDuring(approveTransaction, waiting, async (signal) => {
      const changed = await load(cx, options, attempt, choice, signal)
      // An absurd fee is refused here, and not where the request would end with it.
      propsOf(cx, options, changed.prepared, changed.token, changed)
      return changed
    })
    if ('done' in asked) return asked.done
    if (asked.answer === 'cancel') throw new Closed('The user cancelled')
  } catch (cause) {
    cx.stage.signal.throwIfAborted()
    if (cause instanceof Closed) throw cause
    if (cause instanceof InvalidRequest) return 'refused'
    await showFailure(cx, cause)
  }
  return loaded
}

/** The review as the network has it now; `undefined` where what the user has seen still holds. */
async function renew(
  cx: WalletFlow,
  options: TransactionOptions,
  attempt: Attempt,
  loaded: Loaded,
): Promise<Loaded | undefined> {
  if (!isReviewOld(loaded, cx.clock.now())) return undefined
  const fresh = await load(cx, options, attempt, loaded.choice, cx.stage.signal)
  return isReviewCurrent(loaded, fresh) ? undefined : fresh
}

/** Lets the node fill in what is missing, while the person sees what is known. */
async function prepare(
  cx: WalletFlow,
  options: TransactionOptions,
  attempt: Attempt,
  choice?: FeeChoice | undefined,
): Promise<Loaded> {
  const { request } = attempt
  const props = {
    preview: toPreview(cx.config, { ...options.request, data: request.data }, previewContext(cx, options)),
    action: options.action,
    ...wordsOf(options.ui),
    preparing: true,
  }
  for (;;) {
    try {
      const came = await cx.stage.askDuring(approveTransaction, props, (signal) =>
        load(cx, options, attempt, choice, signal),
      )
      if ('done' in came) return came.done
      if (came.answer === 'cancel') throw new Closed('The person cancelled')
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed || cause instanceof InvalidRequest) throw cause
      await showFailure(cx, cause)
    }
  }
}

/** The user approves, and the vault signs. 'again': the wallet has insufficient funds, and is to be looked at again. */
async function approve(
  cx: WalletFlow,
  options: TransactionOptions,
  attempt: Attempt,
  loaded: Loaded,
  props: ApproveTransactionProps,
): Promise<string | 'again' | EditedAllowance | EditedFees | { readonly fresh: Loaded }> {
  const { transaction, isUnderfunded, doubt } = loaded.prepared
  // The host learns why a transaction will likely fail; the user may send it all the same.
  if (doubt && !isUnderfunded) cx.report(failureOf(doubt))
  let error: string | undefined
  for (;;) {
    const answer = await cx.stage.ask(approveTransaction, { ...props, ...(error && { error }) })
    if (answer === 'cancel') throw new Closed('The user cancelled')
    if (answer === 'recheck') return 'again'
    if (typeof answer === 'object') return answer
    try {
      const fresh = await renew(cx, options, attempt, loaded)
      if (fresh) return { fresh }
      const { request, read } = ethereumSignature(requestOf(transaction))
      return read(await askVault(cx, options.wallet, request))
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed) throw cause
      error = reportFailure(cx, failureOf(cause))
    }
  }
}
