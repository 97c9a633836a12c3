import { Closed } from '../../../dialog/stage.ts'
import { type KitError, toKitError } from '../../../errors/kit-error.ts'
import { InvalidRequest } from '../../../lib/invalid-request.ts'
import { INVALID_PARAMS, NodeError, TransactionUnknownError, Unreachable } from '../../../lib/node-errors.ts'
import { chainDisconnectedError, ProviderRpcError } from '../../external/provider-error.ts'

/** EIP-1193 and EIP-1474 codes for our own failures. */
const numbers: ReadonlyMap<string, number> = new Map([
  ['must_be_authenticated', 4100],
  ['missing_or_invalid_token', 4100],
  ['approval_required', 4100],
  ['unsupported_method', 4200],
  ['unsupported_chain_id', 4902],
  ['invalid_request_arguments', INVALID_PARAMS],
  ['insufficient_funds', -32_003],
  ['too_many_requests', -32_005],
])
const INTERNAL = -32603

/** Any failure in the terms of EIP-1193, which libraries understand. */
export function toProviderError(cause: unknown): ProviderRpcError {
  if (cause instanceof ProviderRpcError) return cause
  if (cause instanceof InvalidRequest) return new ProviderRpcError(INVALID_PARAMS, cause.message)
  // Libraries decode a node's own reason, such as why a contract would refuse.
  if (cause instanceof NodeError)
    return new ProviderRpcError(cause.code, cause.message, cause.data, { cause })
  if (cause instanceof Unreachable) return chainDisconnectedError(cause)
  if (cause instanceof TransactionUnknownError)
    return new ProviderRpcError(INTERNAL, cause.message, { transactionHash: cause.hash }, { cause })
  const error = toKitError(cause, 'unable_to_sign')
  // A run wraps errors that it does not know.
  if (isOfLibraries(error.cause)) return toProviderError(error.cause)
  if (isRejection(cause, error)) return rejected(error)
  const number = numbers.get(error.code) ?? INTERNAL
  return new ProviderRpcError(number, error.shortMessage, { code: error.code }, { cause: error })
}

const isOfLibraries = (cause: unknown) =>
  [ProviderRpcError, InvalidRequest, NodeError, Unreachable, TransactionUnknownError].some(
    (kind) => cause instanceof kind,
  )

const isRejection = (cause: unknown, error: KitError) =>
  cause instanceof Closed ||
  error.code === 'mfa_canceled' ||
  (error.code === 'unable_to_sign' && error.cause instanceof Closed)

const rejected = (cause: unknown) =>
  new ProviderRpcError(4001, 'User rejected the request.', undefined, { cause })

export const unsupportedMethod = (method: string) =>
  new ProviderRpcError(4200, `The method ${method.slice(0, 64)} is not supported`)
export const notOurAccount = () => new ProviderRpcError(4100, 'The wallet has no such account')
