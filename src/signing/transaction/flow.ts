import type { ActivityEntry } from '../../activity/entry.ts'
import type { Settled } from '../../activity/tracker.ts'
import { Closed } from '../../dialog/stage.ts'
import { broadcast, transactionHash } from '../../ethereum/broadcast.ts'
import { explorerUrlOf, gasPriceOracleOf } from '../../ethereum/chains.ts'
import { readAllowances, withAllowance } from '../../ethereum/edit-allowance.ts'
import type { FailureReason } from '../../ethereum/failure-reason.ts'
import { formatQuantity } from '../../ethereum/integer.ts'
import { type Attempt, nextAttempt } from '../../ethereum/next-attempt.ts'
import { type PreparedTransaction, prepareTransaction } from '../../ethereum/prepare-transaction.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { deserialize } from '../../ethereum/serialize.ts'
import { readToken } from '../../ethereum/tokens.ts'
import {
  formatTransaction,
  type TransactionRequest,
  type WalletTransaction,
} from '../../ethereum/transaction.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { EXECUTION_REVERTED, NodeError, Unsettled } from '../../lib/node-errors.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { factsIn, factsKey, readEdit, type TokenFacts, toEditable, tokensOf } from '../allowances.ts'
import {
  approvedInVault,
  askVault,
  ethereumSignature,
  inVault,
  prepareVault,
  reportFailure,
  showDone,
} from '../approved.ts'
import { learnOnPage } from '../page-knowledge.ts'
import { type EditedAllowance, type TransactionPreview, titleOf, type Warning } from '../preview.ts'
import { type ApproveTransactionProps, approveTransaction } from './approve-transaction.tsx'
import { failureOf, reasonOf, showFailure } from './failure.ts'
import { type ActivityService, showOutcome } from './outcome.ts'
import { type Knowledge, missingKnowledge, type PreviewContext, toPreview } from './preview.ts'
import { sendSigned } from './sending.ts'
import { type TransactionUi, wordsOf } from './transaction-ui.ts'

export interface TransactionOptions {
  readonly wallet: EmbeddedAccount
  readonly request: WalletTransaction
  readonly action: 'sign' | 'send'
  readonly node: ChainNode
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
    const { prepared, request, facts, raw } = await review(cx, options, attempt)
    attempt = { ...attempt, request }
    if (raw === 'again') continue
    await showDone(cx, approveTransaction, propsOf(cx, options, prepared, facts))
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
    const { prepared, request, facts, raw } = await review(cx, options, attempt)
    attempt = { ...attempt, request }
    if (raw === 'again') continue
    const { transaction } = prepared
    const { preview } = propsOf(cx, options, prepared, facts)
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
    })
    if (outcome !== 'retry') return outcome.settled
    // A mined transaction has used its nonce.
    attempt = { request: { ...options.request, data: request.data, nonce: undefined } }
  }
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
  /** Figures of the tokens that allowances are of. */
  readonly facts?: ReviewFacts | undefined
  /** The signed transaction. 'again': the person was told that the wallet has too little money. */
  readonly raw: string | 'again'
}

async function decide(cx: WalletFlow, options: TransactionOptions, attempt: Attempt): Promise<Decision> {
  prepareVault(cx)
  let { request } = attempt
  for (;;) {
    const { prepared, facts } = await prepare(cx, options, { ...attempt, request })
    const answer = await approve(cx, options, prepared, propsOf(cx, options, prepared, facts))
    if (typeof answer === 'string') return { prepared, request, facts, raw: answer }
    // Other bytes are another transaction: it is prepared and reviewed anew.
    request = withEdit(options.request, request, answer)
  }
}

/** The request with the allowance that the user has chosen, as far as it lowers what the host page asks for. */
function withEdit(
  asked: WalletTransaction,
  request: WalletTransaction,
  answer: EditedAllowance,
): WalletTransaction {
  const { data, to } = request
  const edit = to && readEdit(answer, readAllowances(asked.data, to))
  return to && edit ? { ...request, data: withAllowance(data, to, edit) } : request
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
      if (again) return { prepared, request, raw: 'again' }
      return signedInVault(prepared, request, ethereumSignature(requestOf(request)).read(signed))
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed || cause instanceof InvalidRequest) throw cause
      await showFailure(cx, cause)
    }
  }
}

