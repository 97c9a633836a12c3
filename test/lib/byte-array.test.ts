import { createContext, runInContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { toByteArray } from '../../src/lib/byte-array.ts'

const realm = createContext({})
const elsewhere = (code: string): unknown => runInContext(code, realm)

describe('byte arrays', () => {
  it.each([
    'new Uint8Array([1, 2, 3])',
    'Uint8Array.of(1, 2, 3)',
    'new Uint8Array([0, 1, 2, 3, 4]).subarray(1, 4)',
    'new Uint8Array(new Uint8Array([1, 2, 3]).buffer)',
    'class Own extends Uint8Array {}; new Own([1, 2, 3])',
    'Object.setPrototypeOf(new Uint8Array([1, 2, 3]), null)',
    'Object.defineProperty(new Uint8Array([1, 2, 3]), Symbol.toStringTag, { value: "Other" })',
  ])('of another realm, %s is one', (code) => {
    const bytes = toByteArray(elsewhere(code))
    expect(bytes).toBeInstanceOf(Uint8Array)
    expect(Array.from(bytes ?? [])).toEqual([1, 2, 3])
  })

  it.each([Uint8Array.of(1, 2, 3), Buffer.from([1, 2, 3])])('of this realm, one is copied', (given) => {
    const bytes = toByteArray(given)
    given[0] = 9
    expect(bytes).toEqual(Uint8Array.of(1, 2, 3))
  })

  it.each([
    'new Uint8ClampedArray([1])',
    'new Int8Array([1])',
    'new Uint16Array([1])',
    'new DataView(new ArrayBuffer(1))',
    'new ArrayBuffer(1)',
    '[1, 2, 3]',
    '({ length: 1, 0: 1, [Symbol.toStringTag]: "Uint8Array" })',
    'Object.create(Uint8Array.prototype)',
    'new Proxy(new Uint8Array(1), {})',
    '"abc"',
    'null',
    'undefined',
  ])('%s is none', (code) => {
    expect(toByteArray(elsewhere(code))).toBeUndefined()
  })
})
