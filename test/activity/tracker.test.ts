/** Who follows what was sent, and what becomes of the others of a nonce. */
import { expect, test } from 'vitest'
import { createActivityStore } from '../../src/activity/activity.ts'
import type { ActivityChange, ActivityEntry } from '../../src/activity/entry.ts'
import { createTracker, type Follow, type Followed } from '../../src/activity/tracker.ts'
import { memoryStorage } from '../../src/lib/storage.ts'
import { settled } from '../support/clock.ts'

const entryOf = (hash: string, over: Partial<ActivityEntry> = {}): ActivityEntry => ({
  chain: 'eip155:1',
  wallet: '0xa',
  hash,
  title: 'transfer',
  sentAt: 0,
  status: 'pending',
  nonce: '7',
  ...over,
})

/** A tracker whose network says what a test lets it say. */
function setUp(...entries: readonly ActivityEntry[]) {
  const store = createActivityStore(memoryStorage(), 'activity')
  for (const entry of [...entries].reverse()) store.add(entry)
  const waiting = new Map<string, (next: Followed | 'end' | Error) => void>()
  const started: string[] = []
  const follow: Follow = async function* ({ hash }, signal) {
    started.push(hash)
    while (!signal.aborted) {
      const next = await new Promise<Followed | 'end' | Error>((resolve) => waiting.set(hash, resolve))
      if (next instanceof Error) throw next
      if (next === 'end') return
      yield next
    }
  }
  const tracker = createTracker(store, follow)
  const say = async (hash: string, change: ActivityChange | 'end' | Error, receipt?: unknown) => {
    const isChange = change !== 'end' && !(change instanceof Error)
    waiting.get(hash)?.(isChange ? { change, receipt } : change)
    await settled()
  }
  const statuses = () =>
    Object.fromEntries(
      store.entries.get().map(({ hash, status, replacedBy }) => [hash, replacedBy ?? status]),
    )
  return { store, tracker, started, say, statuses }
}

test('tracker: only undecided entries are followed, and each of them once', async () => {
  const { tracker, started } = setUp(
    entryOf('a'),
    entryOf('b', { status: 'unknown', nonce: '8' }),
    entryOf('c', { status: 'confirmed', nonce: '6' }),
    entryOf('d', { status: 'dropped', nonce: '9' }),
  )
  tracker.start()
  tracker.start()
  await settled()
  expect(started.sort()).toEqual(['a', 'b'])
})

test('tracker: a confirmed transaction makes those that wait for its nonce replaced', async () => {
  const { tracker, say, statuses } = setUp(
    entryOf('second'),
    entryOf('first'),
    entryOf('lost', { status: 'dropped' }),
    entryOf('other-nonce', { nonce: '8' }),
    entryOf('other-wallet', { wallet: '0xb' }),
    entryOf('other-chain', { chain: 'eip155:10' }),
  )
  tracker.start()
  await say('second', { status: 'confirmed', block: '5' })
  expect(statuses()).toEqual({
    second: 'confirmed',
    first: 'second',
    lost: 'second',
    'other-nonce': 'pending',
    'other-wallet': 'pending',
    'other-chain': 'pending',
  })
})

test('tracker: a reorganisation opens again what a confirmation had decided', async () => {
  const { tracker, say, statuses } = setUp(entryOf('second'), entryOf('first'))
  tracker.start()
  await say('second', { status: 'confirmed' })
  await say('first', 'end')
  await say('second', { status: 'pending' })
  expect(statuses()).toEqual({ second: 'pending', first: 'pending' })
  await say('first', { status: 'confirmed' })
  expect(statuses()).toEqual({ second: 'first', first: 'confirmed' })
})

test('tracker: transactions without a nonce, as on Solana, never replace each other', async () => {
  const onSolana = { chain: 'solana:mainnet', nonce: undefined } as const
  const { tracker, say, statuses } = setUp(entryOf('a', onSolana), entryOf('b', onSolana))
  tracker.start()
  await say('a', { status: 'confirmed' })
  expect(statuses()).toEqual({ a: 'confirmed', b: 'pending' })
})

test('tracker: waiting ends with the decision and its receipt', async () => {
  const { tracker, say } = setUp(entryOf('a'))
  const wait = tracker.settled(entryOf('a'))
  await say('a', { status: 'unknown' })
  await say('a', { status: 'confirmed' }, { block: 5 })
  expect(await wait).toMatchObject({ entry: { status: 'confirmed' }, receipt: { block: 5 } })
})

test('tracker: waiting goes on until the receipt where another tab has seen the decision first', async () => {
  const { tracker, store, say } = setUp(entryOf('a'))
  const wait = tracker.settled(entryOf('a'))
  await settled()
  let isOver = false
  void wait.then(() => {
    isOver = true
  })
  store.update(entryOf('a'), { status: 'confirmed' })
  await settled()
  expect(isOver).toBe(false)
  await say('a', { status: 'confirmed' }, { block: 5 })
  expect(await wait).toMatchObject({ entry: { status: 'confirmed' }, receipt: { block: 5 } })
})

test('tracker: waiting ends without a receipt once the network can’t be followed any more', async () => {
  const { tracker, store, say } = setUp(entryOf('a'))
  const wait = tracker.settled(entryOf('a'))
  await settled()
  store.update(entryOf('a'), { status: 'confirmed' })
  await say('a', new Error('gone'))
  expect(await wait).toEqual({ entry: expect.objectContaining({ status: 'confirmed' }) })
})

test('tracker: waiting ends with the signal, and once the entry is gone', async () => {
  const { tracker, store } = setUp(entryOf('a'))
  const stop = new AbortController()
  const stopped = tracker.settled(entryOf('a'), stop.signal)
  stop.abort(new Error('closed'))
  await expect(stopped).rejects.toThrow('closed')
  const gone = tracker.settled(entryOf('a'))
  store.clear()
  await expect(gone).rejects.toMatchObject({ name: 'AbortError' })
  await expect(tracker.settled(entryOf('never'))).rejects.toMatchObject({ name: 'AbortError' })
})

test('tracker: what could not be followed is followed again by the next start', async () => {
  const { tracker, started, say, statuses } = setUp(entryOf('a'))
  tracker.start()
  await say('a', new Error('the library did not load'))
  expect(statuses()).toEqual({ a: 'pending' })
  tracker.start()
  await settled()
  expect(started).toEqual(['a', 'a'])
})

test('tracker: nothing is written after it was stopped, as at a logout', async () => {
  const { tracker, say, statuses } = setUp(entryOf('a'))
  tracker.start()
  tracker.stop()
  await say('a', { status: 'confirmed' })
  expect(statuses()).toEqual({ a: 'pending' })
})
