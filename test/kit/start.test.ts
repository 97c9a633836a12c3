/** When a page learns that its app can't be loaded. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../src/kit/host/advice.ts'
import type { KitError } from '../../src/errors/kit-error.ts'
import type { Reply } from '../support/api.ts'
import { settled } from '../support/clock.ts'
import { kitWithPerson, paths } from '../support/kit.ts'

let warn: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => warn.mockRestore())

let hosts = 0
/** A kit whose settings are answered by `answers` in turn; the last answer stays. */
async function starting(...answers: [Reply | undefined, ...(Reply | undefined)[]]) {
  let asked = 0
  const apiUrl = `https://api${hosts++}.example.com`
  const set = await kitWithPerson({
    options: { apiUrl },
    intercept: ({ path }) =>
      path === paths.config ? answers[Math.min(asked++, answers.length - 1)] : undefined,
  })
  const errors: KitError[] = []
  set.kit.on('error', (error) => errors.push(error))
  const explained = () =>
    warn.mock.calls
      .flat()
      .map(String)
      .filter((line: string) => line.includes('could not be loaded'))
  return { ...set, errors, explained, asked: () => asked }
}
const refused = (status: number, code: string): Reply => ({ status, body: { code, error: code } })

describe('start: a page hears within 2 s why its app can’t be loaded', () => {
  test.each<[string, Reply, string]>([
    ['an API that is down, or that does not allow the origin (CORS)', 'dropped', 'network_unavailable'],
    ['an origin that the app does not allow', refused(403, 'invalid_origin'), 'invalid_origin'],
    ['an app that does not exist', refused(404, 'missing_or_invalid_app_id'), 'missing_or_invalid_app_id'],
    ['an API behind a proxy that can’t reach it', refused(502, 'bad_gateway'), 'bad_gateway'],
    ['an API that is being restarted', refused(503, 'unavailable'), 'unavailable'],
  ])('%s', async (_, answer, code) => {
    const { clock, errors, explained } = await starting(answer)
    await clock.advance(2_000)
    await vi.waitFor(() => expect(explained()).toHaveLength(1))
    expect(errors.map((error) => error.code)).toEqual([code])
    expect(explained()[0]).toContain(code)
  })
})

test('start: an outage is reported once, however many retries follow', async () => {
  const { clock, errors, explained, asked } = await starting('dropped')
  for (let second = 0; second < 30; second++) await clock.advance(1_000)
  await vi.waitFor(() => expect(explained()).toHaveLength(1))
  await settled()
  expect([errors.length, asked()]).toEqual([1, 4])
})

test.each([1, 2, 3])('start: a network that fails %i times recovers by itself', async (failures) => {
  const drops = Array.from({ length: failures }, (): Reply => 'dropped')
  const { kit, clock, errors } = await starting(...(drops as [Reply]), undefined)
  expect(kit.ready).toBe(false)
  for (let second = 0; second < 8; second++) await clock.advance(1_000)
  expect(kit.ready).toBe(true)
  expect(errors.length).toBe(failures > 1 ? 1 : 0)
})

test('start: an outage that a second start meets as well is not reported anew', async () => {
  const { kit, clock, errors } = await starting('dropped')
  for (let second = 0; second < 10; second++) await clock.advance(1_000)
  const again = kit.whenReady().catch((error: KitError) => error.code)
  for (let second = 0; second < 10; second++) await clock.advance(1_000)
  expect(await again).toBe('network_unavailable')
  expect(errors).toHaveLength(1)
})
