import type { Screen } from '../core/screen.ts'
import type { Stage } from '../core/stage.ts'

/**
 * Shows a screen while `work` runs. An answer of the person ends the work, whose signal then says so, and is resolved
 * with in its place.
 */
export async function unlessAnswered<P extends object, A, T>(
  stage: Stage,
  screen: Screen<P, A>,
  props: P,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ done: T } | { answer: A }> {
  const left = new AbortController()
  try {
    const answered = stage.ask(screen, props).then((answer) => ({ answer }))
    const done = work(AbortSignal.any([stage.signal, left.signal])).then((value) => ({ done: value }))
    // Whatever comes of it once the person has gone elsewhere reaches nobody.
    done.catch(() => {})
    return await Promise.race([answered, done])
  } finally {
    left.abort()
  }
}
