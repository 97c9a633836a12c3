import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { onAbort, untilAborted } from '../../src/lib/abort.ts'
import { systemClock, within } from '../../src/lib/clock.ts'

const countOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

test('abort: many waits on one signal have one listener, and none once they are over', async () => {
  const caller = new AbortController()
  const ends: (() => void)[] = []
  const work = () => new Promise<void>((resolve) => ends.push(resolve))
  const all = Array.from({ length: 20 }, (_, at) =>
    at % 2 ? within(systemClock, 60_000, work, caller.signal) : untilAborted(work(), caller.signal),
  )
  const short = systemClock.sleep(0, caller.signal)
  expect(countOf(caller.signal)).toBe(1)
  await short
  for (const end of ends) end()
  await Promise.all(all)
  expect(countOf(caller.signal)).toBe(0)
})

test('abort: each wait on a signal ends with its reason', async () => {
  const caller = new AbortController()
  const never = () => new Promise<never>(() => {})
  const all = [
    within(systemClock, 60_000, never, caller.signal),
    untilAborted(never(), caller.signal),
    systemClock.sleep(60_000, caller.signal),
  ]
  const outcomes = Promise.allSettled(all)
  caller.abort('gone')
  expect((await outcomes).map((each) => 'reason' in each && each.reason)).toEqual(['gone', 'gone', 'gone'])
  await expect(within(systemClock, 60_000, never, caller.signal)).rejects.toBe('gone')
})

test('abort: a callback that was stopped is not called, and others of its signal are', () => {
  const caller = new AbortController()
  const called: string[] = []
  const stop = onAbort(caller.signal, () => called.push('one'))
  onAbort(caller.signal, () => called.push('two'))
  stop()
  stop()
  caller.abort()
  onAbort(caller.signal, () => called.push('late'))
  expect(called).toEqual(['two', 'late'])
})
