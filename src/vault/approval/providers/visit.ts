/** How a user signs in at a provider from the vault's window, as often as they try. */
import { Closed, type Stage } from '../../../dialog/stage.ts'
import { vaultLimits } from '../../limits.ts'
import type { VisitedProvider } from '../../providers.ts'
import { type BegunVisit, isWrongAccount } from '../../server/visits.ts'
import { wordsForFailure } from '../failure-words.ts'
import { type Asking, untilReached } from '../recover/ask.ts'
import { nextNews } from './news.ts'
import { visitProvider } from './screens.ts'
import type { VisitProviderProps } from './visit-provider.tsx'

/** The fields that a provider has sent back. */
export type Returned = Readonly<Record<string, string>>
type Phase = VisitProviderProps['phase']

/**
 * Sends the user to a provider and runs `finish` with what comes back. Resolves with its result, or with 'back'. Throws `Closed`, and
 * what `begin` throws where no retry would help.
 * @param stage of the vault's window: a popup can be opened from nowhere else
 * @param finish a failure of it is shown, and the user may try again
 */
export async function visit<T>(
  cx: Asking,
  stage: Stage,
  about: Pick<VisitProviderProps, 'purpose' | 'hint'> & { readonly provider: VisitedProvider },
  begin: () => Promise<BegunVisit>,
  finish: (fields: Returned) => Promise<T>,
): Promise<{ done: T } | 'back'> {
  let phase: Phase = 'confirm'
  let remedy: VisitProviderProps['remedy']
  for (;;) {
    const place = await untilReached(cx, stage, begin)
    const came = await untilReturned(cx, stage, { ...about, visit: place, phase, remedy })
    if (came === 'back') return came
    if (typeof came === 'string') {
      phase = came
      continue
    }
    try {
      const working = { ...about, visit: place, phase: 'working' } as const
      return { done: await stage.during(visitProvider, working, () => finish(came)) }
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (cause instanceof Closed) throw cause
      cx.shown(cause)
      phase = isWrongAccount(cause) ? 'other' : 'failed'
      remedy = wordsForFailure(cause, undefined)
    }
  }
}

/** Resolves with what came back, with 'back', or with how the visit ended without an answer. */
async function untilReturned(
  cx: Asking,
  stage: Stage,
  props: VisitProviderProps,
): Promise<Returned | 'back' | 'silent' | 'denied' | 'failed'> {
  const { clock } = cx.vault
  const { state } = props.visit
  let { phase } = props
  let answer = await stage.ask(visitProvider, props)
  let until = clock.now() + vaultLimits.visitAnswer
  for (;;) {
    if (answer === 'back') return answer
    if (answer === 'blocked') {
      answer = await stage.ask(visitProvider, { ...props, phase: 'blocked' })
      until = clock.now() + vaultLimits.visitAnswer
      continue
    }
    phase = 'window'
    const pressed = await waitOpened()
    if (typeof pressed === 'object') return 'ended' in pressed ? endOf(pressed) : pressed
    if (pressed === 'silent') return pressed
    answer = pressed
    until = clock.now() + vaultLimits.visitAnswer
  }

  /** A popup that looks closed may only have been cut off, so its answer still counts. */
  async function waitOpened(): Promise<Returned | 'silent' | typeof answer> {
    for (;;) {
      const came = await stage.askDuring(visitProvider, { ...props, phase }, (signal) =>
        Promise.race([
          nextNews(stage, state, signal),
          clock.sleep(Math.max(0, until - clock.now()), signal).then(() => 'silent' as const),
        ]),
      )
      if ('answer' in came) return came.answer
      if (came.done === 'silent') return came.done
      if (came.done.is === 'returned') return came.done.fields
      phase = 'closed'
    }
  }
}

const endOf = ({ ended }: Returned) => (ended === 'denied' ? 'denied' : 'failed')
