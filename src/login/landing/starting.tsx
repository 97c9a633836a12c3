import type { CSSObject } from '@emotion/react'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Button } from '../../ui/actions/button.tsx'
import { useBusy } from '../../ui/actions/use-busy.ts'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Heading } from '../../ui/layout/heading.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Outcome } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'

interface StartingProps {
  /** What has to come before any other screen did not. */
  failed?: boolean
}

/** The outline of the landing screen, while the app's configuration is loading. */
export const starting = defineScreen<StartingProps, 'retry'>('starting', {
  view: Starting,
  size: ({ failed }) => (failed ? 'compact' : 'full'),
})

function Starting({ failed, busy, answer }: StartingProps & Answering<'retry'>) {
  const t = useWords()
  const shown = useBusy(true)
  return failed ? (
    <>
      <Body>
        <Hero art={<Outcome is="failure" />} title={t('login.notLoaded.title')}>
          {t('login.notLoaded.detail')}
        </Hero>
      </Body>
      <Footer>
        <Button busy={!!busy} onClick={() => answer('retry')}>
          {t('common.retry')}
        </Button>
      </Footer>
    </>
  ) : (
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
