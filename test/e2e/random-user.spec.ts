import { limit } from '../support/limit.ts'
import { counted, soak, soaking } from '../support/soak.ts'
import { expect, test } from './support/demo.ts'
import { actAtRandom } from './support/random-user.ts'

/**
 * `LATCHKEY_SEED=…` repeats what was chosen in a run; without it `npm run soak` takes another seed each time. Playwright reads this file
 * once more in every worker, and looks for the same titles there: the environment, which workers inherit, keeps what was chosen.
 */
process.env.LATCHKEY_SEED ??= String(soaking ? Date.now() % 1_000_000_000 : 11)
const seed = Number(process.env.LATCHKEY_SEED)
const runs = Number(process.env.LATCHKEY_RUNS ?? soak(1, 200))
const actions = soak(25, 50)

test.describe(`a random user, ${counted(runs * actions)} actions, seed ${seed}`, () => {
  for (let run = 0; run < runs; run++) {
    test(`run ${run + 1} of ${runs} ends without a finding`, async ({ browser, demo }) => {
      test.setTimeout(limit(600_000))
      const own = (seed + run * 7_919) >>> 0
      const { actions: log, findings } = await actAtRandom(browser, demo, own, actions)
      if (findings.length > 0) console.log(`Run of seed ${own}:\n  ${log.join('\n  ')}`)
      expect(findings, `seed ${seed}, run ${run + 1}`).toEqual([])
    })
  }
})
