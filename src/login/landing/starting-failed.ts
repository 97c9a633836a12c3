import { failure } from '../../app/failure/failure.tsx'
import { addWords, type Translate } from '../../copy/copy.ts'
import { errors } from '../../copy/en/errors.ts'
import type { Stage } from '../../dialog/stage.ts'
import { errorScreenVerdict } from '../../errors/error-screen.ts'
import type { KitError } from '../../errors/kit-error.ts'
import { say } from '../../errors/words.ts'

addWords(errors)

/**
 * Says why the app could not start. Resolves when the person wants to try again; otherwise throws the
 * failure.
 */
export async function startingFailed(cx: { stage: Stage; t: Translate }, error: KitError): Promise<void> {
  const verdict = errorScreenVerdict(error)
  if (verdict.show !== 'screen') throw error
  const action = verdict.retryable ? 'retry' : 'close'
  const words = { title: cx.t(verdict.title), detail: say(cx.t, verdict.detail) }
  if ((await cx.stage.ask(failure, { ...words, action })) !== 'retry') throw error
}
