import { limit } from '../../../support/limit.ts'
import '../../support/quick-stretching.ts'
import { expect, test } from 'vitest'
import { soak } from '../../../support/soak.ts'
import { operations, pointsOf, runScenario, type Scenario, victims } from '../../support/crash-scenarios.ts'
import { recoveryMethods } from '../../support/recovery-methods.ts'

/** A small generator whose numbers can be had again: mulberry32. */
function randomFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return { below, of: <T>(list: readonly T[]): T => list[below(list.length)] as T }
}

const seeds = [20_260_105, Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31))]
const lives = soak(2, 50)
/** Of the points at which something can be killed, every which one is tried. */
const step = soak(16, 1)
const points = step === 1 ? 'every point' : `one point in ${step}`

test(`vault or server killed at ${2 * lives} random points: no wallet is lost, none orphaned`, {
  timeout: limit(600_000),
}, async () => {
  const tally = new Map<string, number>()
  for (const seed of seeds) {
    const random = randomFrom(seed)
    for (let turn = 0; turn < lives; turn++) {
      const scenario: Scenario = {
        operation: random.of([...operations, 'change', 'change']),
        from: random.of(recoveryMethods),
        to: random.of(recoveryMethods),
        victim: random.of(victims),
      }
      const point = random.below(await pointsOf(scenario))
      await runScenario(scenario, point, `Seed ${seed}, turn ${turn}`)
      const { operation, victim } = scenario
      tally.set(`${operation}, ${victim}`, (tally.get(`${operation}, ${victim}`) ?? 0) + 1)
    }
  }
  const killed = [...tally.values()].reduce((sum, times) => sum + times, 0)
  const table = [...tally].sort().map(([what, times]) => `${what}: ${times}`)
  console.log(`Seeds ${seeds}: killed ${killed} times, 0 lost, 0 orphaned\n  ${table.join('\n  ')}`)
  expect(killed).toBe(2 * lives)
})

const quick = recoveryMethods.filter(({ name }) => name !== 'password' && name !== 'iCloud of a native app')

/** Kills at {@link points} of each scenario, beginning at another one each time. Resolves with how many there were. */
async function killEverywhere(scenarios: readonly Scenario[]): Promise<number> {
  let killed = 0
  for (const [turn, scenario] of scenarios.entries()) {
    const end = await pointsOf(scenario)
    for (let point = turn % step; point < end; point += step, killed++)
      await runScenario(scenario, point, 'Every point')
  }
  return killed
}

test(`a creation killed at ${points}, by each recovery method, makes one wallet that can be recovered`, {
  timeout: limit(300_000),
}, async () => {
  const killed = await killEverywhere(
    quick.flatMap((method) =>
      victims.map((victim) => ({ operation: 'creation', from: method, to: method, victim }) as const),
    ),
  )
  console.log(`Creations killed at ${killed} points: 0 lost, 0 orphaned`)
  expect(killed).toBeGreaterThan(50 / step)
})

test(`a change of recovery killed at ${points}, in every direction, leaves the old method or the new one working`, {
  timeout: limit(300_000),
}, async () => {
  const pairs = quick.flatMap((from) => quick.map((to) => ({ operation: 'change', from, to }) as const))
  const killed = await killEverywhere(
    pairs.map((pair, turn) => ({ ...pair, victim: victims[turn % victims.length] ?? 'vault' })),
  )
  console.log(`Changes of recovery killed at ${killed} points: 0 lost, 0 orphaned`)
  expect(killed).toBeGreaterThan(100 / step)
})
