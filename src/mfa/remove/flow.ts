import { addWords } from '../../copy/copy.ts'
import { mfa } from '../../copy/en/mfa.ts'
import { Closed, type Stage } from '../../dialog/stage.ts'
import type { EnrollCalls, MfaContext } from '../calls.ts'
import { mfaLimits } from '../limits.ts'
import type { MfaMethod, MfaPerson } from '../methods.ts'
import { failureWords } from '../words.ts'
import { removeMethod } from './remove.tsx'

addWords(mfa)

/**
 * Removes a second factor once the person has agreed, and been verified. Resolves with whether they did. Throws what `calls` throws
 * that has nothing to do with factors.
 */
export async function removeFactor(
  cx: MfaContext,
  calls: EnrollCalls,
  method: MfaMethod,
  { methods }: Pick<MfaPerson, 'methods'>,
): Promise<boolean> {
  const last = methods.length === 1
  const agreed = async (stage: Stage) => {
    let error: string | undefined
    for (;;) {
      const answer = await stage.ask(removeMethod, { method, last, ...(error && { error }) })
      if (answer === 'cancel') return false
      try {
        await calls.remove(method, stage.signal)
        await stage.hold(removeMethod, { method, last, done: true }, mfaLimits.removedVisible)
        return true
      } catch (cause) {
        stage.signal.throwIfAborted()
        const failure = calls.failureOf(cause)
        if (!failure) throw cause
        cx.report(cause)
        error = cx.t(failureWords[failure])
      }
    }
  }
  try {
    return await calls.agreeing(agreed)
  } catch (cause) {
    // They have left the vault's window, and are where they came from.
    if (!(cause instanceof Closed) || cx.stage.signal.aborted) throw cause
    return false
  }
}
