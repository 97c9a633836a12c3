import { Closed } from '../../dialog/stage.ts'
import { broadcast } from '../../ethereum/broadcast.ts'
import { explorerUrlOf, gasPriceOracleOf } from '../../ethereum/chains.ts'
import { formatQuantity } from '../../ethereum/integer.ts'
import { type Attempt, nextAttempt } from '../../ethereum/next-attempt.ts'
import { type PreparedTransaction, prepareTransaction } from '../../ethereum/prepare-transaction.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import {
  formatTransaction,
  type TransactionRequest,
  type WalletTransaction,
} from '../../ethereum/transaction.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { EXECUTION_REVERTED, type NodeError, Unsettled } from '../../lib/node-errors.ts'
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
import type { Warning } from '../preview.ts'
import { type ApproveTransactionProps, approveTransaction } from './approve-transaction.tsx'
import { failureOf, reasonOf, showFailure } from './failure.ts'
import { toPreview } from './preview.ts'
import { sendSigned } from './sending.ts'

export interface TransactionOptions {
  readonly wallet: EmbeddedAccount
  readonly request: WalletTransaction
  readonly action: 'sign' | 'send'
  readonly node: ChainNode
  /** Called with the outcome of each broadcast, which continues even if the dialog is closed. */
  readonly onBroadcast: (outcome: Promise<string>) => void
}

/**
 * Shows what a transaction does and costs, signs it once the person agrees, and sends it if asked to.
 * Resolves with the signed transaction, or with its hash. Throws `Closed` if they don't agree, or why it
 * can't be done. Nothing else is signed as long as the network might have the first one.
 */
export async function transact(cx: WalletFlow, options: TransactionOptions): Promise<string> {
  let attempt: Attempt = options
  for (;;) {
    const { prepared, raw } = inVault(cx)
      ? await decideInVault(cx, options, attempt)
      : await decide(cx, options, attempt)
    if (raw === 'again') continue
    const { transaction } = prepared
    const props = propsOf(cx, options, prepared)
    if (options.action === 'sign') {
      await showDone(cx, approveTransaction, props)
      return raw
    }
    try {
      return await sendSigned(cx, props, {
        ...options,
        broadcast: () => broadcast(options.node, raw, transaction.chainId),
        explorerUrl: (hash) => explorerUrlOf(cx.config, transaction.chainId, hash),
      })
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Unsettled || cause instanceof Closed) throw cause
      const next = nextAttempt(attempt.request, transaction, options.request.nonce, cause)
      await showFailure(cx, cause, { inVain: !next })
      attempt = next ?? attempt
    }
  }
}

interface Decision {
  readonly prepared: PreparedTransaction
  /** The signed transaction. 'again': the person was told that the wallet has too little money. */
  readonly raw: string | 'again'
}

async function decide(cx: WalletFlow, options: TransactionOptions, attempt: Attempt): Promise<Decision> {
  prepareVault(cx)
  const prepared = await prepare(cx, options, attempt)
  return { prepared, raw: await approve(cx, options, prepared, propsOf(cx, options, prepared)) }
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
      if (again) return { prepared, raw: 'again' }
      return { prepared, raw: ethereumSignature(requestOf(request)).read(signed) }
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
  { transaction, fee, isUnderfunded, doubt }: PreparedTransaction,
): ApproveTransactionProps => ({
  preview: toPreview(cx.config, transaction, {
    ...previewContext(cx, options),
    fee,
    isUnderfunded,
    warnings: doubt && !isUnderfunded ? [simulationWarning(doubt)] : [],
  }),
  action: options.action,
})

const previewContext = (cx: WalletFlow, { request }: TransactionOptions) => ({
  origin: cx.page.origin,
  wallet: request.from,
})

const simulationWarning = (error: NodeError): Warning => {
  const reason = reasonOf(error)?.message
  return { code: isRevert(error) ? 'reverts' : 'may-fail', severity: 'danger', ...(reason && { reason }) }
}

/** Lets the node fill in what is missing, while the person sees what is known. */
async function prepare(
  cx: WalletFlow,
  options: TransactionOptions,
  { request, dearerThan }: Attempt,
): Promise<PreparedTransaction> {
  const gasPriceOracle = gasPriceOracleOf(cx.config, request.chainId)
  const props = {
    preview: toPreview(cx.config, options.request, previewContext(cx, options)),
    action: options.action,
    preparing: true,
  }
  for (;;) {
    try {
      const came = await cx.stage.askDuring(approveTransaction, props, (signal) =>
        prepareTransaction(options.node, request, { gasPriceOracle, dearerThan, signal }),
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
  { wallet }: TransactionOptions,
  { transaction, isUnderfunded, doubt }: PreparedTransaction,
  props: ApproveTransactionProps,
): Promise<string | 'again'> {
  // The host learns why a transaction will likely fail; the user may send it all the same.
  if (doubt && !isUnderfunded) cx.report(failureOf(doubt))
  let error: string | undefined
  for (;;) {
    const answer = await cx.stage.ask(approveTransaction, { ...props, ...(error && { error }) })
    if (answer === 'cancel') throw new Closed('The user cancelled')
    if (answer === 'recheck') return 'again'
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
