import { broadcast, isNonceUsed } from '../../chains/broadcast.ts'
import { type PreparedTransaction, prepareTransaction } from '../../chains/prepare.ts'
import type { ChainNode } from '../../chains/rpc.ts'
import { Unsettled } from '../../chains/rpc.ts'
import type { TransactionRequest } from '../../chains/transaction.ts'
import { Closed } from '../../core/stage.ts'
import { KitError } from '../../errors/kit-error.ts'
import { type ApproveTransactionProps, approveTransaction } from '../../screens/sign/approve-transaction.tsx'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import { unlessAnswered } from '../leavable.ts'
import type { WalletFlow } from '../wallet/context.ts'
import { askVault, prepareVault, showDone, tellFailure } from './approved.ts'
import { sendSigned } from './sending.ts'
import { failureOf } from './transaction-failure.ts'
import { figuresOf, wireOf } from './transaction-view.ts'

export interface TransactionWish {
  readonly wallet: EmbeddedAccount
  readonly request: TransactionRequest
  readonly action: 'sign' | 'send'
  readonly node: ChainNode
  /** Told of each sending: it can't be called off, whatever becomes of the dialog. */
  readonly onSending: (sending: Promise<string>) => void
}

/**
 * Shows what a transaction does and costs, signs it once the person says so, and sends it where that is wished for.
 * Resolves with the signed transaction, or with its hash. Throws `Closed` when they don't agree, or why it can't be
 * done. Nothing else is signed as long as the network might have the first.
 */
export async function transact(cx: WalletFlow, wish: TransactionWish): Promise<string> {
  prepareVault(cx)
  let { request } = wish
  let refusal: unknown
  for (;;) {
    const error = refusal === undefined ? undefined : tellFailure(cx, failureOf(refusal))
    const prepared = await prepare(cx, { ...wish, request }, error)
    const props = { ...shown(cx, wish), ...figuresOf(cx.config, prepared) }
    const raw = await approve(cx, wish, { prepared, props, error, refusal })
    if (raw === 'again') continue
    if (wish.action === 'sign') {
      await showDone(cx, approveTransaction, props)
      return raw
    }
    try {
      return await sendSigned(cx, props, {
        ...wish,
        broadcast: () => broadcast(wish.node, raw, request.chainId),
      })
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Unsettled) throw cause
      refusal = cause
      // A node that hides the first one can have no second beside it: they share their number.
      request = { ...request, nonce: isNonceUsed(cause) ? wish.request.nonce : prepared.nonce }
    }
  }
}

/** Has the node fill in what is open, while the person sees what is known. */
async function prepare(
  cx: WalletFlow,
  wish: TransactionWish,
  before: string | undefined,
): Promise<PreparedTransaction> {
  const { node, request } = wish
  let error = before
  for (;;) {
    const props = { ...shown(cx, wish), preparing: true, ...(error && { error }) }
    let cause: unknown
    const came = await unlessAnswered(cx.stage, approveTransaction, props, (signal) =>
      prepareTransaction(node, request, signal),
    ).catch((reason: unknown) => {
      cx.stage.signal.throwIfAborted()
      cause = reason
    })
    if (came && 'done' in came) return came.done
    if (came?.answer === 'cancel') throw new Closed('The person cancelled')
    if (came) continue
    error = tellFailure(cx, failureOf(cause), 'transaction.unprepared')
    const again = await cx.stage.ask(approveTransaction, { ...shown(cx, wish), error })
    if (again === 'cancel') throw cause
  }
}

/** Has the person approve it and the vault sign it. 'again': they have been told that the wallet has too little. */
async function approve(
  cx: WalletFlow,
  { wallet }: TransactionWish,
  now: {
    prepared: PreparedTransaction
    props: ApproveTransactionProps
    error: string | undefined
    refusal: unknown
  },
): Promise<string | 'again'> {
  const { prepared, props, refusal } = now
  let error = prepared.short ? cx.t('transaction.short') : now.error
  for (;;) {
    const answer = await cx.stage.ask(approveTransaction, { ...props, ...(error && { error }) })
    if (answer === 'cancel') throw refusal ?? new Closed('The person cancelled')
    if (prepared.short) return 'again'
    try {
      const params = [wireOf(prepared)]
      const raw = await askVault(cx, wallet, { method: 'eth_signTransaction', params })
      if (typeof raw !== 'string') throw new KitError('unable_to_sign', 'Unable to sign message')
      return raw
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed) throw cause
      error = tellFailure(cx, failureOf(cause))
    }
  }
}

const shown = (cx: WalletFlow, { request, action }: TransactionWish): ApproveTransactionProps => ({
  ...{ origin: cx.page.origin, address: request.from, action },
  ...figuresOf(cx.config, request),
})
