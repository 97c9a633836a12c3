/** What the flows need whose dialog stays open while a person does one thing after another. */
import type { FlowContext } from '../app/flow-context.ts'
import { isTurnedBack } from '../dialog/stage.ts'
import { errorScreenVerdict } from '../errors/error-screen.ts'
import { toKitError } from '../errors/kit-error.ts'
import { say } from '../errors/words.ts'
import type { Readable } from '../lib/store.ts'

/** Runs another flow on the same stage. What it has failed with it has shown, and turning back in it leads back here. */
export async function orBack(
  { stage, report }: Pick<FlowContext, 'stage' | 'report'>,
  flow: () => Promise<unknown>,
) {
  try {
    await flow()
  } catch (cause) {
    stage.signal.throwIfAborted()
    if (!isTurnedBack(cause)) report(toKitError(cause))
  }
}

/**
 * What a screen that stays says of a failure; nothing when the person has only turned back. The host is told of the failure.
 * Throws {@link Closed} once the dialog is gone.
 */
export function errorText(
  { stage, t, report }: Pick<FlowContext, 'stage' | 't' | 'report'>,
  cause: unknown,
): string | undefined {
  stage.signal.throwIfAborted()
  if (isTurnedBack(cause)) return undefined
  const error = toKitError(cause)
  report(error)
  const verdict = errorScreenVerdict(error)
  if (verdict.show === 'gate') return t('settings.notDone')
  return say(t, verdict.show === 'screen' ? verdict.detail : verdict.words)
}

/** Resolves with the next change of any of these. */
export function untilChange(stores: readonly Readable<unknown>[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stops = stores.map((store) =>
      store.subscribe(() => {
        for (const stop of stops) stop()
        resolve()
      }),
    )
    signal.addEventListener('abort', () => {
      for (const stop of stops) stop()
    })
  })
}
