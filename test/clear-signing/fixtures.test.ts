/** The fixtures of the ERC-7730 registry: what a request is described as, word for word. */
import { describe, expect, test } from 'vitest'
import { readCheckout } from '../../tools/clear-signing/checkout.ts'
import { isSame, listFixtures, runFixture } from '../../tools/clear-signing/fixtures.ts'
import { limit } from '../support/limit.ts'
import { hasRegistry, registryFolder } from './support.ts'

const missing = `the folder ${registryFolder} is not there`
if (!hasRegistry) console.log(`Fixtures of ERC-7730: skipped, ${missing}`)

describe.skipIf(!hasRegistry)(
  hasRegistry ? 'fixtures of ERC-7730' : `fixtures of ERC-7730 (${missing})`,
  () => {
    test('descriptions: all fixtures of the registry give the expected words', {
      timeout: limit(60_000),
    }, async () => {
      const checkout = readCheckout(registryFolder)
      const outcomes = (
        await Promise.all(listFixtures(registryFolder).map((file) => runFixture(checkout, file)))
      ).flat()
      const wrong = outcomes.filter(({ passes }) => !passes)
      console.log(`ERC-7730: ${outcomes.length - wrong.length} of ${outcomes.length} fixtures pass`)
      expect(wrong).toEqual([])
      expect(checkout.refused.size).toBe(0)
      expect(outcomes.length).toBeGreaterThan(100)
    })
  },
)

test('comparison: a fixture with another word, another order or a field more is not the same', () => {
  const one = {
    intent: 'Send',
    owner: 'Harbor',
    fields: [
      { label: 'To', value: 'a' },
      { label: 'By', value: 'b' },
    ],
  }
  expect(isSame(one, structuredClone(one))).toBe(true)
  expect(isSame(one, { ...one, intent: 'send' })).toBe(false)
  expect(isSame(one, { ...one, owner: '' })).toBe(false)
  expect(isSame(one, { ...one, interpolatedIntent: 'Send' })).toBe(false)
  expect(isSame(one, { ...one, fields: [...one.fields].reverse() })).toBe(false)
  expect(isSame(one, { ...one, fields: [...one.fields, { label: 'To', value: 'a' }] })).toBe(false)
  const nested = { ...one, fields: [{ label: 'Call', value: one }] }
  expect(isSame(nested, { ...one, fields: [{ label: 'Call', value: { ...one, intent: 'Take' } }] })).toBe(
    false,
  )
})
