import fc from 'fast-check'
import { hashTypedData } from 'viem'
import { expect, test } from 'vitest'
import { parseTypedData } from '../../src/ethereum/typed-data.ts'
import { limit } from '../support/limit.ts'
import { soak } from '../support/soak.ts'

const runs = soak(500, 20_000)
const atom = fc.oneof(
  fc.record({
    type: fc.constant('string'),
    value: fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('0x01', '1', 'true')),
  }),
  fc.record({ type: fc.constant('bool'), value: fc.boolean() }),
  fc.record({
    type: fc.constantFrom('uint256', 'uint8', 'int16'),
    value: fc.integer({ min: 0, max: 3 }).map(String),
  }),
  fc.record({ type: fc.constantFrom('bytes', 'bytes1'), value: fc.constantFrom('0x01', '0xAB', '0xab') }),
  fc.record({
    type: fc.constantFrom('uint8[]', 'string[]'),
    value: fc.array(fc.constantFrom('0', '1'), { maxLength: 2 }),
  }),
)
const data = fc
  .record({
    first: atom,
    second: atom,
    names: fc.constantFrom(['a', 'b'], ['b', 'a'], ['a', 'ab']),
    primaryType: fc.constantFrom('Order', 'Permit'),
    domain: fc.record(
      {
        name: fc.constantFrom('', 'x', 'y'),
        version: fc.constantFrom('1', '2'),
        chainId: fc.constantFrom(1, 2),
      },
      { requiredKeys: ['name'] },
    ),
  })
  .map(({ first, second, names: [one = '', two = ''], primaryType, domain }) => ({
    types: {
      [primaryType]: [
        { name: one, type: first.type },
        { name: two, type: second.type },
      ],
    },
    primaryType,
    domain,
    message: { [one]: first.value, [two]: second.value },
  }))

test('everything that is shown corresponds to exactly one hash', { timeout: limit(120_000) }, () => {
  const shown = new Map<string, string>()
  let refused = 0
  fc.assert(
    fc.property(data, (typed) => {
      const bigints = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
      let screen: string
      try {
        const { domain, primaryType, fields } = parseTypedData(typed)
        screen = JSON.stringify({ domain, primaryType, fields }, bigints)
      } catch {
        refused++
        return
      }
      const digest = hashTypedData(typed as never)
      expect(shown.get(screen) ?? digest).toBe(digest)
      shown.set(screen, digest)
    }),
    { numRuns: runs },
  )
  console.log(`typed data: ${runs} made, ${refused} refused, ${shown.size} screens, each of one digest`)
  expect(shown.size).toBeGreaterThan(runs / 20)
})
