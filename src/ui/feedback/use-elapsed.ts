import { useEffect, useState } from 'react'

/**
 * True once `ms` milliseconds have passed since the first render, or since `asked` changed. A screen passes
 * its `answer` function, which is a new one each time the flow asks.
 */
export function useElapsed(ms: number, asked?: unknown): boolean {
  const [round, setRound] = useState({ ms, asked, over: ms <= 0 })
  const current = round.ms === ms && round.asked === asked
  if (!current) setRound({ ms, asked, over: ms <= 0 })
  useEffect(() => {
    if (ms <= 0) return
    const timer = setTimeout(() => setRound({ ms, asked, over: true }), ms)
    return () => clearTimeout(timer)
  }, [ms, asked])
  return current ? round.over : ms <= 0
}
