import type { Call, Reply } from './api.ts'

/** Answers the requests to a path with a fault: all of them if it is lasting, or those of the person's first action. */
export function faultAt(path: string, fault: Reply, { lasting }: { lasting: boolean }) {
  let failingKey: string | undefined
  let failed = false
  return (call: Call): Reply | undefined => {
    if (call.path !== path) return undefined
    // One key covers all attempts of one action.
    const key = call.headers['idempotency-key'] ?? `${call.method} ${failed}`
    if (failed && !lasting && key !== failingKey) return undefined
    failingKey = key
    failed = true
    return fault
  }
}
