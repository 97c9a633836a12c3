import type { CSSObject } from '@emotion/react'
import { download } from '../icons/lucide.ts'
import { copy } from '../icons/notices.ts'
import { useWords } from '../text/words.tsx'
import { Button } from './button.tsx'

interface CopyOrDownloadProps {
  /** It was copied just now. */
  copied: boolean
  onCopy(): void
  /** What the button of the file says. */
  download: string
  onDownload(): void
  disabled: boolean
}

/** The two ways of keeping something that is shown this once. */
export function CopyOrDownload({
  copied,
  onCopy,
  download: label,
  onDownload,
  disabled,
}: CopyOrDownloadProps) {
  const t = useWords()
  return (
    <div css={pair}>
      <Button
        kind="secondary"
        size="medium"
        icon={copy}
        disabled={disabled}
        success={copied && t('common.copied')}
        onClick={onCopy}
      >
        {t('common.copy')}
      </Button>
      <Button kind="secondary" size="medium" icon={download} disabled={disabled} onClick={onDownload}>
        {label}
      </Button>
    </div>
  )
}

/** Side by side, unless the text is too large for that. */
const pair: CSSObject = {
  display: 'flex',
  flexWrap: 'wrap',
  gap: 8,
  '& > *': { flex: '1 1 0', minWidth: 'max-content' },
}
