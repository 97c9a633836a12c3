import type { retryErrors } from '../../copy/en/retry-errors.ts'
import { type Remedy, VaultError } from '../errors.ts'

const words = {
  connect: 'error.network.detail',
  wait: 'error.tooMany.detail',
  login: 'error.session',
} as const satisfies Record<Remedy, keyof typeof retryErrors>

/** Which words a person reads of a failure, in a screen that lets them try again. */
export function wordsForFailure<Otherwise extends string | undefined>(
  cause: unknown,
  otherwise: Otherwise,
): (typeof words)[Remedy] | Otherwise {
  const remedy = cause instanceof VaultError ? cause.remedy : undefined
  return remedy ? words[remedy] : otherwise
}
