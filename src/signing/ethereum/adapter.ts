import { broadcast, transactionHash } from '../../ethereum/broadcast.ts'
import { decodeCall } from '../../ethereum/call-decoder.ts'
import { type ChainOptions, explorerUrlOf } from '../../ethereum/chains.ts'
import { readAllowances, withAllowance } from '../../ethereum/edit-allowance.ts'
import { type FailureReason, failureReason, type LeastPrice } from '../../ethereum/failure-reason.ts'
import type { FeeChoice } from '../../ethereum/fees.ts'
import { formatQuantity } from '../../ethereum/integer.ts'
import { nextAttempt } from '../../ethereum/next-attempt.ts'
import type { PreparedTransaction } from '../../ethereum/prepare-transaction.ts'
import type { TransactionReceipt } from '../../ethereum/receipt.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { readToken } from '../../ethereum/tokens.ts'
import {
  type CompleteTransaction,
  completeTransaction,
  formatTransaction,
  parseTransaction,
  type TransactionRequest,
  type WalletTransaction,
  withSender,
} from '../../ethereum/transaction.ts'
import type { Delegate } from '../../ethereum/wallet-code.ts'
import { EXECUTION_REVERTED, NodeError, Unreachable } from '../../lib/node-errors.ts'
import { factsIn, factsKey, readEdit, type TokenFacts, toEditable, tokensOf } from '../allowances.ts'
import type { ChainAdapter, ChainTypes, TransactionAction } from '../chain-adapter.ts'
import { learnOnPage } from '../page-knowledge.ts'
import type { Warning } from '../preview.ts'
import { readHex } from '../signature.ts'
import { withTrial } from '../transaction/explain.ts'
import { reasonOf } from '../transaction/failure.ts'
import { readFeeChoice } from '../transaction/fees.ts'
import { type Knowledge, missingKnowledge, type PreviewContext, toPreview } from '../transaction/preview.ts'
import {
  isReceiptDifferent,
  isReviewCurrent,
  loadReview,
  type ReviewSources,
  reviewContext,
  type TransactionReview,
} from '../transaction/review.ts'
import { assertApproved } from './approved.ts'
import { createEthereumTracker } from './track.ts'

export interface EthereumAdapterOptions {
  readonly chains: ChainOptions
  /** The host page's, or that of another app's page that asks. */
  readonly origin: string
  /** The name of that other app. */
  readonly app?: string | undefined
  /** The address of the wallet that signs. */
  readonly wallet: string
  /** The node of the transaction's own chain. */
  readonly node: ChainNode
  /** The chain of a transaction that names none. */
  readonly chainId?: number | undefined
  /** A transaction that waits, whose nonce the request has: the first attempt pays more. */
  readonly replaces?: CompleteTransaction | undefined
  /** Contracts whose code the app allows at its users' own addresses (EIP-7702); none by default. */
  readonly delegates?: readonly Delegate[] | undefined
  /** For a review in the page, which simulates and prices the transaction; the vault does that by itself. */
  readonly review?: ReviewSources | undefined
}

interface EthereumAttempt {
  /** The app's own request. */
  readonly asked: WalletTransaction
  /** The same with the allowance that the user has chosen, and what a refusal has decided. */
  readonly request: WalletTransaction
  readonly replaces: CompleteTransaction | undefined
  /** The price that the network has named for taking it. */
  readonly least?: LeastPrice | undefined
  /** The fees that the user has chosen. */
  readonly choice?: FeeChoice | undefined
  readonly action: TransactionAction
}
/** What others say of the contracts and tokens of a request. */
interface Facts {
  /** Figures of the tokens that allowances are of. */
  readonly tokens: ReadonlyMap<string, TokenFacts>
  /** Words of descriptors. */
  readonly knowledge: Knowledge
  /** When all this was asked, in seconds since 1970. */
  readonly at: bigint
}
interface EthereumPrepared extends TransactionReview {
  /** `undefined`: it is reviewed elsewhere. */
  readonly facts: Facts | undefined
}
export interface EthereumTypes extends ChainTypes {
  readonly request: WalletTransaction
  readonly attempt: EthereumAttempt
  readonly prepared: EthereumPrepared
  /** `raw`: 0x-hex, ready to be sent. */
  readonly signed: { readonly raw: string; readonly hash: string }
}
export type EthereumAdapter = ChainAdapter<EthereumTypes>

