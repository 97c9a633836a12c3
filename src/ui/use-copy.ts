import { type RefObject, useEffect, useState } from 'react'
import { limits } from '../core/limits.ts'
import { useAnnounce } from './panel-context.tsx'
import { useWords } from './words.tsx'

type Copied = 'rest' | 'copied' | 'refused'
interface CopyOptions {
  /** What is selected instead when the clipboard refuses. */
  shown?: RefObject<HTMLElement | null> | undefined
  /** Is taken off the clipboard again after a while. */
  secret?: boolean
}

/** Copies a text, and tells for a moment how that went. Where the clipboard refuses, the text is selected. */
export function useCopy(value: string, { shown, secret }: CopyOptions = {}): [Copied, () => void] {
  const t = useWords()
  const announce = useAnnounce()
  const [state, setState] = useState<Copied>('rest')
  useEffect(() => {
    if (state === 'rest') return
    const timer = setTimeout(() => setState('rest'), limits.copiedVisible)
    return () => clearTimeout(timer)
  }, [state])

  const press = async () => {
    try {
      await navigator.clipboard.writeText(value)
      if (secret) clearLater()
      setState('copied')
      announce(t('common.copied'))
    } catch {
      if (shown?.current) getSelection()?.selectAllChildren(shown.current)
      setState('refused')
      announce(t('common.copyFailed'))
    }
  }
  return [state, () => void press()]
}

/** There is one clipboard, whatever was copied from. */
let clearing: ReturnType<typeof setTimeout> | undefined

/**
 * Empties the clipboard, also when the screen has gone meanwhile. Not if the person has copied something else on this
 * page, or is elsewhere: then the browser refuses, and what lies there may no longer be ours.
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
  }, limits.secretOnClipboard)
  addEventListener('copy', over)
  addEventListener('cut', over)
}
