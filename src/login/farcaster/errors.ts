import { KitError } from '../../errors/kit-error.ts'
import { ofEveryMethod } from '../../errors/of-every-method.ts'
import { judge, type Table, type Verdict } from '../../errors/verdict.ts'
import { limits } from '../../lib/limits.ts'

/** Failures of a Farcaster login. */
const table = {
  ...ofEveryMethod,
  farcaster_timeout: screen('error.farcaster.timeout.title', 'error.farcaster.timeout.detail'),
  farcaster_rejected: screen('error.farcaster.rejected.title', 'error.farcaster.rejected.detail'),
  account_transfer_required: { show: 'conflict', words: { key: 'error.farcaster.failed.detail' } },
  network_unavailable: screen('error.farcaster.failed.title', 'error.network.detail'),
  otherwise: screen('error.farcaster.failed.title', 'error.farcaster.failed.detail'),
} as const satisfies Table

function screen<Title, Key>(title: Title, key: Key) {
  return { show: 'screen', title, detail: { key }, retryable: true } as const
}

export const farcasterVerdict = (error: KitError): Verdict => judge(table, error)

export const rejected = (): KitError =>
  new KitError('farcaster_rejected', 'The request was rejected. Please try again.', { retryable: true })

/** A refusal of our server; anything else may be the network's, and passes. */
export const isRefusal = (cause: unknown): cause is KitError =>
  cause instanceof KitError &&
  cause.status !== undefined &&
  cause.status >= 400 &&
  cause.status < 500 &&
  !limits.retryStatuses.some((status) => status === cause.status) &&
  cause.code !== 'too_many_requests'