/** Transactions of a key's own account on an EVM chain. */
export function createEthereumAdapter({
  chains,
  origin,
  app,
  wallet,
  node,
  chainId,
  delegates = [],
  replaces,
  review,
}: EthereumAdapterOptions): EthereumAdapter {
  const prepare = async ({ request, replaces, least, choice }: EthereumAttempt, signal: AbortSignal) => {
    const attempt = { request, ...(replaces && { replaces }), least }
    const [prepared, facts] = await Promise.all([
      loadReview(attempt, { chains, node, review, choice, signal }),
      review && readFacts(review, node, request, signal),
    ])
    return { ...prepared, facts }
  }

  return {
    ...createEthereumTracker(node),
    chainType: 'ethereum',
    parse: (input) => withSender(parseTransaction(input, { chainId, delegates }), wallet),
    start: (request, action) => ({ asked: request, request, replaces, action }),
    edit(attempt, { allowance, fees }) {
      const { data, to } = attempt.request
      if (fees !== undefined) return { ...attempt, choice: readFeeChoice(fees) ?? attempt.choice }
      const edit = to && readEdit({ allowance }, readAllowances(attempt.asked.data, to))
      if (!to || !edit) return attempt
      return { ...attempt, request: { ...attempt.request, data: withAllowance(data, to, edit) } }
    },
    adopt(attempt, prepared, edited) {
      if (!('transaction' in edited)) return { attempt, prepared }
      const transaction = completeTransaction(parseTransaction(edited.transaction, { delegates }))
      const { gasLimit, gasPrice = 0n, maxFeePerGas = gasPrice } = transaction
      const choice = changedFees(prepared.transaction, transaction) ?? attempt.choice
      return {
        attempt: { ...attempt, request: { ...attempt.request, data: transaction.data }, choice },
        prepared: {
          ...prepared,
          transaction: { ...transaction, from: prepared.transaction.from },
          fee: gasLimit * maxFeePerGas + prepared.layerOneFee,
        },
      }
    },
    prepare,

    preview({ asked, request }, prepared) {
      if (!prepared) return toPreview(chains, request, { origin, app, wallet, delegates })
      const { transaction, fee, balance, isUnderfunded, simulationError, reason, facts, tokenShortage } =
        prepared
      const { warnings = [], ...reviewed } = reviewContext(chains, prepared)
      const preview = toPreview(chains, transaction, {
        ...reviewed,
        origin,
        app,
        wallet,
        delegates,
        ...factsContext(asked, transaction, facts),
        fee,
        balance,
        isUnderfunded,
        warnings: [
          ...(simulationError && !isUnderfunded && !tokenShortage
            ? [simulationWarning(simulationError, reason)]
            : []),
          ...warnings,
        ],
      })
      return prepared.simulated ? withTrial(preview) : preview
    },

    encode: ({ request, action }, prepared) => ({
      content: {
        kind: 'evmTransaction',
        action,
        transaction: formatTransaction(prepared?.transaction ?? request),
        ...(prepared ? stateOf(prepared) : { state: 'preparing' }),
      },
      read(result, edited) {
        const raw = readHex(result)
        if (prepared) assertApproved(raw, prepared.transaction, edited, delegates)
        return { raw, hash: transactionHash(raw) }
      },
    }),

    failureKind: (cause) => failureReason(cause).kind,

    expectedFailure: ({ simulationError, reason, isUnderfunded }) =>
      isUnderfunded || !simulationError ? undefined : { cause: simulationError, kind: reason?.kind },

    async renew(attempt, displayed, signal) {
      try {
        const renewed = await prepare(attempt, signal)
        return isReviewCurrent(displayed, renewed) ? undefined : renewed
      } catch (cause) {
        signal.throwIfAborted()
        // A node that can't answer now doesn't undo what was displayed.
        if (cause instanceof NodeError || cause instanceof Unreachable) return undefined
        throw cause
      }
    },

    toEntry({ transaction: { chainId, to, nonce } }, { raw }, { actions: [action] }) {
      const token = action?.kind === 'token' && action.call.action === 'transfer' ? action : undefined
      const party = token?.call.party ?? to
      return {
        chain: `eip155:${chainId}`,
        raw,
        nonce: String(nonce),
        ...(party && { to: party }),
        ...(token?.asset &&
          token.call.amount !== undefined && { amount: String(token.call.amount), asset: token.asset }),
      }
    },

    async submit({ transaction }, { raw }) {
      await broadcast(node, raw, transaction.chainId)
    },

    afterRefusal(attempt, { transaction }, cause) {
      const next = nextAttempt(attempt.request, transaction, attempt.asked.nonce, cause)
      if (!next) return { kind: 'stop', cause }
      const { request, replaces: refused = replaces, least = attempt.least } = next
      // Whatever else was refused, it must still pay more than the one that it replaces.
      return { kind: 'retry', cause, attempt: { ...attempt, request, replaces: refused, least } }
    },

    afterOutcome({ asked, request, action, choice }, _, status) {
      // A nonce that the app has given would be another payment, beside the one that went through.
      if (status !== 'failed' || asked.nonce !== undefined) return undefined
      // A mined transaction has used its nonce.
      return {
        asked,
        request: { ...asked, data: request.data, nonce: undefined },
        replaces: undefined,
        action,
        choice,
      }
    },

    isDifferent: (prepared, { entry, receipt }) =>
      entry.status === 'confirmed' &&
      receipt !== undefined &&
      isReceiptDifferent(prepared, receipt as TransactionReceipt),

    explorerUrl: ({ transaction }, { hash }) => explorerUrlOf(chains, transaction.chainId, hash),
  }
}

