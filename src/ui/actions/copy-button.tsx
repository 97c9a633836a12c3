import type { CSSObject } from '@emotion/react'
import type { RefObject } from 'react'
import { hidden, text } from '../../../styles/tokens.ts'
import { check, copy } from '../icons/notices.ts'
import { useWords } from '../text/words.tsx'
import { IconButton } from './icon-button.tsx'
import { useCopy } from './use-copy.ts'

interface CopyButtonProps {
  /** What goes to the clipboard. */
  value: string
  /** Its name, such as 'Copy address'. */
  name: string
  /** What is selected instead when the clipboard refuses. */
  shown?: RefObject<HTMLElement | null>
  /** How long it says so, in milliseconds. */
  visible?: number
}

/** Copies, and says so for a moment. If the clipboard refuses, it selects the text and says what to do. */
export function CopyButton({ value, name, shown, visible }: CopyButtonProps) {
  const t = useWords()
  const [state, press] = useCopy(value, { shown, visible })
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
