import fc from 'fast-check'
import { soak } from '../support/soak.ts'

/** So many inputs for each parser, half of them the same ones every time, and half never seen before. */
export const inputs = soak(1_000, 100_000)
const fixedSeed = 20_260_101
/**
 * Milliseconds. The inputs are short: no machine needs so long, however busy, unless the parser tries its parts again
 * and again.
 */
const longest = 2_000

/**
 * Feeds a parser with hostile input. It must neither throw nor fail to come to an end; and what it accepts must satisfy
 * `holds`, which throws otherwise. Prints how many of which, and the slowest.
 */
export function fuzz<T, R>(
  what: string,
  input: fc.Arbitrary<T>,
  parse: (input: T) => R,
  holds: (read: R & {}, input: T) => void = () => {},
): void {
  let accepted = 0
  let slowest = 0
  const freshSeed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 1
  for (const seed of [fixedSeed, freshSeed])
    fc.assert(
      fc.property(input, (value) => {
        const start = performance.now()
        const read = parse(value)
        const spent = performance.now() - start
        slowest = Math.max(slowest, spent)
        if (spent > longest) throw new Error(`One input took ${spent} ms`)
        if (read === undefined || read === null) return
        accepted++
        holds(read, value)
      }),
      { numRuns: inputs / 2, seed: seed | 0 },
    )
  console.log(
    `fuzz ${what}: ${inputs} inputs (seeds ${fixedSeed}, ${freshSeed}), ${accepted} accepted, 0 thrown, slowest ${slowest.toFixed(1)} ms`,
  )
}

/** Text that looks real except in one place, where characters are changed, doubled, lost or inserted. */
export const nearly = (real: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(real, fc.array(fc.tuple(fc.nat(), fc.nat(2), oddText), { maxLength: 3 })).map(([text, changes]) =>
    changes.reduce((now, [where, length, put]) => {
      const at = where % (now.length + 1)
      return now.slice(0, at) + put + now.slice(at + length)
    }, text),
  )

/** What breaks parsers: other scripts, zero-width marks, escapes, separators, nothing. */
export const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.constantFrom(
    '',
    ' ',
    '\n',
    '\0',
    '%',
    '%2C',
    '%00',
    '&',
    '=',
    ':',
    '/',
    '@',
    '?',
    '#',
    '١',
    'ı',
    '\u200b',
    '\u202e',
    '__proto__',
  ),
)

/** Values that are no text at all, or pretend to be. */
export const noText: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything(),
  fc.constantFrom<unknown>(
    { toString: () => 'eip155:1' },
    { length: 4, split: 1 },
    Symbol('x'),
    1n,
    Number.NaN,
  ),
)
