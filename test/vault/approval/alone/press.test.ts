/** Which presses were meant for what is shown. */
import { describe, expect, test } from 'vitest'
import { createPresses, type Presses, type Refusal } from '../../../../src/vault/approval/press.ts'
import { hasRoomToRead, legibleScale, reasonForWindow } from '../../../../src/vault/approval/room.ts'

interface Hand {
  presses: Presses
  wait(milliseconds: number): void
  obstacle: Refusal | undefined
  click(held?: number): Refusal | undefined
  key(options?: { repeated?: boolean; typed?: boolean }): Refusal | undefined
  now(): number
}

function hand(): Hand {
  let time = 5_000
  const self: Hand = {
    obstacle: undefined,
    now: () => time,
    wait(milliseconds) {
      time += milliseconds
    },
    click(held = 40) {
      self.presses.beginPointer(1)
      time += held
      self.presses.endPointer(1, false)
      return self.presses.click()
    },
    key({ repeated = false, typed = false } = {}) {
      self.presses.beginKey(repeated, typed ? 'typed' : 'press')
      return self.presses.click()
    },
    presses: createPresses({ now: () => time, obstacle: () => self.obstacle }),
  }
  return self
}

/** A hand that has looked for long enough. */
function ready(): Hand {
  const one = hand()
  one.wait(1_500)
  return one
}

describe('press: a click counts', () => {
  test('after a second of quiet', () => {
    const one = hand()
    one.wait(999)
    expect(one.presses.judge('press')).toBe('early')
    one.wait(1)
    expect(one.click()).toBeUndefined()
  })

  test('however long it is held down', () => {
    expect(ready().click(5_000)).toBeUndefined()
  })

  test('of a screen reader, which has neither a pointer nor a key', () => {
    const one = ready()
    expect(one.presses.click()).toBeUndefined()
    expect(one.presses.click()).toBe('early')
  })

  test('when the press itself gives a frame its focus', () => {
    const one = ready()
    one.presses.beginPointer(1)
    one.presses.disturb()
    one.presses.endPointer(1, false)
    expect(one.presses.click()).toBeUndefined()
  })
})

describe('press: a click does not count', () => {
  const tries: Record<string, (one: Hand) => Refusal | undefined> = {
    'of a press that began before the second was over': (one) => {
      one.presses.change()
      one.wait(999)
      return one.click(500)
    },
    'of a press during which the content changed': (one) => {
      one.presses.beginPointer(1)
      one.wait(20)
      one.presses.change()
      one.wait(20)
      one.presses.endPointer(1, false)
      return one.presses.click()
    },
    'of a press that ends a second after the content changed': (one) => {
      one.presses.beginPointer(1)
      one.wait(20)
      one.presses.change()
      one.wait(2_000)
      return one.presses.click()
    },
    'that follows another click': (one) => {
      one.click()
      one.wait(900)
      return one.click()
    },
    'that follows a press elsewhere without a click': (one) => {
      one.presses.beginPointer(1)
      one.presses.endPointer(1, false)
      one.wait(900)
      return one.click()
    },
    'that follows a scroll by touch': (one) => {
      one.presses.beginPointer(7)
      one.presses.endPointer(7, true)
      one.wait(900)
      return one.click()
    },
    'of the first of two fingers': (one) => {
      one.presses.beginPointer(1)
      one.presses.beginPointer(2)
      one.presses.endPointer(1, false)
      return one.presses.click()
    },
    'that follows a move of the focus': (one) => {
      one.presses.disturb()
      one.wait(900)
      return one.click()
    },
    'that follows a key': (one) => {
      one.key()
      one.wait(900)
      return one.click()
    },
    'of a screen reader right after a press': (one) => {
      one.click()
      one.wait(500)
      return one.presses.click()
    },
  }
  test.each(Object.entries(tries))('%s', (_, attempt) => {
    expect(attempt(ready())).toBe('early')
  })

  test.each<Refusal>(['covered', 'unread', 'small'])(
    'if what is shown is %s when the press begins',
    (why) => {
      const one = ready()
      one.obstacle = why
      one.presses.beginPointer(1)
      one.obstacle = undefined
      one.presses.endPointer(1, false)
      expect(one.presses.click()).toBe(why)
    },
  )

  test.each<Refusal>(['covered', 'unread', 'small'])('if what is shown is %s when the press ends', (why) => {
    const one = ready()
    one.presses.beginPointer(1)
    one.obstacle = why
    one.presses.endPointer(1, false)
    expect(one.presses.click()).toBe(why)
  })
})

