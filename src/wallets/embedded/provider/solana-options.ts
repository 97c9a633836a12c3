import { InvalidRequest } from '../../../lib/invalid-request.ts'
import type { Commitment, SolanaSendOptions } from '../../../solana/send-options.ts'
import { fieldOf } from '../../external/claims.ts'

const commitments: readonly unknown[] = ['processed', 'confirmed', 'finalized'] satisfies Commitment[]

/**
 * How a library wants a transaction to be sent. Unknown options are left out. Throws an {@link
 * InvalidRequest}.
 */
export function readSendOptions(given: unknown): SolanaSendOptions {
  return {
    ...read(given, 'preflightCommitment', (value) => commitments.includes(value)),
    ...read(given, 'commitment', (value) => commitments.includes(value)),
    ...read(given, 'minContextSlot', isCount),
    ...read(given, 'maxRetries', isCount),
    ...read(given, 'skipPreflight', (value) => typeof value === 'boolean'),
  }
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0

function read(given: unknown, name: keyof SolanaSendOptions, isValid: (value: unknown) => boolean): object {
  const value = fieldOf(given, name)
  if (value === undefined || value === null) return {}
  if (!isValid(value)) throw new InvalidRequest(`The option ${name} can't be read`)
  return { [name]: value }
}
