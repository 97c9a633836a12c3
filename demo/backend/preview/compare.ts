import { InvalidRequest } from '../../../src/lib/invalid-request.ts'

/**
 * Asks two nodes the same. One that fails is replaced by the next, and a slow one is not waited for.
 * @param patience milliseconds for the second result after the first
 * @returns the results of one or two nodes, the first to arrive first
 * @throws the last failure if no node has a result, or an `InvalidRequest` at once
 */
export function askTwo<N, T>(
  nodes: readonly N[],
  ask: (node: N) => Promise<T>,
  patience: number,
): Promise<readonly [T, ...T[]]> {
  const queue = [...nodes]
  return new Promise((resolve, reject) => {
    const results: T[] = []
    let failure: unknown = new Error('There is no node')
    let running = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const finish = () => {
      clearTimeout(timer)
      const [first, ...more] = results
      if (results.length > 0) resolve([first as T, ...more])
      else reject(failure)
    }
    const next = () => {
      const node = queue.shift()
      if (node === undefined) {
        if (running === 0) finish()
        return
      }
      running++
      ask(node).then(
        (result) => {
          running--
          results.push(result)
          if (results.length >= 2) return finish()
          timer ??= setTimeout(finish, patience)
          if (running === 0) next()
        },
        (cause: unknown) => {
          running--
          if (cause instanceof InvalidRequest) return reject(cause)
          failure = cause
          next()
        },
      )
    }
    next()
    next()
  })
}

/** Whether two amounts differ by more than prices move from one block to the next. */
export const differs = (one: bigint, other: bigint): boolean => {
  const [less, more] = one < other ? [one, other] : [other, one]
  return (more - less) * 3n > more
}