/** In the vault the user may have lowered an allowance: what was signed says so. */
function signedInVault(prepared: PreparedTransaction, request: WalletTransaction, raw: string): Decision {
  const { data, gasLimit } = deserialize(raw, request.from)
  if (data === prepared.transaction.data) return { prepared, request, raw }
  return {
    prepared: { ...prepared, transaction: { ...prepared.transaction, data, gasLimit } },
    request: { ...request, data },
    raw,
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
  facts?: ReviewFacts,
): ApproveTransactionProps => ({
  preview: toPreview(cx.config, transaction, {
    ...previewContext(cx, options),
    ...factsContext(options.request, transaction, facts),
    fee,
    balance,
    isUnderfunded,
    warnings: doubt && !isUnderfunded ? [simulationWarning(doubt, reason)] : [],
  }),
  action: options.action,
  ...wordsOf(options.ui),
})

const previewContext = (cx: WalletFlow, { request }: TransactionOptions) => ({
  origin: cx.page.origin,
  wallet: request.from,
})

/** What others say of the contracts and tokens of one review. */
interface ReviewFacts {
  /** Figures of the tokens that allowances are of. */
  readonly tokens: ReadonlyMap<string, TokenFacts>
  /** Words of descriptors. */
  readonly knowledge: Knowledge
  /** When all this was asked, in seconds since 1970. */
  readonly at: bigint
}

/** What descriptors say of the request, and its tokens of allowances: how they are counted, and what they reach. */
function factsContext(
  asked: WalletTransaction,
  { data, to }: Pick<TransactionRequest, 'data' | 'to'>,
  facts: ReviewFacts | undefined,
): Pick<PreviewContext, 'allowances' | 'findFacts' | 'descriptors' | 'data'> {
  if (!facts || !to) return {}
  const findFacts = factsIn(facts.tokens)
  const [first, now] = [readAllowances(asked.data, to), readAllowances(data, to)]
  return { ...facts.knowledge, findFacts, allowances: toEditable(first, now, findFacts, facts.at) }
}

/** Asks about the contracts and tokens of a request. Without its token's decimals an allowance stays as it is. */
async function readFacts(
  cx: WalletFlow,
  node: ChainNode,
  request: WalletTransaction,
  signal: AbortSignal,
): Promise<ReviewFacts> {
  const { data, to, from, chainId } = request
  const needed = to ? tokensOf(readAllowances(data, to)) : []
  const tokens = new Map<string, TokenFacts>()
  const learning = learnOnPage(cx, { chainId, wallet: from, node }, (known) => ({
    ...missingKnowledge(request, known),
    messages: [],
  }))
  await Promise.all(
    needed.map(async ({ token, owner }) => {
      try {
        const found = await readToken(node, token, { owner: owner ?? from, signal })
        if (found.kind === 'token') tokens.set(factsKey(token, owner), found)
      } catch {
        signal.throwIfAborted()
      }
    }),
  )
  const { descriptors, data: words } = await learning
  return { tokens, knowledge: { descriptors, data: words }, at: BigInt(Math.floor(cx.clock.now() / 1_000)) }
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

/** Lets the node fill in what is missing, while the person sees what is known. */
async function prepare(
  cx: WalletFlow,
  options: TransactionOptions,
  { request, dearerThan }: Attempt,
): Promise<{ prepared: PreparedTransaction; facts: ReviewFacts }> {
  const gasPriceOracle = gasPriceOracleOf(cx.config, request.chainId)
  const props = {
    preview: toPreview(cx.config, { ...options.request, data: request.data }, previewContext(cx, options)),
    action: options.action,
    ...wordsOf(options.ui),
    preparing: true,
  }
  for (;;) {
    try {
      const came = await cx.stage.askDuring(approveTransaction, props, async (signal) => {
        const [prepared, facts] = await Promise.all([
          prepareTransaction(options.node, request, { gasPriceOracle, dearerThan, signal }),
          readFacts(cx, options.node, request, signal),
        ])
        return { prepared, facts }
      })
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
  { wallet }: TransactionOptions,
  { transaction, isUnderfunded, doubt }: PreparedTransaction,
  props: ApproveTransactionProps,
): Promise<string | 'again' | EditedAllowance> {
  // The host learns why a transaction will likely fail; the user may send it all the same.
  if (doubt && !isUnderfunded) cx.report(failureOf(doubt))
  let error: string | undefined
  for (;;) {
    const answer = await cx.stage.ask(approveTransaction, { ...props, ...(error && { error }) })
    if (answer === 'cancel') throw new Closed('The user cancelled')
    if (answer === 'recheck') return 'again'
    if (typeof answer === 'object') return answer
    try {
      const { request, read } = ethereumSignature(requestOf(transaction))
      return read(await askVault(cx, wallet, request))
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed) throw cause
      error = reportFailure(cx, failureOf(cause))
    }
  }
}
