import { useEffect, useState } from 'react'
import { uiLimits } from '../limits.ts'

/**
 * How often a link to an app was followed while the page was still visible after `patience`, so that nothing
 * had opened. `follow` is to be called when the link is pressed.
 */
export function useMissed(
  timeout: number = uiLimits.appLinkPatience,
): [missed: number, follow: () => void, followed: number] {
  const [followed, setFollowed] = useState(0)
  const [missed, setMissed] = useState(0)
  useEffect(() => {
    if (followed === 0) return
    let left = false
    const see = () => {
      left ||= document.visibilityState === 'hidden'
    }
    document.addEventListener('visibilitychange', see)
    const timer = setTimeout(() => !left && setMissed((count) => count + 1), timeout)
    return () => {
      document.removeEventListener('visibilitychange', see)
      clearTimeout(timer)
    }
  }, [followed, timeout])
  return [missed, () => setFollowed(followed + 1), followed]
}
