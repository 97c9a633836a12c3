import { failure as failureScreen } from '../../app/failure/failure.tsx'
import { handleFailure } from '../../app/failure/flow.ts'
import { errorScreenVerdict } from '../../errors/error-screen.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import type { LoginContext } from '../context.ts'
import { terms } from './terms.tsx'

/** The terms can't be closed, nor can what is shown in the midst of them. Throws `terms_not_accepted` when the person declines. */
export const passTerms = (cx: LoginContext): Promise<void> => cx.stage.lock(() => untilAccepted(cx))

async function untilAccepted(cx: LoginContext): Promise<void> {
  const { config, session, stage } = cx
  while (config.requireTerms && !session.user.get()?.hasAcceptedTerms) {
    const answer = await stage.ask(terms, {
      ...(config.termsUrl && { termsUrl: config.termsUrl }),
      ...(config.privacyUrl && { privacyUrl: config.privacyUrl }),
    })
    if (answer === 'decline') throw new KitError('terms_not_accepted', 'The terms were not accepted')
    try {
      await session.acceptTerms({ signal: stage.signal })
    } catch (cause) {
      stage.signal.throwIfAborted()
      const failure = toKitError(cause)
      // The terms come back, and with them the choice to decline: no other way leads out of them.
      await handleFailure(cx, failure, errorScreenVerdict(failure), ({ title, detail }) =>
        stage.ask(failureScreen, { title, detail, action: 'retry' }),
      )
    }
  }
}