describe('press: clicking on and on never counts, and a second later it does', () => {
  for (const period of [5, 16, 50, 100, 200, 300, 500, 700, 900, 990])
    test(`a click every ${period} ms`, () => {
      const one = hand()
      for (let clicks = 0; clicks < 400; clicks++) {
        expect(one.click(Math.min(4, period))).toBe('early')
        one.wait(period - Math.min(4, period))
      }
      one.wait(1_000)
      expect(one.click()).toBeUndefined()
    })

  for (const period of [5, 30, 300, 900])
    test(`Enter every ${period} ms`, () => {
      const one = hand()
      for (let keys = 0; keys < 200; keys++) {
        expect(one.key()).toBe('early')
        one.wait(period)
      }
      one.wait(1_000)
      expect(one.key()).toBeUndefined()
    })

  test('clicks and keys in turn', () => {
    const one = hand()
    for (let acts = 0; acts < 200; acts++) {
      expect(acts % 2 ? one.key() : one.click()).toBe('early')
      one.wait(600)
    }
  })
})

describe('press: a key', () => {
  test('counts half a second after its control has the focus, if the second is over', () => {
    const one = ready()
    one.presses.focus()
    one.wait(499)
    expect(one.key()).toBe('early')
    one.wait(1_000)
    expect(one.key()).toBeUndefined()
    const other = ready()
    other.presses.focus()
    other.wait(500)
    expect(other.key()).toBeUndefined()
  })

  test('held down does not count, however long', () => {
    const one = ready()
    for (let repeats = 0; repeats < 100; repeats++) {
      one.wait(30)
      expect(one.key({ repeated: true })).toBe('early')
    }
    one.wait(2_000)
    expect(one.key({ repeated: true })).toBe('early')
  })

  test('after the page has moved the focus into the frame does not count within a second', () => {
    const one = ready()
    one.presses.disturb()
    one.wait(300)
    one.presses.focus()
    one.wait(600)
    expect(one.key()).toBe('early')
  })

  test('that ends what was typed counts half a second after its screen, even right after a press', () => {
    const one = hand()
    one.wait(499)
    expect(one.key({ typed: true })).toBe('early')
    one.wait(1)
    expect(one.key({ typed: true })).toBeUndefined()
    one.click()
    expect(one.key({ typed: true })).toBeUndefined()
  })
})

describe('room: text of a request has at least 11 device pixels', () => {
  const room = (devicePixelRatio: number, innerWidth = 360, innerHeight = 620) => ({
    devicePixelRatio,
    innerWidth,
    innerHeight,
  })
  test.each([
    [1, 1, 1],
    [1, 2, 2],
    [2, 0.5, 0.5],
    [1, 0.5, 11 / 12],
    [0.8, 1, 11 / 9.6],
    [0.5, 1, 11 / 6],
    [0.5, 4, 4],
    [0.15, 1, 2],
  ])('at %d device pixels and text of %d it is drawn %d times as large', (ratio, textScale, drawn) => {
    expect(legibleScale(room(ratio), { textScale })).toBeCloseTo(drawn)
  })

  test.each([
    ['text of 4 device pixels, by zoom times text scale', room(0.4), 0.8],
    ['a zoom of a tenth', room(0.1), 1],
    ['a zoom of a tenth with text four times as large', room(0.1, 3_600, 6_200), 4],
    ['a frame 236 px high', room(1, 360, 236), 1],
    ['a frame as small as its button', room(1, 200, 110), 1],
    ['a narrow frame', room(2, 279, 620), 1],
    ['a frame that is not shown', room(1, 0, 0), 1],
  ])('a request goes to the window: %s', (_, given, textScale) => {
    expect(hasRoomToRead(given, { textScale })).toBe(false)
  })

  test.each([
    ['a dialog', room(1), 1],
    ['a drawer of a small phone', room(3, 320, 560), 1],
    ['a page at half its size', room(0.5, 360, 620), 1],
    ['text twice as large', room(1), 2],
    ['a page with small text', room(1), 0.5],
  ])('a request stays in the frame: %s', (_, given, textScale) => {
    expect(hasRoomToRead(given, { textScale })).toBe(true)
  })

  test('a browser that does not tell what a user sees shows no request in a frame', () => {
    Reflect.set(globalThis, 'IntersectionObserverEntry', class {})
    expect(reasonForWindow(room(1), { textScale: 1 })).toBe('browser')
    Reflect.set(
      globalThis,
      'IntersectionObserverEntry',
      class {
        get isVisible() {
          return true
        }
      },
    )
    expect(reasonForWindow(room(1), { textScale: 1 })).toBeUndefined()
    expect(reasonForWindow(room(1, 360, 236), { textScale: 1 })).toBe('room')
    Reflect.deleteProperty(globalThis, 'IntersectionObserverEntry')
  })
})
