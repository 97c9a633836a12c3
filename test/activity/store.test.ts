/** What is stored of the transactions that were sent: how much, in which order, and what hostile or foreign JSON does. */
import { expect, test } from 'vitest'
import { createActivityStore } from '../../src/activity/activity.ts'
import type { ActivityEntry } from '../../src/activity/entry.ts'
import { activityLimits } from '../../src/activity/limits.ts'
import { ago } from '../../src/activity/when.ts'
import { memoryStorage } from '../../src/lib/storage.ts'

const key = 'lk:app:activity:u1'
const entryOf = (hash: string, over: Partial<ActivityEntry> = {}): ActivityEntry => ({
  chain: 'eip155:1',
  wallet: '0xa',
  hash,
  title: 'transfer',
  sentAt: 1_700_000_000_000,
  status: 'confirmed',
  ...over,
})
const stored = (value: unknown) => {
  const storage = memoryStorage()
  storage.set(key, typeof value === 'string' ? value : JSON.stringify(value))
  return createActivityStore(storage, key)
}
const hashes = (store: { entries: { get(): readonly ActivityEntry[] } }) =>
  store.entries.get().map(({ hash }) => hash)

test('activity store: entries are newest first, survive a reload, and the same one is stored once', () => {
  const storage = memoryStorage()
  const store = createActivityStore(storage, key)
  store.add(entryOf('a'))
  store.add(entryOf('b'))
  store.add(entryOf('a', { status: 'pending' }))
  expect(hashes(store)).toEqual(['b', 'a'])
  expect(createActivityStore(storage, key).entries.get()).toEqual(store.entries.get())
  expect(store.entries.get()[1]?.status).toBe('confirmed')
})

test('activity store: what another tab wrote is neither lost nor overwritten', () => {
  const storage = memoryStorage()
  const [one, other] = [createActivityStore(storage, key), createActivityStore(storage, key)]
  one.add(entryOf('a'))
  other.add(entryOf('b'))
  expect(hashes(other)).toEqual(['b', 'a'])
  expect(hashes(one)).toEqual(['a'])
  one.reload()
  expect(hashes(one)).toEqual(['b', 'a'])
})

test('activity store: beyond its number the oldest decided entries are forgotten, and pending ones stay', () => {
  const store = createActivityStore(memoryStorage(), key)
  store.add(entryOf('old-pending', { status: 'pending' }))
  for (let i = 0; i < activityLimits.entries + 5; i++) store.add(entryOf(`h${i}`))
  expect(store.entries.get()).toHaveLength(activityLimits.entries)
  expect(hashes(store)).toContain('old-pending')
  expect(hashes(store)).not.toContain('h0')
  expect(hashes(store)[0]).toBe(`h${activityLimits.entries + 4}`)
})

test('activity store: pending entries alone are bounded as well', () => {
  const store = createActivityStore(memoryStorage(), key)
  for (let i = 0; i < activityLimits.entries + 5; i++) store.add(entryOf(`h${i}`, { status: 'pending' }))
  expect(store.entries.get()).toHaveLength(activityLimits.entries)
})

test('activity store: large transactions are stored, and all together stay below the limit of characters', () => {
  const storage = memoryStorage()
  const store = createActivityStore(storage, key)
  const raw = `0x${'ab'.repeat(60_000)}`
  for (let i = 0; i < 12; i++) store.add(entryOf(`h${i}`, { raw }))
  expect(storage.get(key)?.length).toBeLessThanOrEqual(activityLimits.size)
  expect(hashes(store)[0]).toBe('h11')
  expect(store.entries.get()[0]?.raw).toBe(raw)
})

test.each([
  ['text that is no JSON', '{"'],
  ['an object', { length: 3 }],
  ['null', null],
  ['a number', 7],
])('activity store: %s in the storage counts as nothing stored', (_, value) => {
  const store = stored(value)
  expect(store.entries.get()).toEqual([])
  store.add(entryOf('a'))
  expect(hashes(store)).toEqual(['a'])
})

test.each([
  ['an unknown status', { status: 'sold' }],
  ['an unknown title', { title: '<b>' }],
  ['a negative amount', { amount: '-1' }],
  ['an amount as a number', { amount: 1e21 }],
  ['an endless amount', { amount: '9'.repeat(79) }],
  ['decimals that are no integer', { asset: { symbol: 'ETH', decimals: 0.5 } }],
  ['too many decimals', { asset: { symbol: 'ETH', decimals: 1e9 } }],
  ['a moment that no date has', { sentAt: 1e300 }],
  ['a moment before 1970', { sentAt: -1 }],
  ['no moment', { sentAt: null }],
  ['a hash that is no word', { hash: '../../' }],
  ['an endless hash', { hash: 'a'.repeat(129) }],
  ['an endless reason', { reason: 'a'.repeat(301) }],
  ['a nonce that is no number', { nonce: '0x7' }],
])('activity store: an entry with %s is left out, and the others are read', (_, wrong) => {
  expect(hashes(stored([{ ...entryOf('bad'), ...wrong }, entryOf('good'), null, 3, []]))).toEqual(['good'])
})

test('activity store: repeated, unknown and inherited fields of stored JSON have no effect', () => {
  const hostile = `[{"__proto__":{"status":"confirmed"},"hash":"x"},${JSON.stringify({ ...entryOf('a'), extra: 1 })},${JSON.stringify(entryOf('a', { status: 'pending' }))}]`
  const store = stored(hostile)
  expect(store.entries.get()).toEqual([entryOf('a')])
})

test('activity store: a stored list that is too long is cut when it is read', () => {
  const list = Array.from({ length: 500 }, (_, at) => entryOf(`h${at}`))
  expect(hashes(stored(list))).toHaveLength(activityLimits.entries)
})

test('relative time: a moment ahead, because the clock was set back, is now; after a week it is a date', () => {
  const now = Date.UTC(2026, 10, 20, 12)
  expect(ago(now + 86_400_000, now)).toBe('now')
  expect(ago(now - 59_000, now)).toBe('now')
  expect(ago(now - 3 * 60_000, now)).toMatch(/^3 min/)
  expect(ago(now - 5 * 3_600_000, now)).toMatch(/^5 hr/)
  expect(ago(now - 2 * 86_400_000, now)).toMatch(/^2 days ago/)
  expect(ago(now - 30 * 86_400_000, now)).toMatch(/2026/)
  expect(ago(0, activityLimits.lastMoment)).toMatch(/1970/)
})
