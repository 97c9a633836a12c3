import type { CSSObject } from '@emotion/react'
import { defineScreen } from '../../dialog/screen.ts'
import { useBusy } from '../../ui/actions/use-busy.ts'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Heading } from '../../ui/layout/heading.tsx'
import { Body } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'

/** The outline of the landing screen, while the app's configuration is loading. */
export const starting = defineScreen<object, never>('starting', { view: Starting, size: 'full' })

function Starting() {
  const t = useWords()
  const shown = useBusy(true)
  return (
    <Body>
      <Heading look="hidden">{t('login.starting')}</Heading>
      <div css={shape} style={{ opacity: shown ? 1 : 0 }}>
        <Skeleton width={48} height={48} round={12} />
        <Skeleton width={180} height={26} />
        <div css={{ height: 8 }} />
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} height={48} round={12} />
        ))}
      </div>
    </Body>
  )
}

const shape: CSSObject = {
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  gap: 8,
  paddingBlockStart: 16,
}
