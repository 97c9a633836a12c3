import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import '../../../src/kit/host/advice.ts'
import { settled } from '../../support/clock.ts'
import { kitWithPerson, paths } from '../../support/kit.ts'
import { limit } from '../../support/limit.ts'

let warn: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => warn.mockRestore())
const said = (): string[] => warn.mock.calls.flat().map(String)

test('an API that this page may not ask is explained once in the console', async () => {
  // Of its own: other suites that share this worker may have had the usual one explained.
  const options = { apiUrl: 'https://api.example.org' }
  for (const _ of [1, 2]) {
    const { clock } = await kitWithPerson({ options, routes: { [paths.config]: 'dropped' } })
    for (let second = 0; second < 30; second++) await clock.advance(1_000)
    // What gives advice is loaded meanwhile, and no clock of the test's makes that faster.
    await vi.waitFor(
      async () => {
        await clock.advance(1_000)
        expect(said()).not.toEqual([])
      },
      { timeout: limit(10_000) },
    )
    await settled()
  }
  const explained = said().filter((line) => line.includes('could not be loaded'))
  expect(explained).toHaveLength(1)
  expect(explained[0]).toMatch(/https:\/\/api\.example.*connect-src.*CORS.*allowedDomains/)
})

test('a word by a key that no text has is named once, and the others are taken', async () => {
  const copy = { 'common.close': 'Shut', 'common.clsoe': 'Shut' }
  const { kit } = await kitWithPerson({ options: { copy } })
  kit.configure({ copy })
  await vi.waitFor(() => expect(said()).not.toEqual([]))
  await settled()
  expect(said()).toEqual([expect.stringContaining('"common.clsoe"')])
})
