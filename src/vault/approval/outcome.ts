import { createStore, type Readable } from '../../lib/store.ts'
import type { ApprovalAnswers, ApprovalFromFrame, ApprovalPurpose } from '../../protocol/frame/approval.ts'
import type { ApprovalContext } from './purpose.ts'

/** `open`: nothing has happened yet. `finishing`: the vault does what can't be called off. `done`: the result is final. */
export type Progress = 'open' | 'finishing' | 'done'

/** What has become of one request, and what its page is told of it. */
export interface Outcome<P extends ApprovalPurpose> extends Pick<ApprovalContext<P>, 'settle' | 'commit'> {
  readonly progress: Readable<Progress>
  /** The result that is final, if there is one. */
  settled(): ApprovalAnswers[P] | undefined
  /** Something else of the same request begins, such as the next change in a list: what has happened stays as it is. */
  begin(): void
  /** Has the user asked for something in the middle of a commit: they may leave there, because nothing has begun yet. */
  interrupted<T>(ask: () => Promise<T>): Promise<T>
}

export function createOutcome<P extends ApprovalPurpose>(
  send: (message: ApprovalFromFrame) => void,
): Outcome<P> {
  const progress = createStore<Progress>('open')
  let settled: ApprovalAnswers[P] | undefined
  function move(to: Progress): void {
    const from = progress.get()
    if (from === to) return
    if (from === 'finishing' || to === 'finishing') send({ type: 'finishing', on: to === 'finishing' })
    progress.set(to)
  }
  function settle(answer: ApprovalAnswers[P]): void {
    settled = answer
    send({ type: 'settled', answer: answer as never })
    move('done')
  }
  return {
    progress,
    settled: () => settled,
    begin: () => move('open'),
    settle,
    async commit(work, answerOf) {
      move('finishing')
      try {
        const done = await work()
        settle(answerOf(done))
        return done
      } finally {
        if (progress.get() === 'finishing') move('open')
      }
    },
    async interrupted(ask) {
      const before = progress.get()
      if (before !== 'finishing') return ask()
      move('open')
      const answer = await ask()
      move('finishing')
      return answer
    },
  }
}
