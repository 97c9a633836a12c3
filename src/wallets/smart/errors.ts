/** Failures of operations: refusals of bundlers (ERC-7769) and of paymasters, as errors with a code and with words. */
import { KitError } from '../../errors/kit-error.ts'
import { judge, type Table, type Verdict } from '../../errors/verdict.ts'
import { readRevert, revertData } from '../../ethereum/failure-reason.ts'
import { EXECUTION_REVERTED, INVALID_PARAMS, LIMIT_EXCEEDED, type NodeError } from '../../lib/node-errors.ts'
import { plainText } from '../../lib/safe-text.ts'

/** Codes of ERC-7769, and one of ERC-4337 before it that bundlers still use. */
const codes: ReadonlyMap<number, OperationErrorCode> = new Map([
  [INVALID_PARAMS, 'user_operation_invalid'],
  [-32_500, 'user_operation_account_refused'],
  [-32_501, 'user_operation_paymaster_refused'],
  [-32_502, 'user_operation_forbidden_opcode'],
  [-32_503, 'user_operation_out_of_time'],
  [-32_504, 'user_operation_throttled'],
  [-32_505, 'user_operation_stake_too_low'],
  [-32_506, 'user_operation_aggregator_unsupported'],
  [-32_507, 'user_operation_signature_invalid'],
  [-32_508, 'user_operation_sponsor_out_of_funds'],
  [-32_521, 'user_operation_reverted'],
  [LIMIT_EXCEEDED, 'user_operation_throttled'],
  [EXECUTION_REVERTED, 'user_operation_reverted'],
])

/** Reasons of the EntryPoint, which bundlers pass on in their message. They say more than the code. */
const reasons: ReadonlyMap<string, OperationErrorCode> = new Map([
  ['AA10', 'user_operation_already_deployed'],
  ['AA21', 'insufficient_funds'],
  ['AA22', 'user_operation_out_of_time'],
  ['AA24', 'user_operation_signature_invalid'],
  ['AA25', 'user_operation_nonce_used'],
  ['AA30', 'user_operation_paymaster_refused'],
  ['AA31', 'user_operation_sponsor_out_of_funds'],
  ['AA32', 'user_operation_out_of_time'],
  ['AA33', 'user_operation_paymaster_refused'],
  ['AA34', 'user_operation_paymaster_refused'],
  ['AA36', 'user_operation_paymaster_refused'],
])

/**
 * An operation of the account waits under the same nonce. Bundlers have no code of their own for it: words of alto, rundler, Skandha,
 * Stackup, Voltaire and the reference bundler.
 */
const WAITING =
  /\breplac(?:e|ement|ing)\b|\bunder-?priced\b|already (?:present |exists |known |pending )?in (?:the )?(?:mem)?pool|already (?:known|pending|queued)|same (?:sender and )?nonce|fee(?:s)? (?:is |are )?not (?:high )?enough|bump (?:the )?(?:gas )?(?:price|fee)/i

type OperationErrorCode = keyof typeof messages

/** For programs and logs; users read `table`. */
const messages = {
  user_operation_invalid: 'The bundler found the operation malformed',
  user_operation_account_refused: 'The smart account refused the operation',
  user_operation_paymaster_refused: "The sponsor's contract refused the operation",
  user_operation_forbidden_opcode: 'The operation breaks a rule of the bundler',
  user_operation_out_of_time: 'The operation is not valid at this time',
  user_operation_throttled: 'The bundler limits operations of this account or sponsor',
  user_operation_stake_too_low: 'A contract of the operation has too little stake',
  user_operation_aggregator_unsupported: "The bundler doesn't support the account's signature aggregator",
  user_operation_signature_invalid: 'The smart account found the signature invalid',
  user_operation_sponsor_out_of_funds: 'The sponsor has too little left to pay for the operation',
  user_operation_reverted: 'The calls of the operation would fail',
  user_operation_already_deployed: 'The smart account is deployed already',
  user_operation_nonce_used: 'Another operation has used the nonce',
  user_operation_pending: 'Another operation of the account waits under the same nonce',
  user_operation_rejected: 'The bundler refused the operation',
  user_operation_other_hash:
    'The bundler names another hash than that of the operation, which may be included all the same',
  insufficient_funds: 'Wallet has insufficient funds for this transaction.',
  bundler_unavailable: 'The bundler did not answer',
  bundler_answer_invalid: "The bundler's answer can't be right",
  sponsor_declined: 'The sponsor declined the operation',
  sponsor_unavailable: 'The sponsor did not answer',
  sponsor_answer_invalid: "The sponsor's answer can't be right",
  smart_account_unavailable: 'Smart accounts of this kind are not available on this network',
  smart_account_not_delegated: "The wallet's address doesn't have the account's code yet",
} as const

