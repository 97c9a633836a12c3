/** Whether a frame has kept its place, by where a pointer is in it and on the screen. */
import { describe, expect, test } from 'vitest'
import { isSamePlace } from '../../../../src/vault/approval/pointers.ts'

const at = (screenX: number, screenY: number, clientX: number, clientY: number) => ({
  screenX,
  screenY,
  clientX,
  clientY,
})
const start = at(500, 500, 200, 200)

describe('pointers: a frame has kept its place', () => {
  test.each([
    ['without a zoom', at(560, 420, 260, 120)],
    ['in a page at half its size', at(560, 420, 320, 40)],
    ['in a page at three times its size', at(560, 440, 220, 180)],
    ['and a pointer that rests', start],
  ])('%s', (_, after) => expect(isSamePlace(start, after)).toBe(true))
})

describe('pointers: a frame has been moved', () => {
  test.each([
    ['under a pointer at rest', at(500, 500, 200, 290)],
    ['across the way of the pointer', at(560, 500, 260, 290)],
    ['against the way of the pointer', at(510, 500, 120, 200)],
    ['along with the pointer', at(560, 500, 200, 200)],
  ])('%s', (_, after) => expect(isSamePlace(start, after)).toBe(false))
})
