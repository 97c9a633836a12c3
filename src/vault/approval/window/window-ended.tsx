import { defineScreen } from '../../../dialog/screen.ts'
import { info } from '../../../ui/icons/notices.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body } from '../../../ui/layout/layout.tsx'
import { useWords } from '../../../ui/text/words.tsx'

export interface WindowEndedProps {
  /** The request is over, or there never was one for this window. */
  why: 'over' | 'alone'
}

/** The vault's own window, with nothing to do. */
export const windowEnded = defineScreen<WindowEndedProps, never>('window-ended', {
  view: WindowEnded,
  size: 'compact',
  closable: false,
})

function WindowEnded({ why }: WindowEndedProps) {
  const t = useWords()
  return (
    <Body>
      <Hero art={<Circle icon={info} tone="neutral" />} title={t(`approval.ended.${why}.title`)}>
        {t(`approval.ended.${why}.text`)}
      </Hero>
    </Body>
  )
}
