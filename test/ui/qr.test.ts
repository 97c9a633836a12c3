import jsQr from 'jsqr'
import { describe, expect, test } from 'vitest'
import { qrCode } from '../../src/ui/qr/code.ts'
import { outline } from '../../src/ui/qr/outline.ts'
import { limit } from '../support/limit.ts'
import { soak } from '../support/soak.ts'

const PIXELS = 4
const QUIET = 4

/** The code as a camera sees it: so many pixels to a module, and a quiet zone of four modules. */
function picture(size: number, isDark: (x: number, y: number) => boolean) {
  const side = (size + 2 * QUIET) * PIXELS
  const data = new Uint8ClampedArray(side * side * 4).fill(255)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      if (isDark((x + 0.5) / PIXELS - QUIET, (y + 0.5) / PIXELS - QUIET))
        data.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3)
  return { data, side }
}

/** What an independent decoder reads. */
function decode({ data, side }: ReturnType<typeof picture>): string | undefined {
  return jsQr(data, side, side, { inversionAttempts: 'dontInvert' })?.data
}

const moduleAt = (code: ReturnType<typeof qrCode>) => (x: number, y: number) =>
  x >= 0 && y >= 0 && x < code.size && y < code.size
    ? code.dark[Math.floor(y) * code.size + Math.floor(x)] === 1
    : false

/** The same numbers each time. */
function random(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
const alphabets = [
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?#[]@!$&()*+,;=%',
  '0123456789',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 $%*+-./:',
  'äöüßéñ漢字かな한글😀🗝️ €',
]

describe('a QR code', () => {
  const payloads = soak(15, 200)

  test(`${payloads} random payloads of up to 1,000 bytes read as they were written`, {
    timeout: limit(120_000),
  }, () => {
    const next = random(7)
    const wrong: string[] = []
    for (let i = 0; i < payloads; i++) {
      const signs = [...(alphabets[i % alphabets.length] ?? '')]
      const most = 1 + next(1_000)
      let text = ''
      for (;;) {
        const longer = text + signs[next(signs.length)]
        if (new TextEncoder().encode(longer).length > most) break
        text = longer
      }
      text ||= 'x'
      const code = qrCode(text, i % 2 ? 40 : 0)
      if (decode(picture(code.size, moduleAt(code))) !== text) wrong.push(text)
    }
    expect(wrong).toEqual([])
  })

  test('a short text gets as many modules as the card needs for its quiet zone', () => {
    expect(qrCode('hi').size).toBe(21)
    expect(qrCode('hi', 40).size).toBe(41)
    expect(qrCode('x'.repeat(1_000), 40).size).toBeGreaterThan(41)
  })

  test('a text that no code holds is refused', () => {
    expect(() => qrCode('x'.repeat(2_000))).toThrow()
  })

  test('a logo of 40 on a code of 160 does not stop it from being read', () => {
    for (const text of [
      'https://farcaster.xyz/~/siwf?channelToken=23W59BKK',
      `https://a.example/?${'x'.repeat(300)}`,
    ]) {
      const code = qrCode(text, 40)
      const at = moduleAt(code)
      const middle = code.size / 2
      const plate = (40 / 160) * code.size * 0.5
      const covered = (x: number, y: number) =>
        Math.abs(x - middle) <= plate && Math.abs(y - middle) <= plate ? false : at(x, y)
      expect(decode(picture(code.size, covered))).toBe(text)
    }
  })
})

describe('the outline of a code', () => {
  /** The corners of a path whose corners are rounded, as polygons. */
  const polygons = (path: string) =>
    path.split('z').flatMap((part) => {
      const start = /^M(\S+) (\S+?)(?=[hv])/.exec(part)
      if (!start) return []
      let x = Number(start[1])
      let y = Number(start[2])
      const points: [number, number][] = []
      for (const [, kind, given = ''] of part.matchAll(/([hvq])([^hvqz]+)/g)) {
        const [a = 0, b = 0, c = 0, d = 0] = given.trim().split(' ').map(Number)
        if (kind === 'h') x += a
        else if (kind === 'v') y += a
        else {
          points.push([Math.round((x + a) * 10) / 10, Math.round((y + b) * 10) / 10])
          x += c
          y += d
        }
      }
      return [points]
    })
  const inside = (shapes: [number, number][][], x: number, y: number) =>
    shapes.reduce((odd, points) => {
      let crossings = 0
      points.forEach(([x1, y1], i) => {
        const [x2, y2] = points[(i + 1) % points.length] ?? [0, 0]
        if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) crossings++
      })
      return odd !== (crossings % 2 === 1)
    }, false)

  test('encloses the dark modules and no others', () => {
    for (const text of ['hi', 'https://farcaster.xyz/~/siwf?channelToken=23W59BKK', '7'.repeat(200)]) {
      const code = qrCode(text)
      const shapes = polygons(code.path)
      const at = moduleAt(code)
      for (let y = 0; y < code.size; y++)
        for (let x = 0; x < code.size; x++)
          expect([x, y, inside(shapes, x + 0.5, y + 0.5)]).toEqual([x, y, at(x, y)])
    }
  })

  test('cells that touch at a corner only are two shapes, and a hole is one of its own', () => {
    expect(outline([1, 0, 0, 1], 2).match(/M/g)).toHaveLength(2)
    expect(outline([1, 1, 1, 1, 0, 1, 1, 1, 1], 3).match(/M/g)).toHaveLength(2)
    expect(outline([0, 0, 0, 0], 2)).toBe('')
  })
})