/** The codes of all failures of operations. */
export const operationErrorCodes = Object.keys(messages) as readonly OperationErrorCode[]

const retryable: readonly OperationErrorCode[] = [
  'user_operation_out_of_time',
  'user_operation_throttled',
  'user_operation_already_deployed',
  'user_operation_nonce_used',
  'user_operation_pending',
  'bundler_unavailable',
  'sponsor_unavailable',
]

export const operationError = (
  code: OperationErrorCode,
  options: { cause?: unknown; details?: string; data?: unknown } = {},
): KitError => new KitError(code, messages[code], { ...options, retryable: retryable.includes(code) })

/** A bundler's refusal. Its words, and those of the contract, are in `data.reason`, on one line and never markup. */
export function bundlerRefusal(cause: NodeError): KitError {
  const [entryPointReason = ''] = /\bAA\d\d\b/.exec(cause.message) ?? []
  const code =
    WAITING.test(cause.message) || (typeof cause.data === 'string' && WAITING.test(cause.data))
      ? 'user_operation_pending'
      : (reasons.get(entryPointReason) ?? codes.get(cause.code) ?? 'user_operation_rejected')
  return operationError(code, { cause, details: plainText(cause.message), data: { reason: reasonOf(cause) } })
}

function reasonOf(cause: NodeError): string {
  const data = revertData(cause.data)
  return (data && readRevert(data).message) ?? plainText(cause.message)
}

/** Whether a refusal means that the app's sponsor doesn't pay, so that the user can pay instead. */
export const isOfSponsor = ({ code }: KitError): boolean =>
  code.startsWith('sponsor_') ||
  code === 'user_operation_paymaster_refused' ||
  code === 'user_operation_sponsor_out_of_funds'

/** Whether the operation may be included all the same, so that another one in its place could be a second one. */
export const mayBeIncluded = (cause: unknown): boolean =>
  cause instanceof KitError && cause.code === 'user_operation_other_hash'

const table = {
  user_operation_invalid: failure('error.operation.invalid', false),
  user_operation_account_refused: failure('error.operation.account', false),
  user_operation_paymaster_refused: failure('error.operation.paymaster', false),
  user_operation_forbidden_opcode: failure('error.operation.opcode', false),
  user_operation_out_of_time: failure('error.operation.time', true),
  user_operation_throttled: failure('error.operation.throttled', true),
  user_operation_stake_too_low: failure('error.operation.stake', false),
  user_operation_aggregator_unsupported: failure('error.operation.aggregator', false),
  user_operation_signature_invalid: failure('error.operation.signature', false),
  user_operation_sponsor_out_of_funds: failure('error.operation.sponsorFunds', false),
  user_operation_reverted: failure('error.operation.reverted', false),
  user_operation_already_deployed: failure('error.operation.deployed', true),
  user_operation_nonce_used: failure('error.operation.nonce', true),
  user_operation_pending: failure('error.operation.pending', true),
  user_operation_other_hash: failure('error.operation.otherHash', false),
  insufficient_funds: failure('error.operation.funds', false),
  bundler_unavailable: failure('error.operation.unavailable', true),
  bundler_answer_invalid: failure('error.operation.answer', false),
  sponsor_declined: failure('error.operation.declined', false),
  sponsor_unavailable: failure('error.operation.sponsorUnavailable', true),
  sponsor_answer_invalid: failure('error.operation.sponsorAnswer', false),
  smart_account_unavailable: failure('error.operation.network', false),
  smart_account_not_delegated: failure('error.operation.notDelegated', false),
  otherwise: failure('error.operation.rejected', false),
} as const satisfies Table

function failure<Key>(key: Key, canRetry: boolean) {
  return {
    show: 'screen',
    title: 'error.operation.title',
    detail: { key },
    retryable: canRetry,
  } as const
}

/** The words for a failure of an operation, and whether a retry can help. */
export const operationVerdict = (error: KitError): Verdict => judge(table, error)
