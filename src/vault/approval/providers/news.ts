/** What the vault's window has told its frame of visits to providers, by the stage that draws there. */
import type { Stage } from '../../../dialog/stage.ts'
import type { VisitNews } from './popup.ts'

interface Heard {
  /** Answers that nobody has waited for yet. */
  readonly returned: Map<string, VisitNews>
  readonly listeners: Set<(news: VisitNews) => void>
}
const all = new WeakMap<Stage, Heard>()

function heardBy(stage: Stage): Heard {
  const known = all.get(stage) ?? { returned: new Map(), listeners: new Set() }
  all.set(stage, known)
  return known
}

/** Notes news of the window that draws this stage. */
export function hearVisit(stage: Stage, news: VisitNews): void {
  const { returned, listeners } = heardBy(stage)
  if (news.is === 'returned') returned.set(news.state, news)
  for (const listener of [...listeners]) listener(news)
}

/** The next news of a visit; an answer that has come already counts. Never rejects; after `signal` it stays pending. */
export function nextNews(stage: Stage, state: string, signal: AbortSignal): Promise<VisitNews> {
  const { returned, listeners } = heardBy(stage)
  const before = returned.get(state)
  returned.delete(state)
  if (before) return Promise.resolve(before)
  return new Promise((resolve) => {
    const listener = (news: VisitNews) => {
      if (news.state !== state) return
      returned.delete(state)
      listeners.delete(listener)
      resolve(news)
    }
    listeners.add(listener)
    signal.addEventListener('abort', () => listeners.delete(listener), { once: true })
  })
}
