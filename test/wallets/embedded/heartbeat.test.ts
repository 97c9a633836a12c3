import { expect, test } from 'vitest'
import type { Clock } from '../../../src/lib/clock.ts'
import { frameEvents } from '../../../src/protocol/frame/calls.ts'
import { loadVault } from '../../../src/wallets/embedded/vault-frame.ts'
import { settled, testClock } from '../../support/clock.ts'

const minute = 60_000

/** A frame with one request that it has not answered yet. */
async function frameWithRequest() {
  const time = testClock()
  /** Whether the page is in the background, where browsers wake a timer once a minute. */
  let throttled = false
  let answers = true
  const clock: Clock = {
    now: time.now,
    sleep: (ms, signal) => time.sleep(throttled ? Math.max(ms, minute) : ms, signal),
  }
  let requested: { id: string; event: string } | undefined
  let say = (_: unknown) => {}
  const frame = loadVault({
    url: 'https://vault.example',
    clock,
    ended() {},
    open(_, events) {
      say = events.message
      void Promise.resolve().then(events.loaded)
      return {
        post(message) {
          const { id, event } = message as { id: string; event: string }
          if (event !== frameEvents.ready) requested = { id, event }
          else if (answers) void Promise.resolve().then(() => events.message({ id, event, data: {} }))
        },
        close() {},
      }
    },
  })
  await time.advance(1_000)
  await frame.ready
  const outcome = frame.send(frameEvents.connectWallet, {}).then(
    () => 'answered',
    (error: { code: string }) => error.code,
  )
  return {
    time,
    outcome,
    throttle() {
      throttled = true
    },
    die() {
      answers = false
    },
    answer: () => say({ ...requested, data: {} }),
  }
}

test('a vault lives on in a page that the browser wakes once a minute', async () => {
  const { time, outcome, throttle, answer } = await frameWithRequest()
  throttle()
  await time.advance(20 * minute)
  answer()
  expect(await outcome).toBe('answered')
})

test('a vault lives on while the computer sleeps', async () => {
  const { time, outcome, answer } = await frameWithRequest()
  await time.leap(60 * minute)
  await time.advance(1_000)
  answer()
  expect(await outcome).toBe('answered')
})

test.each([
  ['in sight', false, 8_000],
  ['in the background', true, 5 * minute],
])('a vault that has died is noticed with the page %s', async (_, inBackground, after) => {
  const { time, outcome, throttle, die } = await frameWithRequest()
  if (inBackground) throttle()
  die()
  await time.advance(after + 2_000)
  await settled()
  expect(await outcome).toBe('vault_crashed')
})
