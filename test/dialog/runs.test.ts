import { expect, test } from 'vitest'
import { createRuns } from '../../src/dialog/runs.ts'
import type { Surface } from '../../src/dialog/surface.ts'
import { KitError } from '../../src/errors/kit-error.ts'
import { systemClock } from '../../src/lib/clock.ts'

const surface: Surface = { present: () => new Promise(() => {}), dismiss: async () => {} }
const canceled = new KitError('mfa_canceled', 'MFA canceled')

function runsHere() {
  return createRuns({ clock: systemClock, makeSurface: () => surface, openWindow: () => null })
}

test('a dialog whose request is refused closes, and its caller is told why', async () => {
  const runs = runsHere()
  const exported = runs.run('export', {}, async ({ signal }) => {
    runs.refuse(canceled)
    signal.throwIfAborted()
  })
  await expect(exported).rejects.toBe(canceled)
  expect(runs.isOpen.get()).toBe(false)
})

test('a run that was opened for no request stays open when one is refused, and goes on to its own end', async () => {
  const runs = runsHere()
  const settings = runs.run('settings', { outlivesRefusals: true }, async ({ signal }) => {
    runs.refuse(canceled)
    return signal.aborted
  })
  expect(await settings).toBe(false)
})
