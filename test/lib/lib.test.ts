import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { systemClock, TimedOut, within } from '../../src/lib/clock.ts'
import { createEmitter } from '../../src/lib/emitter.ts'
import { originAllowed, parseBaseUrl } from '../../src/lib/origin.ts'
import { poll } from '../../src/lib/poll.ts'
import { safeLink } from '../../src/lib/safe-link.ts'
import { singleFlight } from '../../src/lib/single-flight.ts'
import { webStorage } from '../../src/lib/storage.ts'
import { createStore } from '../../src/lib/store.ts'
import { version } from '../../src/lib/version.ts'
import { settled, testClock } from '../support/clock.ts'

afterEach(() => vi.unstubAllGlobals())

describe('storage', () => {
  const area = (): globalThis.Storage => {
    const values = new Map<string, string>()
    return {
      getItem: (key) => values.get(key) ?? null,
      setItem: (key, value) => void values.set(key, value),
      removeItem: (key) => void values.delete(key),
      clear: () => values.clear(),
      key: () => null,
      length: 0,
    }
  }

  test('keeps what it is given', () => {
    const storage = webStorage(area)
    storage.set('a', '1')
    expect(storage.get('a')).toBe('1')
    storage.remove('a')
    expect(storage.get('a')).toBeUndefined()
    expect(storage.persistent).toBe(true)
  })

  test('falls back to memory where merely touching it throws', () => {
    const storage = webStorage(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    storage.set('a', '1')
    expect(storage.get('a')).toBe('1')
    expect(storage.persistent).toBe(false)
  })

  test('falls back to memory for a value that does not fit', () => {
    const full = area()
    full.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    const storage = webStorage(() => full)
    storage.set('a', '1')
    expect(storage.get('a')).toBe('1')
    expect(storage.persistent).toBe(false)
  })

  test('what was removed stays removed though the area refuses', () => {
    const stubborn = area()
    stubborn.setItem('a', 'old')
    stubborn.removeItem = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    const storage = webStorage(() => stubborn)
    storage.remove('a')
    expect(storage.get('a')).toBeUndefined()
  })
})

describe('waiting', () => {
  test('the system clock wakes its sleepers and hears the signal', async () => {
    await systemClock.sleep(1)
    const stop = new AbortController()
    const sleep = systemClock.sleep(60_000, stop.signal)
    stop.abort(new Error('enough'))
    await expect(sleep).rejects.toThrow('enough')
    await expect(systemClock.sleep(1, stop.signal)).rejects.toThrow('enough')
  })

  test('work that takes too long is aborted and timed out', async () => {
    const clock = testClock()
    let aborted = false
    const run = within(clock, 1000, (signal) => {
      signal.addEventListener('abort', () => {
        aborted = true
      })
      return new Promise(() => {})
    })
    const failed = expect(run).rejects.toThrow(TimedOut)
    await clock.advance(1000)
    await failed
    expect(aborted).toBe(true)
  })

  test('work in time leaves no timer behind', async () => {
    const clock = testClock()
    expect(await within(clock, 1000, async () => 'done')).toBe('done')
    await settled()
    expect(clock.sleeping).toBe(0)
  })

  test('polling ends with the first answer, or after the last try', async () => {
    const clock = testClock()
    let asked = 0
    const found = poll(clock, { every: 100, tries: 5 }, () => (++asked === 3 ? 'here' : undefined))
    await clock.advance(1000)
    expect(await found).toBe('here')
    const never = poll(clock, { every: 100, tries: 5 }, () => undefined)
    await clock.advance(1000)
    expect(await never).toBeUndefined()
  })
})

test('those who ask while work is under way share its result, and the next one starts anew', async () => {
  let runs = 0
  const work = singleFlight(async () => ++runs)
  expect(await Promise.all([work(), work(), work()])).toEqual([1, 1, 1])
  expect(await work()).toBe(2)
})

test('a failed flight does not stick', async () => {
  let runs = 0
  const work = singleFlight(async () => {
    if (++runs === 1) throw new Error('once')
    return runs
  })
  await expect(work()).rejects.toThrow('once')
  expect(await work()).toBe(2)
})

test('a store tells of changes, and of nothing else', () => {
  const store = createStore(1)
  const heard: number[] = []
  const stop = store.subscribe(() => heard.push(store.get()))
  store.set(1)
  store.set(2)
  stop()
  store.set(3)
  expect(heard).toEqual([2])
})

test('a listener that throws hurts no other listener', () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  const events = createEmitter<{ hello: string }>()
  const heard: string[] = []
  events.on('hello', () => {
    throw new Error('host')
  })
  events.on('hello', (word) => heard.push(word))
  events.emit('hello', 'there')
  expect(heard).toEqual(['there'])
  expect(reported).toHaveBeenCalledOnce()
})

describe('origins', () => {
  const allowed = ['http://localhost:*', 'https://app.example', '*.wild.example', 'http://[::1]:8080']
  test.each([
    ['http://localhost:3000', true],
    ['http://localhost', true],
    ['https://localhost:3000', false],
    ['http://localhost.evil.example:3000', false],
    ['http://evil.localhost:3000', false],
    ['https://app.example', true],
    ['https://app.example:443', true],
    ['https://app.example:8443', false],
    ['http://app.example', false],
    ['https://app.example.evil', false],
    ['https://one.wild.example', true],
    ['https://two.one.wild.example', false],
    ['https://wild.example', false],
    ['http://[::1]:8080', true],
    ['null', false],
    ['', false],
    ['https://app.example@evil.example', false],
    ['https://app.example/path', false],
  ])('%s -> %s', (origin, expected) => expect(originAllowed(origin, allowed)).toBe(expected))

  test('a base address is https, or http on this very machine', () => {
    expect(parseBaseUrl('https://api.example/v/')).toBe('https://api.example/v')
    expect(parseBaseUrl('http://localhost:1234')).toBe('http://localhost:1234')
    for (const bad of [
      'http://api.example',
      'ftp://x',
      'nonsense',
      'https://u:p@x.example',
      'https://x.example?a=1',
    ])
      expect(parseBaseUrl(bad)).toBeUndefined()
  })

  test('only http and https become links', () => {
    expect(safeLink('https://example.com/a')).toBe('https://example.com/a')
    for (const bad of [
      'javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      ' \u0000javascript:x',
      '',
      undefined,
    ])
      expect(safeLink(bad)).toBeUndefined()
  })
})

test('the version in the code is the version of the package', () => {
  const { version: published } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  expect(version).toBe(published)
})
