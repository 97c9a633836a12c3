import { expect, test } from 'vitest'
import { createStore } from '../../src/lib/store.ts'
import { createRequestQueue, type Turn } from '../../src/signing/request-queue.ts'
import { settled } from '../support/clock.ts'

const { signal } = new AbortController()

/** A queue, and requests that end when the test says so. */
function setUp(most = 10) {
  const isBusy = createStore(false)
  const queue = createRequestQueue(isBusy, most)
  const displayed: string[] = []
  function request(name: string, own = signal) {
    let turn: Turn | undefined
    let end: (value: string) => void = () => {}
    let fail: (cause: unknown) => void = () => {}
    const result = queue.run(
      (given) =>
        new Promise<string>((resolve, reject) => {
          displayed.push(name)
          turn = given
          end = resolve
          fail = reject
        }),
      own,
    )
    const outcome = result.then(
      (value) => value,
      (error: { code?: unknown }) => error.code,
    )
    return { outcome, turn: () => turn as Turn, end: () => end(name), fail: (cause: unknown) => fail(cause) }
  }
  return { isBusy, displayed, request }
}

test('request queue: one request is displayed at a time, in the order of their calls', async () => {
  const { request, displayed } = setUp()
  const [one, two] = [request('one'), request('two')]
  await settled()
  expect(displayed).toEqual(['one'])
  one.end()
  await settled()
  expect(displayed).toEqual(['one', 'two'])
  two.end()
  expect(await Promise.all([one.outcome, two.outcome])).toEqual(['one', 'two'])
})

test('request queue: the count grows while a request is displayed, and starts anew once all are done', async () => {
  const { request } = setUp()
  const one = request('one')
  await settled()
  const seen = [one.turn().position.get()]
  one.turn().position.subscribe(() => seen.push(one.turn().position.get()))
  const two = request('two')
  expect(seen).toEqual([
    { position: 1, count: 1 },
    { position: 1, count: 2 },
  ])
  one.end()
  await settled()
  expect(two.turn().position.get()).toEqual({ position: 2, count: 2 })
  two.end()
  await two.outcome
  const three = request('three')
  await settled()
  expect(three.turn().position.get()).toEqual({ position: 1, count: 1 })
  three.end()
})

test('request queue: a request waits while another dialog is open', async () => {
  const { isBusy, request, displayed } = setUp()
  isBusy.set(true)
  const one = request('one')
  await settled()
  expect(displayed).toEqual([])
  isBusy.set(false)
  await settled()
  one.end()
  expect(await one.outcome).toBe('one')
})

test('request queue: closing rejects those that wait by then, and displays the ones that come later', async () => {
  const { request, displayed } = setUp()
  const [one, two] = [request('one'), request('two')]
  await settled()
  one.turn().rejectWaiting()
  const three = request('three')
  one.fail({ code: 'closed' })
  expect(await Promise.all([one.outcome, two.outcome])).toEqual(['closed', 'unable_to_sign'])
  await settled()
  expect(displayed).toEqual(['one', 'three'])
  three.end()
  expect(await three.outcome).toBe('three')
})

test('request queue: closing the dialog of a request that was sent rejects nothing', async () => {
  const { request } = setUp()
  const [one, two] = [request('one'), request('two')]
  await settled()
  one.turn().commit()
  one.turn().rejectWaiting()
  one.end()
  await settled()
  two.end()
  expect(await two.outcome).toBe('two')
})

test('request queue: a failure of one request leaves the others', async () => {
  const { request } = setUp()
  const [one, two] = [request('one'), request('two')]
  await settled()
  one.fail({ code: 'broken' })
  expect(await one.outcome).toBe('broken')
  await settled()
  two.end()
  expect(await two.outcome).toBe('two')
})

test('request queue: a request whose caller gives up while it waits is never displayed', async () => {
  const { request, displayed } = setUp()
  const caller = new AbortController()
  const [one, two] = [request('one'), request('two', caller.signal)]
  await settled()
  caller.abort({ code: 'gone' })
  one.end()
  expect(await two.outcome).toBe('gone')
  expect(displayed).toEqual(['one'])
})

test('request queue: a caller that gives up behind an open dialog hears of it at once, and its slot is free', async () => {
  const { request, displayed } = setUp(2)
  const caller = new AbortController()
  const [one, two] = [request('one'), request('two', caller.signal)]
  await settled()
  expect(one.turn().position.get()).toEqual({ position: 1, count: 2 })
  caller.abort({ code: 'gone' })
  expect(await two.outcome).toBe('gone')
  expect(one.turn().position.get()).toEqual({ position: 1, count: 1 })
  expect(one.turn().hasNext.get()).toBe(false)
  const three = request('three')
  await settled()
  expect(displayed).toEqual(['one'])
  one.end()
  await settled()
  expect(displayed).toEqual(['one', 'three'])
  expect(three.turn().position.get()).toEqual({ position: 2, count: 2 })
  three.end()
  expect(await three.outcome).toBe('three')
})

test('request queue: those that wait when a dialog is closed are rejected before its own work has ended', async () => {
  const { request } = setUp()
  const [one, two] = [request('one'), request('two')]
  await settled()
  one.turn().rejectWaiting()
  expect(await two.outcome).toBe('unable_to_sign')
  one.end()
  expect(await one.outcome).toBe('one')
})

test('request queue: a caller that has given up before it calls takes no slot', async () => {
  const { request } = setUp(1)
  expect(await request('none', AbortSignal.abort({ code: 'gone' })).outcome).toBe('gone')
  const one = request('one')
  await settled()
  one.end()
  expect(await one.outcome).toBe('one')
})

test('request queue: one that gives up while another dialog is open leaves the next its turn', async () => {
  const { isBusy, request, displayed } = setUp()
  isBusy.set(true)
  const caller = new AbortController()
  const [one, two] = [request('one', caller.signal), request('two')]
  await settled()
  caller.abort({ code: 'gone' })
  expect(await one.outcome).toBe('gone')
  isBusy.set(false)
  await settled()
  expect(displayed).toEqual(['two'])
  two.end()
  expect(await two.outcome).toBe('two')
})

test('request queue: one more than may wait is refused by -32005', async () => {
  const { request } = setUp(2)
  const [one, two, three] = [request('one'), request('two'), request('three')]
  expect(await three.outcome).toBe(-32005)
  await settled()
  one.end()
  await settled()
  two.end()
  expect(await two.outcome).toBe('two')
})
