import { useEffect, useRef, useState } from 'react'
import { panelLimits } from '../panel/limits.ts'

/**
 * Whether to *show* that something is busy: not for a short moment, and then for at least a while, so that
 * nothing flickers.
 */
export function useBusy(active: boolean): boolean {
  const [shown, setShown] = useState(false)
  const since = useRef(0)
  useEffect(() => {
    if (active === shown) return
    const stillFor = Math.max(0, since.current + panelLimits.busyShownFor - performance.now())
    const timer = setTimeout(
      () => {
        since.current = performance.now()
        setShown(active)
      },
      active ? panelLimits.busyShownAfter : stillFor,
    )
    return () => clearTimeout(timer)
  }, [active, shown])
  return shown
}
