import { readArrival } from './arrival.ts'

let claimed = false
/**
 * What reads the same for one app. A link into a wallet's browser names no app, so the first app that takes it gets it.
 */
export function takeArrival(): typeof readArrival {
  let mine = false
  return (
    readArrival &&
    (async () => {
      const returned = await readArrival?.()
      if (returned?.kind !== 'wallet-browser') return returned
      mine ||= !claimed
      claimed = true
      return mine ? returned : undefined
    })
  )
}
