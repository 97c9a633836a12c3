import { expect, test } from 'vitest'
import { createRuns } from '../../src/dialog/runs.ts'
import { defineScreen } from '../../src/dialog/screen.ts'
import type { Run, Surface } from '../../src/dialog/surface.ts'
import { KitError } from '../../src/errors/kit-error.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createRequestQueue } from '../../src/signing/request-queue.ts'
import { settled } from '../support/clock.ts'

const surface: Surface = { present: () => new Promise(() => {}), dismiss: async () => {} }
const canceled = new KitError('mfa_canceled', 'MFA canceled')

function runsHere() {
  return createRuns({ clock: systemClock, makeSurface: () => surface, openWindow: () => null })
}

test('a dialog whose request is refused closes, and its caller is told why', async () => {
  const runs = runsHere()
  const exported = runs.run('export', {}, async ({ signal }) => {
    runs.refuse(canceled)
    signal.throwIfAborted()
  })
  await expect(exported).rejects.toBe(canceled)
  expect(runs.isOpen.get()).toBe(false)
})

test('a run that was opened for no request stays open when one is refused, and goes on to its own end', async () => {
  const runs = runsHere()
  const settings = runs.run('settings', { outlivesRefusals: true }, async ({ signal }) => {
    runs.refuse(canceled)
    return signal.aborted
  })
  expect(await settings).toBe(false)
})

const question = defineScreen<object, string>('question', { view: () => null })

/** A queue of requests on one surface, each of which asks one question. */
function queueHere() {
  const events: string[] = []
  const names = new Map<Run, string>()
  let shown: Run | undefined
  const nameOf = (run: Run) => names.get(run) ?? String(names.set(run, `run ${names.size + 1}`).get(run))
  const place: Surface = {
    async present(run) {
      shown = run
      events.push(`present ${nameOf(run)}`)
    },
    replace(ended, next) {
      shown = next
      events.push(`replace ${nameOf(ended)} by ${nameOf(next)}`)
      return true
    },
    dismiss: (run) => void events.push(`dismiss ${nameOf(run)}`),
  }
  const runs = createRuns({ clock: systemClock, makeSurface: () => place, openWindow: () => null })
  const queue = createRequestQueue(runs.isBusy, 10)
  const request = (before: () => Promise<void> = async () => {}, options: { isHidden?: boolean } = {}) =>
    queue
      .run(async (turn) => {
        await before()
        return runs.run('sign', { ...options, queue: turn }, async (stage) => {
          try {
            return options.isHidden ? 'hidden' : await stage.ask(question, {})
          } catch (cause) {
            turn.rejectWaiting()
            throw cause
          }
        })
      }, new AbortController().signal)
      .catch((error: { code: string }) => error.code)
  const answer = async (given: string) => {
    shown?.stage.scene.get()?.answer(given)
    await settled()
  }
  return { runs, events, request, answer, close: () => shown?.stage.close() }
}

test('queued requests: one dialog stays open from the first to the last', async () => {
  const { runs, events, request, answer } = queueHere()
  const opened: boolean[] = []
  runs.isOpen.subscribe(() => opened.push(runs.isOpen.get()))
  const all = [request(), request(), request()]
  await settled()
  for (const given of ['one', 'two', 'three']) await answer(given)
  expect(await Promise.all(all)).toEqual(['one', 'two', 'three'])
  expect(events).toEqual([
    'present run 1',
    'replace run 1 by run 2',
    'replace run 2 by run 3',
    'dismiss run 3',
  ])
  expect(opened).toEqual([true, false])
})

test('queued requests: the dialog closes once the next request turns out to need none', async () => {
  const { runs, events, request, answer } = queueHere()
  const one = request()
  const two = request(async () => {
    throw new KitError('invalid_data', 'Nothing to sign')
  })
  await settled()
  await answer('one')
  expect(await Promise.all([one, two])).toEqual(['one', 'invalid_data'])
  expect(events).toEqual(['present run 1', 'dismiss run 1'])
  expect(runs.isOpen.get()).toBe(false)
})

test('queued requests: the dialog closes for a request without screens', async () => {
  const { runs, events, request, answer } = queueHere()
  const all = [request(), request(undefined, { isHidden: true })]
  await settled()
  await answer('one')
  expect(await Promise.all(all)).toEqual(['one', 'hidden'])
  expect(events).toEqual(['present run 1', 'dismiss run 1'])
  expect(runs.isOpen.get()).toBe(false)
})

test('queued requests: closing the dialog between two of them rejects those that wait', async () => {
  const { runs, events, request, answer, close } = queueHere()
  let go = () => {}
  const prepared = new Promise<void>((resolve) => {
    go = resolve
  })
  const all = [request(), request(() => prepared), request()]
  await settled()
  await answer('one')
  expect(runs.isOpen.get()).toBe(true)
  close()
  expect(runs.isOpen.get()).toBe(false)
  go()
  expect(await Promise.all(all)).toEqual(['one', 'unable_to_sign', 'unable_to_sign'])
  expect(events).toEqual(['present run 1', 'dismiss run 1'])
})

test('queued requests: another dialog takes the place of one that waits for the next request', async () => {
  const { runs, events, request, answer } = queueHere()
  let go = () => {}
  const prepared = new Promise<void>((resolve) => {
    go = resolve
  })
  const all = [request(), request(() => prepared)]
  await settled()
  await answer('one')
  const login = runs.run('login', {}, (stage) => stage.ask(question, {}))
  await settled()
  expect(events).toEqual(['present run 1', 'dismiss run 1', 'present run 2'])
  go()
  await answer('in')
  expect(await login).toBe('in')
  await settled()
  await answer('two')
  expect(await Promise.all(all)).toEqual(['one', 'two'])
})

test('a dialog whose outcome its caller knows gives way to the next one, and no other does', async () => {
  const runs = runsHere()
  const never = ({ signal }: { signal: AbortSignal }) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const queue = createRequestQueue(runs.isBusy, 4)
  const { signal } = new AbortController()
  let tell = () => {}
  const sending = queue.run((turn) => {
    tell = turn.tell
    return runs.run('sign', { queue: turn }, never)
  }, signal)
  sending.catch(() => {})
  await settled()
  await expect(runs.run('fund', {}, async () => 'funded')).rejects.toMatchObject({ code: 'flow_in_progress' })
  tell()
  expect(await runs.run('fund', {}, async () => 'funded')).toBe('funded')
  await expect(sending).rejects.toBeInstanceOf(KitError)
  expect(runs.isOpen.get()).toBe(false)
})
