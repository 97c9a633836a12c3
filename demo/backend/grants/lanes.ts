/** Does the work of one name in few lanes: what waits asks no node meanwhile, and finds what those before it have used up. */
export interface Lanes {
  run<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** @param most pieces of work of one name at a time */
export function createLanes(most: number): Lanes {
  const busy = new Map<string, { running: number; waiting: (() => void)[] }>()
  return {
    async run(name, work) {
      const lane = busy.get(name) ?? { running: 0, waiting: [] }
      busy.set(name, lane)
      // A lane is handed over, so that nobody who comes later is faster.
      if (lane.running >= most) await new Promise<void>((go) => lane.waiting.push(go))
      else lane.running++
      try {
        return await work()
      } finally {
        const next = lane.waiting.shift()
        if (next) next()
        else if (--lane.running === 0) busy.delete(name)
      }
    },
  }
}
