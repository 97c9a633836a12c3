import { isClosable } from '../../src/dialog/closable.ts'
import type { Scene, StageControl } from '../../src/dialog/stage.ts'
import type { Run, RunEnd, Surface } from '../../src/dialog/surface.ts'
import { settled, type TestClock } from './clock.ts'

/** One thing that a person does: on this screen, give that answer. `close` closes the dialog, `wait` lets time pass. */
export type Step =
  | [screen: string, answer: unknown]
  | { on: string; expect?: (props: Record<string, unknown>) => void; answer?: unknown; close?: true }
  | { wait: number }

/** A surface with a person in front of it who follows a script; what they saw can be read afterwards. */
export function scriptedPerson(clock: TestClock) {
  const ends: RunEnd[] = []
  let run: Run | undefined
  let last: Run | undefined

  const surface: Surface = {
    async present(next) {
      run = last = next
    },
    dismiss(_, end) {
      run = undefined
      ends.push(end)
    },
  }

  async function follow(script: readonly Step[]): Promise<void> {
    for (const step of script) {
      await settled()
      if ('wait' in step) {
        await clock.advance(step.wait)
        continue
      }
      const [on, answer] = Array.isArray(step) ? step : [step.on, step.answer]
      const scene = await sceneOf(on)
      const { screen, props } = scene
      if (!Array.isArray(step)) {
        step.expect?.(props as Record<string, unknown>)
        if (step.close && !isClosable(scene)) throw new Error(`"${on}" can’t be closed`)
        if (step.close) stage().close()
      }
      if (answer === 'back' && !screen.back(props)) throw new Error(`"${on}" has no way back`)
      if (answer !== undefined) scene.answer(answer)
    }
    await settled()
  }

  /** The screen by that name, once it is shown and not busy; checked every second, for a minute. */
  async function sceneOf(id: string): Promise<Scene> {
    for (let tries = 0; tries < 120; tries++) {
      const scene = run?.stage.scene.get()
      if (scene?.screen.id === id && scene.busy === undefined) return scene
      await clock.advance(500)
      // Keys and signatures are made in threads of the platform, which no test's clock moves.
      if (tries >= 20) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    throw new Error(`No screen "${id}" came; the trace is: ${trace().join(' ')}`)
  }

  const stage = (): StageControl => {
    if (!run) throw new Error('Nothing is shown')
    return run.stage
  }
  const trace = () => last?.stage.trace.get() ?? []

  return {
    surface,
    follow,
    ends,
    trace,
    get scene() {
      return run?.stage.scene.get()
    },
    close: () => stage().close(),
  }
}
