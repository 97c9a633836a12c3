import { describe, expect, test } from 'vitest'
import { isClosable } from '../../src/dialog/closable.ts'
import { defineScreen } from '../../src/dialog/screen.ts'
import { Closed, createStage } from '../../src/dialog/stage.ts'
import { settled } from '../support/clock.ts'

const email = defineScreen<{ error?: string }, { email: string } | 'back'>('email', {
  view: () => null,
  back: true,
})
const working = defineScreen<object, never>('working', { view: () => null })

describe('asking', () => {
  test('shows the screen and resolves with its answer', async () => {
    const stage = createStage()
    const asked = stage.ask(email, { error: 'no' })
    expect(stage.scene.get()).toMatchObject({ props: { error: 'no' }, busy: undefined })
    stage.scene.get()?.answer({ email: 'a@b.c' })
    expect(await asked).toEqual({ email: 'a@b.c' })
  })

  test('leaves the answered screen up, busy with its answer', async () => {
    const stage = createStage()
    const asked = stage.ask(email, {})
    stage.scene.get()?.answer('back')
    await asked
    expect(stage.scene.get()).toMatchObject({ screen: { id: 'email' }, busy: 'back' })
  })

  test('takes one answer only, so that a double click acts once', async () => {
    const stage = createStage()
    const asked = stage.ask(email, {})
    const answer = stage.scene.get()?.answer
    answer?.({ email: 'first' })
    answer?.({ email: 'second' })
    stage.scene.get()?.answer({ email: 'third' })
    expect(await asked).toEqual({ email: 'first' })
  })

  test('a person may go back', async () => {
    const stage = createStage()
    const flow = (async () => {
      const visits: unknown[] = []
      for (;;) {
        const answer = await stage.ask(email, {})
        visits.push(answer)
        if (answer !== 'back') return visits
      }
    })()
    stage.scene.get()?.answer('back')
    await settled()
    stage.scene.get()?.answer({ email: 'x' })
    expect(await flow).toEqual(['back', { email: 'x' }])
  })
})

describe('closing', () => {
  test('rejects what waits for an answer', async () => {
    const stage = createStage()
    const asked = stage.ask(email, {})
    stage.close()
    await expect(asked).rejects.toThrow(Closed)
    expect(stage.scene.get()).toBeUndefined()
  })

  test('aborts the work of a screen that is shown while it runs', async () => {
    const stage = createStage()
    let aborted = false
    const run = stage.during(working, {}, (signal) => {
      signal.addEventListener('abort', () => {
        aborted = true
      })
      return new Promise(() => {})
    })
    stage.close()
    await expect(run).rejects.toThrow(Closed)
    expect(aborted).toBe(true)
  })

  test('while a service call is in flight leaves no ghost screen', async () => {
    const stage = createStage()
    let finish: () => void = () => {}
    const call = new Promise<void>((resolve) => {
      finish = resolve
    })
    const flow = (async () => {
      await stage.ask(email, {})
      await call
      await stage.ask(email, { error: 'late' })
    })()
    stage.scene.get()?.answer({ email: 'x' })
    await settled()
    stage.close()
    finish()
    await expect(flow).rejects.toThrow(Closed)
    expect(stage.scene.get()).toBeUndefined()
  })

  test('twice is closing once', () => {
    const stage = createStage()
    stage.close()
    stage.close()
    expect(stage.trace.get()).toEqual(['closed'])
  })

  test('makes a late answer of the person harmless', async () => {
    const stage = createStage()
    const asked = stage.ask(email, {})
    const answer = stage.scene.get()?.answer
    stage.close()
    answer?.({ email: 'x' })
    await expect(asked).rejects.toThrow(Closed)
    expect(stage.scene.get()).toBeUndefined()
  })
})

test('two stages at once know nothing of each other', async () => {
  const [one, two] = [createStage(), createStage()]
  const [first, second] = [one.ask(email, {}), two.ask(email, {})]
  one.close()
  two.scene.get()?.answer({ email: 'two' })
  await expect(first).rejects.toThrow(Closed)
  expect(await second).toEqual({ email: 'two' })
})

test('the trace names screens and answers, never what was typed', async () => {
  const stage = createStage()
  const asked = stage.ask(email, {})
  stage.scene.get()?.answer({ email: 'ada@example.com' })
  await asked
  expect(stage.trace.get().join(' ')).toBe('email > email')
})

describe('a part of a flow that can’t be left', () => {
  const mayClose = ({ scene }: ReturnType<typeof createStage>) => {
    const shown = scene.get()
    return shown && isClosable(shown)
  }
  const answer = ({ scene }: ReturnType<typeof createStage>) => scene.get()?.answer({ email: 'x' })

  test('lock: no screen of a flow within can be closed, whatever it says itself, until the flow has ended', async () => {
    const stage = createStage()
    const child = async () => {
      await stage.ask(email, {})
      await stage.during(working, {}, async () => expect(mayClose(stage)).toBe(false))
    }
    const flow = stage.lock(child)
    expect(mayClose(stage)).toBe(false)
    answer(stage)
    await flow
    void stage.ask(email, {})
    expect(mayClose(stage)).toBe(true)
  })

  test('unlock: a way out within can be closed, and what follows can’t', async () => {
    const stage = createStage()
    const flow = stage.lock(async () => {
      await stage.unlock(() => stage.ask(email, {}))
      await stage.ask(email, {})
    })
    expect(mayClose(stage)).toBe(true)
    answer(stage)
    await settled()
    expect(mayClose(stage)).toBe(false)
    answer(stage)
    await flow
  })

  test('lock: what is shown again after something in the middle is as it was', async () => {
    const stage = createStage()
    void stage.lock(() => stage.ask(email, {}))
    await stage.aside(async () => {})
    expect(mayClose(stage)).toBe(false)
  })

  test('lock: a part that fails is over as well', async () => {
    const stage = createStage()
    await expect(stage.lock(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    void stage.ask(email, {})
    expect(mayClose(stage)).toBe(true)
  })
})
