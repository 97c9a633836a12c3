import { Closed } from '../../dialog/stage.ts'
import { broadcast, isNonceUsed } from '../../ethereum/broadcast.ts'
import { type PreparedTransaction, prepareTransaction } from '../../ethereum/prepare-transaction.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { formatTransaction, type WalletTransaction } from '../../ethereum/transaction.ts'
import { Unsettled } from '../../lib/node-errors.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { prepareVault, reportFailure, showDone, signEthereum } from '../approved.ts'
import { type ApproveTransactionProps, approveTransaction } from './approve-transaction.tsx'
import { failureOf } from './failure.ts'
import { sendSigned } from './sending.ts'
import { figuresOf } from './transaction-view.ts'

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
  prepareVault(cx)
  let { request } = options
  let refusal: unknown
  for (;;) {
    const error = refusal === undefined ? undefined : reportFailure(cx, failureOf(refusal))
    const prepared = await prepare(cx, { ...options, request }, error)
    const props = { ...shown(cx, options), ...figuresOf(cx.config, prepared.transaction, prepared.fee) }
    const raw = await approve(cx, options, { prepared, props, error, refusal })
    if (raw === 'again') continue
    if (options.action === 'sign') {
      await showDone(cx, approveTransaction, props)
      return raw
    }
    try {
      return await sendSigned(cx, props, {
        ...options,
        broadcast: () => broadcast(options.node, raw, request.chainId),
      })
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Unsettled) throw cause
      refusal = cause
      // A node that hides the first one can't accept a second one as well: both have the same nonce.
      request = { ...request, nonce: isNonceUsed(cause) ? options.request.nonce : prepared.transaction.nonce }
    }
  }
}

/** Lets the node fill in what is missing, while the person sees what is known. */
async function prepare(
  cx: WalletFlow,
  options: TransactionOptions,
  before: string | undefined,
): Promise<PreparedTransaction> {
  const { node, request } = options
  let error = before
  for (;;) {
    const props = { ...shown(cx, options), preparing: true, ...(error && { error }) }
    let cause: unknown
    const came = await cx.stage
      .askDuring(approveTransaction, props, (signal) => prepareTransaction(node, request, signal))
      .catch((reason: unknown) => {
        cx.stage.signal.throwIfAborted()
        cause = reason
      })
    if (came && 'done' in came) return came.done
    if (came?.answer === 'cancel') throw new Closed('The person cancelled')
    if (came) continue
    error = reportFailure(cx, failureOf(cause), 'transaction.unprepared')
    const again = await cx.stage.ask(approveTransaction, { ...shown(cx, options), error })
    if (again === 'cancel') throw cause
  }
}

/** The person approves and the vault signs. 'again': they were told that the wallet has too little money. */
async function approve(
  cx: WalletFlow,
  { wallet }: TransactionOptions,
  now: {
    prepared: PreparedTransaction
    props: ApproveTransactionProps
    error: string | undefined
    refusal: unknown
  },
): Promise<string | 'again'> {
  const { prepared, props, refusal } = now
  let error = prepared.isUnderfunded ? cx.t('transaction.short') : now.error
  for (;;) {
    const answer = await cx.stage.ask(approveTransaction, { ...props, ...(error && { error }) })
    if (answer === 'cancel') throw refusal ?? new Closed('The person cancelled')
    if (prepared.isUnderfunded) return 'again'
    try {
      const params = [formatTransaction(prepared.transaction)]
      return await signEthereum(cx, wallet, { method: 'eth_signTransaction', params })
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed) throw cause
      error = reportFailure(cx, failureOf(cause))
    }
  }
}

const shown = (cx: WalletFlow, { request, action }: TransactionOptions): ApproveTransactionProps => ({
  ...{ origin: cx.page.origin, address: request.from, action },
  ...figuresOf(cx.config, request),
})
