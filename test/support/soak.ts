/**
 * How often suites repeat what is random or covers a whole matrix. `npm test` takes the short form; `npm run soak` sets
 * LATCHKEY_SOAK=1 and takes the long one.
 */
export const soaking = process.env.LATCHKEY_SOAK === '1'

/** The count for this run. Titles and outputs of tests have to state it: see {@link counted}. */
export const soak = (quick: number, long: number): number => (soaking ? long : quick)

/** Requests of which one alone may win, sent at once. */
export const crowd = soak(24, 100)

/** A count as a title has it, such as `10,000`. */
export const counted = (count: number): string => count.toLocaleString('en')

/** Every `step`-th of a list, from the first one on: all of them where the step is 1. */
export const eachOf = <T>(list: readonly T[], step: number): T[] => list.filter((_, at) => at % step === 0)
