import type { PlainKey } from '../../copy/copy.ts'
import { Closed } from '../../dialog/stage.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import type { FailureKind } from '../../ethereum/failure-reason.ts'
import {
  isInsufficientFunds,
  NodeError,
  TransactionUnknownError,
  Unreachable,
} from '../../lib/node-errors.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { operationVerdict } from '../../wallets/smart/errors.ts'
import { signingLimits } from '../limits.ts'
import { type TransactionFailedProps, transactionFailed } from './transaction-failed.tsx'

/**
 * A failure in the host's terms: the wallet's, or else the chain's.
 * @param kind the reason that is known already; without it the node's words decide, which a contract may have chosen
 */
export function failureOf(cause: unknown, kind?: FailureKind): KitError {
  if (kind === undefined ? isInsufficientFunds(cause) : kind === 'insufficient-funds')
    return new KitError('insufficient_funds', 'Wallet has insufficient funds for this transaction.', {
      cause,
    })
  if (cause instanceof Unreachable)
    return new KitError('network_unavailable', 'Disconnected', { cause, retryable: true })
  return toKitError(cause, 'transaction_failure')
}

/** The error in place of a signature that nobody has seen, for a fee that asks for a second look. */
export const unseenFee = (fee: bigint): KitError =>
  new KitError('approval_required', 'The fee is unusual: the user has to review this transaction', {
    data: { fee: String(fee) },
  })

/** The same for code of the wallet's own address. */
export const unseenCode = (): KitError =>
  new KitError('approval_required', "The user has to review code for the wallet's own address")

/** The same for what the wallet can't pay, which nobody would see before the network refuses it. */
export const unseenShortage = (chainType?: 'ethereum' | 'solana'): KitError =>
  new KitError(
    'insufficient_funds',
    `${chainType === 'solana' ? 'Solana wallet' : 'Wallet'} has insufficient funds for this transaction.`,
  )

/** What a chain's node says, shortened to what a person reads. */
export const reasonOf = (cause: unknown): TransactionFailedProps['reason'] =>
  cause instanceof KitError && isOfOperation(cause)
    ? reasonOf(cause.cause)
    : cause instanceof NodeError
      ? { code: cause.code, message: cause.message.slice(0, signingLimits.reasonLength) }
      : undefined

export interface FailureOptions {
  /** The reason, as the chain's adapter reads it. */
  readonly kind?: FailureKind | undefined
  /** A retry can't succeed. */
  readonly isFinal?: boolean
  readonly explorerUrl?: string | undefined
  readonly chainType?: 'ethereum' | 'solana'
}

/**
 * Displays why a transaction can't be sent, and reports it to the host. Resolves when the user wants a retry.
 * @throws Closed when they don't, and the failure itself where it is final
 */
export async function showFailure(
  cx: WalletFlow,
  cause: unknown,
  { kind, isFinal: isGivenUp = false, explorerUrl, chainType = 'ethereum' }: FailureOptions = {},
): Promise<void> {
  const failure = failureOf(cause, kind === 'insufficient-funds' ? kind : undefined)
  // A vault that signs something else is not asked again.
  const isFinal = isGivenUp || failure.code === 'signature_mismatch'
  cx.report(failure)
  const props = {
    ...wordsFor(cx, failure, { kind, isFinal, chainType }),
    reason: reasonOf(cause),
    ...(cause instanceof TransactionUnknownError && { hash: cause.hash, explorerUrl }),
    action: isFinal ? 'close' : 'retry',
  } as const
  const answer = cx.stage.ask(transactionFailed, props)
  // The user has decided nothing here, so however they leave, the host gets what went wrong.
  if (isFinal) {
    await answer.catch(() => {})
    throw cause
  }
  if ((await answer) === 'cancel') throw new Closed('The user cancelled', { cause })
}

/** What was wrong, and what a retry changes. Other kinds have titles of their own, or nothing to say. */
const kindWords: Partial<Readonly<Record<FailureKind, PlainKey>>> = {
  underpriced: 'transaction.failed.fee',
  'fee-too-low': 'transaction.failed.fee',
  'fee-too-high': 'transaction.failed.feeTooHigh',
  'tip-above-max-fee': 'transaction.failed.tip',
  'nonce-too-low': 'transaction.failed.nonceTooLow',
  'nonce-too-high': 'transaction.failed.nonceTooHigh',
  'gas-too-low': 'transaction.failed.gas',
  'out-of-gas': 'transaction.failed.gas',
  'gas-too-high': 'transaction.failed.gasTooHigh',
  'type-unsupported': 'transaction.failed.type',
  busy: 'transaction.failed.busy',
}

const isOfOperation = ({ code }: KitError): boolean =>
  /^(user_operation|bundler|sponsor|smart_account)_/.test(code)

function operationWords(
  t: WalletFlow['t'],
  failure: KitError,
): Pick<TransactionFailedProps, 'title' | 'detail'> {
  const verdict = operationVerdict(failure)
  const detail =
    verdict.show === 'screen' && 'key' in verdict.detail ? (verdict.detail.key as PlainKey) : undefined
  return { title: t('error.operation.title'), ...(detail && { detail: t(detail) }) }
}

function wordsFor(
  { t }: WalletFlow,
  failure: KitError,
  { kind, isFinal = false, chainType }: FailureOptions,
): Pick<TransactionFailedProps, 'title' | 'detail'> {
  const { code, cause } = failure
  // Refusals of bundlers and sponsors have words of their own.
  if (isOfOperation(failure)) return operationWords(t, failure)
  if (code === 'insufficient_funds')
    return {
      title: t('transaction.failed.balance'),
      detail: t(chainType === 'solana' ? 'transaction.short.solana' : 'transaction.short'),
    }
  if (code === 'network_unavailable')
    return { title: t('error.generic.title'), detail: t('error.network.detail') }
  if (cause instanceof TransactionUnknownError)
    return { title: t('error.generic.title'), detail: t('transaction.unsettled') }
  if (code === 'signature_mismatch')
    return { title: t('transaction.failed.title'), detail: t('transaction.failed.mismatch') }
  const key = kind && kindWords[kind]
  if (key) return { title: t('transaction.failed.title'), detail: t(key) }
  return {
    title: t('transaction.failed.title'),
    detail: isFinal ? undefined : t('transaction.failed.detail'),
  }
}