/** The fees that a user has chosen in the vault; `undefined` where they are those that were prepared. */
function changedFees(prepared: CompleteTransaction, signed: CompleteTransaction): FeeChoice | undefined {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = signed
  if (gasPrice !== undefined) return gasPrice === prepared.gasPrice ? undefined : { gasPrice }
  if (maxFeePerGas === undefined || maxPriorityFeePerGas === undefined) return undefined
  const isSame =
    maxFeePerGas === prepared.maxFeePerGas && maxPriorityFeePerGas === prepared.maxPriorityFeePerGas
  return isSame ? undefined : { maxFeePerGas, maxPriorityFeePerGas }
}

/** What the page has learned from the node. Its words stay here: they come by way of the page, so the vault only gets the kind. */
function stateOf({ isUnderfunded, simulationError, layerOneFee }: PreparedTransaction) {
  const state = isUnderfunded
    ? 'underfunded'
    : simulationError && (isRevert(simulationError) ? 'reverts' : 'may-fail')
  return {
    ...(state && ({ state } as const)),
    ...(layerOneFee > 0n && { layerOneFee: formatQuantity(layerOneFee) }),
  }
}

const isRevert = ({ code, message }: NodeError) => code === EXECUTION_REVERTED || /revert/i.test(message)

/** What descriptors say of the request, and its tokens of allowances: how they are counted, and what they reach. */
function factsContext(
  asked: WalletTransaction,
  { data, to }: Pick<TransactionRequest, 'data' | 'to'>,
  facts: Facts | undefined,
): Pick<PreviewContext, 'allowances' | 'findFacts' | 'descriptors' | 'data'> {
  if (!facts || !to) return {}
  const findFacts = factsIn(facts.tokens)
  const [first, now] = [readAllowances(asked.data, to), readAllowances(data, to)]
  return { ...facts.knowledge, findFacts, allowances: toEditable(first, now, findFacts, facts.at) }
}

/** A token, and whose it is where that isn't the wallet. */
type Place = { readonly token: string; readonly owner?: string | undefined }

/** Asks about the contracts and tokens of a request. Without its token's decimals an allowance stays as it is. */
async function readFacts(
  review: ReviewSources,
  node: ChainNode,
  request: WalletTransaction,
  signal: AbortSignal,
): Promise<Facts> {
  const { data, to, from, chainId } = request
  const call = to ? decodeCall(data, to) : undefined
  const isCounted = call?.action === 'transfer' || call?.action === 'approve'
  // What a form or an app counts in a token's units is reviewed in them, whether or not a node can simulate.
  const named: readonly Place[] = isCounted && call.contract !== undefined ? [{ token: call.contract }] : []
  const allowed: readonly Place[] = to ? tokensOf(readAllowances(data, to)) : []
  const isNew = ({ token }: Place) =>
    !allowed.some((each) => factsKey(each.token, each.owner) === factsKey(token))
  const needed = [...allowed, ...named.filter(isNew)]
  const tokens = new Map<string, TokenFacts>()
  const place = { chainId, wallet: from, node, signal }
  const learning = learnOnPage(review, place, (known) => ({
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
  const at = BigInt(Math.floor(review.clock.now() / 1_000))
  return { tokens, knowledge: { descriptors, data: words }, at }
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
