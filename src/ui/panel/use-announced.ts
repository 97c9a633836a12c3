import { useEffect } from 'react'
import { useAnnounce } from './panel-context.tsx'

/** Announces words once whenever they change, and takes them away when they no longer hold. */
export function useAnnounced(words: string | undefined | false, how?: 'status' | 'alert') {
  const announce = useAnnounce()
  useEffect(() => {
    return words ? announce(words, how) : undefined
  }, [words, how, announce])
}
