import type { CSSObject } from '@emotion/react'
import { type RefObject, useEffect, useState } from 'react'
import { hidden, text } from '../../styles/tokens.ts'
import { limits } from '../core/limits.ts'
import { IconButton } from './icon-button.tsx'
import { check, copy } from './icons/lucide.ts'
import { useAnnounce } from './panel-context.tsx'
import { useWords } from './words.tsx'

interface CopyButtonProps {
  /** What goes to the clipboard. */
  value: string
  /** Its name, such as 'Copy address'. */
  name: string
  /** What is selected instead when the clipboard refuses. */
  shown?: RefObject<HTMLElement | null>
}

/** Copies, and says so for a moment. Where the clipboard refuses, it selects the text and says what to do. */
export function CopyButton({ value, name, shown }: CopyButtonProps) {
  const t = useWords()
  const announce = useAnnounce()
  const [state, setState] = useState<'rest' | 'copied' | 'refused'>('rest')
  useEffect(() => {
    if (state === 'rest') return
    const timer = setTimeout(() => setState('rest'), limits.copiedVisible)
    return () => clearTimeout(timer)
  }, [state])

  const press = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setState('copied')
      announce(t('common.copied'))
    } catch {
      if (shown?.current) getSelection()?.selectAllChildren(shown.current)
      setState('refused')
      announce(t('common.copyFailed'))
    }
  }
  return (
    <span css={{ position: 'relative', display: 'inline-flex' }}>
      <IconButton icon={state === 'copied' ? check : copy} name={name} onClick={press} />
      <span css={state === 'refused' ? hint : hidden} aria-hidden>
        {state === 'refused' && t('common.copyFailed')}
      </span>
    </span>
  )
}

const hint: CSSObject = {
  ...text('caption'),
  position: 'absolute',
  insetBlockStart: '100%',
  insetInlineEnd: 0,
  whiteSpace: 'nowrap',
}
