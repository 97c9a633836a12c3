import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { info } from '../../../ui/icons/notices.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle, Outcome } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useAnnounced } from '../../../ui/panel/use-announced.ts'
import { useWords } from '../../../ui/text/words.tsx'
import type { Over } from './messages.ts'

export interface WindowEndedProps {
  /** Or it was reloaded, or there never was a request for this window. */
  why: Over | 'reloaded' | 'alone'
}

/** The vault's own window, with nothing to do. */
export const windowEnded = defineScreen<WindowEndedProps, 'close'>('window-ended', {
  view: WindowEnded,
  size: 'compact',
  closable: false,
})

function WindowEnded({ why, busy, answer }: WindowEndedProps & Answering<'close'>) {
  const t = useWords()
  const title = t(`approval.ended.${why}.title`)
  useAnnounced(title, why === 'done' ? undefined : 'alert')
  return (
    <>
      <Body>
        <Hero
          art={why === 'done' ? <Outcome is="success" /> : <Circle icon={info} tone="neutral" />}
          title={title}
        >
          {t(`approval.ended.${why}.text`)}
        </Hero>
      </Body>
      <Footer>
        <Button kind="secondary" disabled={busy !== undefined} onClick={() => answer('close')}>
          {t('approval.ended.close')}
        </Button>
      </Footer>
    </>
  )
}
