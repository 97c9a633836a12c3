import { type RefObject, useEffect, useState } from 'react'
import { COPIED_VISIBLE } from '../../lib/copied.ts'
import { uiLimits } from '../limits.ts'
import { useAnnounce } from '../panel/panel-context.tsx'
import { useWords } from '../text/words.tsx'

type Copied = 'rest' | 'copied' | 'refused'
interface CopyOptions {
  /** What is selected instead when the clipboard refuses. */
  shown?: RefObject<HTMLElement | null> | undefined
  /** Removed from the clipboard again after a while. */
  secret?: boolean | undefined
}

/** Copies a text, and reports for a moment how that went. If the clipboard refuses, the text is selected. */
export function useCopy(value: string, { shown, secret }: CopyOptions = {}): [Copied, () => void] {
  const t = useWords()
  const announce = useAnnounce()
  // An object of its own for each press, so that a second one is reported for its whole time.
  const [outcome, setOutcome] = useState<{ state: Copied }>({ state: 'rest' })
  useEffect(() => {
    if (outcome.state === 'rest') return
    const unsay = announce(t(outcome.state === 'copied' ? 'common.copied' : 'common.copyFailed'))
    const timer = setTimeout(() => setOutcome({ state: 'rest' }), COPIED_VISIBLE)
    return () => {
      clearTimeout(timer)
      unsay()
    }
  }, [outcome, announce, t])

  const press = async () => {
    try {
      await navigator.clipboard.writeText(value)
      if (secret) clearLater()
      setOutcome({ state: 'copied' })
    } catch {
      if (shown?.current) getSelection()?.selectAllChildren(shown.current)
      setOutcome({ state: 'refused' })
    }
  }
  return [outcome.state, () => void press()]
}

/** All copy buttons share one clipboard. */
let clearing: ReturnType<typeof setTimeout> | undefined

/**
 * Empties the clipboard, even if the screen has gone meanwhile. Not if the person has copied something else
 * on this page, or is elsewhere: then the browser refuses, and the content may no longer be ours.
 */
function clearLater() {
  clearTimeout(clearing)
  const over = () => {
    clearTimeout(clearing)
    removeEventListener('copy', over)
    removeEventListener('cut', over)
  }
  clearing = setTimeout(() => {
    over()
    navigator.clipboard.writeText('').catch(() => {})
  }, uiLimits.secretOnClipboard)
  addEventListener('copy', over)
  addEventListener('cut', over)
}
