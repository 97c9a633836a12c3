/** The split against arithmetic of its own: GF(256) with x⁸ + x⁴ + x³ + x + 1, bit by bit, without any table. */
import { combine, split } from 'shamir-secret-sharing'
import { expect, test } from 'vitest'
import { randomBytes } from '../../../src/vault/bytes.ts'

function times(a: number, b: number): number {
  let product = 0
  for (; b > 0; b >>= 1) {
    if (b & 1) product ^= a
    a = a & 0x80 ? (a << 1) ^ 0x11b : a << 1
  }
  return product
}
/** The inverse is the 254th power. */
const inverse = (a: number) => Array.from({ length: 253 }).reduce<number>((power) => times(power, a), a)

/** A line through the secret: each byte has a slope of its own, the last byte of a share is its x. */
const shareAt = (secret: Uint8Array, slope: Uint8Array, x: number) =>
  Uint8Array.from([...secret.map((byte, i) => byte ^ times(slope[i] ?? 0, x)), x])

/** Both lines meet the axis where the secret is. */
function atZero(a: Uint8Array, b: Uint8Array): Uint8Array {
  const [x, y] = [a.at(-1) ?? 0, b.at(-1) ?? 0]
  const both = inverse(x ^ y)
  const [forA, forB] = [times(y, both), times(x, both)]
  return a.slice(0, -1).map((byte, i) => times(byte, forA) ^ times(b[i] ?? 0, forB))
}

test('fixed coefficients: shares made by hand combine to the secret', async () => {
  const secret = Uint8Array.from({ length: 16 }, (_, i) => i * 17)
  const slope = Uint8Array.from({ length: 16 }, (_, i) => 0x53 ^ (i * 29))
  expect([times(0x57, 0x83), times(0x57, 0x13), times(0x53, inverse(0x53))]).toEqual([0xc1, 0xfe, 1])
  const written = [
    [1, '535f4b3763979bef33cfdbd7c3f72b1f01'],
    [2, 'a68df03b0aca875ce5354863d2897f2402'],
    [200, 'a75d483e62b58ee236fbee14982440fcc8'],
  ] as const
  for (const [x, hex] of written) expect(Buffer.from(shareAt(secret, slope, x)).toString('hex')).toBe(hex)
  for (const [x, y] of [
    [1, 2],
    [1, 255],
    [200, 3],
  ] as const)
    expect(await combine([shareAt(secret, slope, x), shareAt(secret, slope, y)])).toEqual(secret)
})

test('what the library splits, arithmetic by hand puts together; x is never zero and never twice', async () => {
  for (let round = 0; round < 500; round++) {
    const secret = randomBytes(round % 2 ? 16 : 32)
    const shares = await split(secret, 3, 2)
    const xs = shares.map((share) => share.at(-1) ?? 0)
    expect(new Set(xs).size).toBe(3)
    expect(xs.includes(0)).toBe(false)
    for (const [a, b] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const)
      expect(atZero(shares[a] ?? secret, shares[b] ?? secret)).toEqual(secret)
  }
})
