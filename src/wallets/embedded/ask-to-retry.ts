import { failure } from '../../app/failure/failure.tsx'
import type { FlowContext } from '../../app/flow-context.ts'
import { Closed } from '../../dialog/stage.ts'
import { unlessOffline } from '../../errors/error-screen.ts'
import type { KitError } from '../../errors/kit-error.ts'
import type { Verdict } from '../../errors/verdict.ts'
import { say } from '../../errors/words.ts'
import { embeddedWalletVerdict } from './errors.ts'

interface AskToRetry {
  readonly verdict?: Verdict
  /** Whether the person may turn back; what a login needs can't be left. */
  readonly back: boolean
}

/**
 * Shows why the vault could not do its work. Resolves when the person wants to try again; throws {@link Closed} if they turn back, and
 * otherwise the failure.
 */
export async function askToRetry(
  cx: FlowContext,
  error: KitError,
  { verdict: itsVerdict = embeddedWalletVerdict(error), back }: AskToRetry,
): Promise<void> {
  cx.report(error)
  const verdict = unlessOffline(error, itsVerdict)
  if (verdict.show !== 'screen') throw error
  const answer = await cx.stage.ask(failure, {
    title: cx.t(verdict.title),
    detail: say(cx.t, verdict.detail),
    action: 'retry',
    back,
  })
  if (answer === 'back') throw new Closed('The person turned back')
  if (answer !== 'retry') throw error
}
