/**
 * Measures once per run how much slower this machine is than a quiet one of two cores, for the time limits of tests;
 * workers inherit the result. `limit` in test/support/limit.ts applies it.
 */
import { createHash } from 'node:crypto'
import os from 'node:os'

/** Milliseconds that a quiet machine takes for {@link hash}. */
const quietHash = 120

process.env.LATCHKEY_SLOWNESS ??= measure().toFixed(1)
export const slowness = Number(process.env.LATCHKEY_SLOWNESS)

function measure() {
  const [load = 0] = os.loadavg()
  // What runs beside the tests takes its share of every core.
  return Math.max(1 + load / os.availableParallelism(), hash() / quietHash)
}

function hash() {
  const started = performance.now()
  let text = ''
  for (let round = 0; round < 40_000; round++) text = createHash('sha256').update(text).digest('hex')
  return performance.now() - started
}
