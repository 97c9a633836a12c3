/** Calls for the same request at the same time, of which one alone may pay: a button that was pressed twice buys once. */
import { KitError } from '../errors/kit-error.ts'

interface Press {
  readonly key: string
  readonly others: Set<Press>
  isPaying: boolean
}

export interface Presses {
  /** Begins a call. */
  begin(key: string): {
    /** @throws KitError `flow_in_progress` where another call pays, or has paid since this one began */
    pay(): void
    /** @param hasPaid whether its payment may be taken */
    end(hasPaid: boolean): void
  }
}

export function createPresses(): Presses {
  const active = new Set<Press>()
  return {
    begin(key) {
      const others = new Set([...active].filter((each) => each.key === key))
      const own: Press = { key, others, isPaying: false }
      for (const each of others) each.others.add(own)
      active.add(own)
      return {
        pay() {
          if ([...own.others].some((each) => each.isPaying))
            throw new KitError('flow_in_progress', 'The same request is being paid already')
          own.isPaying = true
        },
        end(hasPaid) {
          active.delete(own)
          own.isPaying = hasPaid
        },
      }
    },
  }
}
