import { arrival } from './arrival.ts'

let claimed = false
/**
 * The same for one app. A link into a wallet's browser names no app, so the first app that takes it gets it.
 */
export const takeArrival = (): typeof arrival =>
  arrival?.then((returned) => {
    if (returned?.kind !== 'wallet-browser') return returned
    const mine = !claimed
    claimed = true
    return mine ? returned : undefined
  })
