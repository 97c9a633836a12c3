/** Choices that a seed repeats. */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** From 0 to below `below`. */
  whole(below: number): number
  chance(of: number): boolean
  pick<T>(list: readonly T[]): T
  /** All of these, in another order. */
  shuffled<T>(list: readonly T[]): T[]
  /** One of these, as often as its weight says. */
  weighted<T>(list: readonly (readonly [weight: number, what: T])[]): T
}

/** The same seed gives the same choices (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (below: number) => Math.floor(next() * below)
  return {
    next,
    whole,
    shuffled(list) {
      const left = [...list]
      return list.flatMap(() => left.splice(whole(left.length), 1))
    },
    chance: (of) => next() < of,
    pick: (list) => list[whole(list.length)] as (typeof list)[number],
    weighted(list) {
      let left = next() * list.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, what] of list) {
        left -= weight
        if (left < 0) return what
      }
      return (list.at(-1) as (typeof list)[number])[1]
    },
  }
}
