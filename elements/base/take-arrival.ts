import { readArrival } from './arrival.ts'

let owner: object | undefined
/**
 * What reads the same for one app. A link into a wallet's browser names no app, so the first app that reads it gets it.
 */
export function takeArrival(): typeof readArrival {
  const read = readArrival
  if (!read) return undefined
  const app = {}
  return async () => {
    const returned = await read()
    if (returned?.kind !== 'wallet-browser') return returned
    owner ??= app
    return owner === app ? returned : undefined
  }
}
