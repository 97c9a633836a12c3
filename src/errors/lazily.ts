import { notLoaded } from '../copy/en/not-loaded.ts'
import { isOffline } from '../lib/online.ts'
import { KitError } from './kit-error.ts'

/** A part of the bundle that neither arrives nor fails is given up after this, in milliseconds. */
export const chunkWait = 20_000

/** Whether a failure is that of a chunk, and not the server's. */
export const isNotLoaded = (error: KitError): boolean => error.shortMessage === notLoaded

/**
 * Loads a chunk once for all callers. A failure isn't kept: the next call tries again. A chunk that fails or
 * never arrives becomes an error with a code.
 */
export function lazily<T>(load: () => Promise<T>, limit: number = chunkWait): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= within(load, limit).catch((cause: unknown) => {
      loading = undefined
      throw new KitError('network_unavailable', notLoaded, { cause, details: String(cause), retryable: true })
    })
    return loading
  }
}

function within<T>(load: () => Promise<T>, limit: number): Promise<T> {
  // Browsers remember that a module could not be fetched, and never try again on this page: offline none is asked for.
  if (isOffline()) return Promise.reject('offline')
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject('late'), limit)
  })
  return Promise.race([load(), late]).finally(() => clearTimeout(timer))
}
