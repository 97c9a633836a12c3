import { addWords, createTranslate } from '../../src/copy/copy.ts'
import { code } from '../../src/copy/en/code.ts'
import { mfa } from '../../src/copy/en/mfa.ts'
import { createStage } from '../../src/dialog/stage.ts'
import type { MfaContext } from '../../src/mfa/calls.ts'
import type { MfaFailure } from '../../src/mfa/methods.ts'
import { testClock } from '../support/clock.ts'

addWords(mfa, code)

/** A failure that means something to a person. */
export class Failed extends Error {
  constructor(readonly failure: MfaFailure) {
    super(failure)
  }
}
export const failureOf = (cause: unknown) => (cause instanceof Failed ? cause.failure : undefined)

/** A flow of second factors with a person in front of it. */
export function withPerson() {
  const clock = testClock()
  const stage = createStage({ clock })
  const reported: unknown[] = []
  const seen: string[] = []
  const cx: MfaContext = { stage, clock, t: createTranslate(), report: (cause) => void reported.push(cause) }
  stage.scene.subscribe(() => {
    const scene = stage.scene.get()
    if (scene && scene.busy === undefined && seen.at(-1) !== scene.screen.id) seen.push(scene.screen.id)
  })
  /** The props of a screen, once it asks, and they are as wanted: the waiting screen may have the same name. */
  async function on(
    id: string,
    fits: (props: Record<string, unknown>) => boolean = () => true,
  ): Promise<Record<string, unknown>> {
    for (let tries = 0; tries < 500; tries++) {
      const scene = stage.scene.get()
      const props = (scene?.props ?? {}) as Record<string, unknown>
      if (scene?.screen.id === id && scene.busy === undefined && fits(props)) return props
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    throw new Error(`No screen ${id} came; there were ${seen.join(', ')}`)
  }
  async function answer(id: string, given: unknown): Promise<Record<string, unknown>> {
    const props = await on(id)
    stage.scene.get()?.answer(given)
    return props
  }
  return { cx, stage, clock, reported, seen, on, answer }
}
