/** Random transactions that are signed and run: what leaves stands on the vault's screen, and what stays isn't claimed. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Anvil } from '../../demo/world/chains/anvil.ts'
import { startChain } from '../support/chains.ts'
import {
  anyStep,
  callOf,
  createWorld,
  type Effects,
  type Fault,
  faultsOf,
  type Step,
  shownOf,
  simpler,
  wallet,
} from '../support/ethereum-fuzz.ts'
import { limit } from '../support/limit.ts'
import { counted, soak } from '../support/soak.ts'

const count = soak(500, 10_000)
const fixedSeed = 20_260_101
const freshSeed = Number(process.env.LATCHKEY_SEED ?? crypto.getRandomValues(new Uint32Array(1))[0]) | 0
/** So many at once, so that no block and no list grows with the run. */
const portion = 50

let anvil: Anvil
beforeAll(async () => {
  anvil = await startChain(1)
})
afterAll(() => anvil?.close())

async function check(step: Step, effects: Effects): Promise<readonly Fault[]> {
  try {
    return faultsOf(step, effects, await shownOf(callOf(step, wallet)))
  } catch (error) {
    return [{ kind: 'thrown', detail: String(error) }]
  }
}
const written = (step: Step) =>
  JSON.stringify(step, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

test(
  `${counted(count)} transactions of every call shape, nested to depth 4: each loss and each grant stands on the screen`,
  async () => {
    const { run } = await createWorld(anvil.url)
    const kinds = new Map<string, number>()
    const first = new Map<string, { step: Step; seed: number }>()
    let reverted = 0
    for (const seed of [fixedSeed, freshSeed]) {
      const steps = fc.sample(anyStep, { seed, numRuns: count / 2 })
      for (let at = 0; at < steps.length; at += portion) {
        const part = steps.slice(at, at + portion)
        const results = await run(part.map((step) => callOf(step, wallet)))
        for (const [index, step] of part.entries()) {
          const effects = results[index]
          if (!effects?.ok) {
            reverted++
            continue
          }
          for (const { kind } of await check(step, effects)) {
            kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
            const least = first.get(kind)?.step
            if (!least || written(step).length < written(least).length) first.set(kind, { step, seed })
          }
        }
      }
    }
    console.log(
      `fuzz Ethereum: ${count} transactions (seeds ${fixedSeed}, ${freshSeed}), ${count - reverted} carried out, ${[...kinds.values()].reduce((sum, each) => sum + each, 0)} faults`,
    )
    const faults: string[] = []
    for (const [kind, { step, seed }] of first) {
      const { step: least, detail } = await minimise(step, kind)
      faults.push(`${kind}: ${kinds.get(kind)} times; seed ${seed}: ${written(least)}: ${detail}`)
    }
    expect(faults).toEqual([])
    // Those that fail on the chain show nothing.
    expect(reverted).toBeLessThan(count / 10)

    async function minimise(whole: Step, kind: string) {
      let [step, detail] = [whole, '']
      for (let tries = 0; tries < 40; ) {
        let isSmaller = false
        for (const less of simpler(step)) {
          if (tries++ >= 40) break
          const [effects] = await run([callOf(less, wallet)])
          const found = effects?.ok && (await check(less, effects)).find((fault) => fault.kind === kind)
          if (!found) continue
          step = less
          detail = found.detail
          isSmaller = true
          break
        }
        if (!isSmaller) break
      }
      return { step, detail }
    }
  },
  limit(count * 240),
)
