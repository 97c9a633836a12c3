import type { CSSObject } from '@emotion/react'
import type { RefObject } from 'react'
import { color, radius, shadow, text } from '../../../styles/tokens.ts'
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
}

/** Copies, and says so for a moment. If the clipboard refuses, it selects the text and says what to do. */
export function CopyButton({ value, name, shown }: CopyButtonProps) {
  const t = useWords()
  const [state, press] = useCopy(value, { shown })
  return (
    <span css={{ position: 'relative', display: 'inline-flex' }}>
      <IconButton icon={state === 'copied' ? check : copy} name={name} onClick={press} />
      {state !== 'rest' && (
        <span css={hint} aria-hidden>
          {t(state === 'copied' ? 'common.copied' : 'common.copyFailed')}
        </span>
      )}
    </span>
  )
}

const hint: CSSObject = {
  ...text('caption'),
  position: 'absolute',
  insetBlockStart: '100%',
  insetInlineEnd: 0,
  zIndex: 1,
  paddingInline: 6,
  borderRadius: radius(8),
  background: color('surface-raised'),
  boxShadow: shadow(1),
  whiteSpace: 'nowrap',
  pointerEvents: 'none',
}
