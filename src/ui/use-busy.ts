import { useEffect, useRef, useState } from 'react'
import { limits } from '../core/limits.ts'

/** Whether to *show* that something is busy: not for a short moment, and then not only for a moment (look §7.2). */
export function useBusy(active: boolean): boolean {
  const [shown, setShown] = useState(false)
  const since = useRef(0)
  useEffect(() => {
    if (active === shown) return
    const stillFor = Math.max(0, since.current + limits.busyShownFor - performance.now())
    const timer = setTimeout(
      () => {
        since.current = performance.now()
        setShown(active)
      },
      active ? limits.busyShownAfter : stillFor,
    )
    return () => clearTimeout(timer)
  }, [active, shown])
  return shown
}
