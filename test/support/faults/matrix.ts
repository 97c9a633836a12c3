/** Shared by the fault matrices: the faults that a run covers, when a fault occurs, and how failures are reported. */
import { expect } from 'vitest'
import type { Persisted } from '../persist.ts'
import { eachOf } from '../soak.ts'

/** Every `step`-th fault, from another one in each row, so that the rows of a short run cover all faults between them. */
export function faultsOfRow<T>(faults: readonly T[], row: number, step: number): T[] {
  const shift = row % step
  return eachOf([...faults.slice(shift), ...faults.slice(0, shift)], step)
}

/** Decides whether a fault occurs: each time if it is lasting, and the first time alone otherwise. */
export function faultSwitch({ lasting }: { lasting: boolean }) {
  let isOn = true
  return {
    occurs(): boolean {
      const occurs = isOn
      if (!lasting) isOn = false
      return occurs
    },
    /** The fault occurs no more. */
    heal() {
      isOn = false
    },
  }
}

/** Expects that a failure was reported: to the host by a code, and to the user by a sentence, where there are screens. */
export function expectReported(
  { error, seen }: { error: Persisted['error'] | undefined; seen: readonly string[] },
  { hasScreens = true, errors = [] }: { hasScreens?: boolean; errors?: readonly { code: string }[] } = {},
): void {
  for (const { code } of [error ?? { code: 'no error' }, ...errors]) expect(code).toMatch(/^[a-z][a-z0-9_]+$/)
  if (hasScreens) expect(seen.length).toBeGreaterThan(0)
  for (const sentence of seen) expect(sentence).toMatch(/^[A-Z].{8,}/)
}
