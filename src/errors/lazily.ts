import { limits } from '../core/limits.ts'
import { KitError } from './kit-error.ts'

/**
 * Loads a part of the bundle once, for all who ask. A failure isn't kept: the next call tries again. It becomes a
 * coded error, as does a chunk that never comes.
 */
export function lazily<T>(load: () => Promise<T>, limit: number = limits.chunkWait): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= within(load, limit).catch((cause: unknown) => {
      loading = undefined
      throw new KitError('network_unavailable', 'A part of the dialog could not be loaded', {
        cause,
        details: cause instanceof Error ? cause.message : String(cause),
        retryable: true,
      })
    })
    return loading
  }
}

function within<T>(load: () => Promise<T>, limit: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came within ${limit} ms`)), limit)
  })
  return Promise.race([load(), late]).finally(() => clearTimeout(timer))
}
