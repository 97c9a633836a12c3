import { failure } from '../../app/failure/failure.tsx'
import { addWords } from '../../copy/copy.ts'
import { session as words } from '../../copy/en/session.ts'
import type { Run, Surface } from '../../dialog/surface.ts'
import type { KitContext } from '../context.ts'

addWords(words)

/**
 * Says, where a dialog was or would go on, why it is gone. Resolves when the person has read it; throws what `runs.run` throws.
 * @param place where it was; without a surface, wherever a dialog of the app is shown
 */
export function sayWhy(
  cx: KitContext,
  { intent, surface }: { readonly intent: Run['intent']; readonly surface: Surface | undefined },
): Promise<unknown> {
  const t = cx.t()
  const notice = { title: t('session.changedTitle'), detail: t('session.changed'), action: 'close' } as const
  return cx.runs.run(intent, { surface }, (stage) => stage.ask(failure, notice))
}
