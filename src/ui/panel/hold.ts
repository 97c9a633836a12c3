import { createContext, use, useSyncExternalStore } from 'react'
import { createStore, type Readable } from '../../lib/store.ts'

/** Why the button that approves something takes no press yet. */
export interface Hold {
  /** For those who can't see that the button waits. */
  readonly hint: string
  /** Advice, where waiting is not enough. */
  readonly advice?: string | undefined
}
export interface Holding {
  /** Absent while the button takes presses. */
  readonly hold?: Hold | undefined
  /** Why the press before did not count. */
  readonly refused?: string | undefined
}

/** A screen of the host page's dialog is held by nothing. */
const free = createStore<Holding>({})
export const HoldingContext = createContext<Readable<Holding>>(free)

export function useHolding(): Holding {
  const store = use(HoldingContext)
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}
