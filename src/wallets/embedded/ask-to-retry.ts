import { failure } from '../../app/failure/failure.tsx'
import type { FlowContext } from '../../app/flow-context.ts'
import { unlessOffline } from '../../errors/error-screen.ts'
import type { KitError } from '../../errors/kit-error.ts'
import { say } from '../../errors/words.ts'
import { embeddedWalletVerdict } from './errors.ts'

/** Shows why the vault could not do its work. Resolves when the person wants to try again; otherwise throws the failure. */
export async function askToRetry(
  cx: FlowContext,
  error: KitError,
  itsVerdict = embeddedWalletVerdict(error),
): Promise<void> {
  cx.report(error)
  const verdict = unlessOffline(error, itsVerdict)
  if (verdict.show !== 'screen') throw error
  const answer = await cx.stage.ask(failure, {
    title: cx.t(verdict.title),
    detail: say(cx.t, verdict.detail),
    action: 'retry',
  })
  if (answer !== 'retry') throw error
}
