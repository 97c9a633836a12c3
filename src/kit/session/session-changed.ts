import { failure } from '../../app/failure/failure.tsx'
import { addWords } from '../../copy/copy.ts'
import { session as words } from '../../copy/en/session.ts'
import type { Run, Surface } from '../../dialog/surface.ts'
import type { KitContext } from '../context.ts'

addWords(words)

/**
 * Says, where a dialog was or would go on, why it is gone. Resolves when the user has read it, or is logged in again, which makes it
 * untrue; throws what `runs.run` throws.
 * @param userId whose dialog it was
 * @param place where it was; without a surface, wherever a dialog of the app is shown
 */
export function sayWhy(
  cx: KitContext,
  { intent, surface }: { readonly intent: Run['intent']; readonly surface: Surface | undefined },
  userId: string,
): Promise<unknown> {
  const t = cx.t()
  const notice = { title: t('session.changedTitle'), detail: t('session.changed'), action: 'close' } as const
  return cx.runs.run(intent, { surface }, (stage) =>
    stage.askDuring(failure, notice, (signal) => untilBack(cx, userId, signal)),
  )
}

/** Somebody else who logs in doesn't end it: then the accounts have changed. */
function untilBack({ app }: KitContext, id: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => app.state.get().user?.id === id && resolve()
    signal.addEventListener('abort', app.state.subscribe(look))
    look()
  })
}
