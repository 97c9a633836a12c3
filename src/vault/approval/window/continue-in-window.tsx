import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { shieldCheck } from '../../../ui/icons/lucide.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useAnnounced } from '../../../ui/panel/use-announced.ts'
import { useWords } from '../../../ui/text/words.tsx'

export interface ContinueInWindowProps {
  /** Why not here: what it could do, or that this browser can't tell what a person sees of a frame. */
  why:
    | 'risky'
    | 'browser'
    | 'export'
    | 'import'
    | 'device'
    | 'enrol'
    | 'approve-device'
    | 'vault-passkeys'
    | 'factor'
    | 'passkeys'
    | 'change'
    | 'frozen'
  /** The browser has refused to open it. */
  blocked: boolean
}
export type ContinueInWindowAnswer = 'open' | 'cancel'

/** Leads to the vault's own window. */
export const continueInWindow = defineScreen<ContinueInWindowProps, ContinueInWindowAnswer>(
  'continue-in-window',
  { view: ContinueInWindow, size: 'compact', opens: (answer) => answer === 'open' },
)

function ContinueInWindow({
  why,
  blocked,
  busy,
  answer,
}: ContinueInWindowProps & Answering<ContinueInWindowAnswer>) {
  const t = useWords()
  const problem = blocked && !busy ? t('approval.window.blocked') : undefined
  useAnnounced(problem, 'alert')
  return (
    <>
      <Body>
        <Hero art={<Circle icon={shieldCheck} />} title={t('approval.window.title')}>
          {t(`approval.window.${why}`)}
        </Hero>
      </Body>
      <Footer>
        {problem && <Banner tone="danger">{problem}</Banner>}
        <Button busy={busy === 'open'} disabled={busy === 'cancel'} onClick={() => answer('open')}>
          {t('approval.window.open')}
        </Button>
        <Button
          kind="ghost"
          size="medium"
          busy={busy === 'cancel'}
          disabled={busy === 'open'}
          onClick={() => answer('cancel')}
        >
          {t('common.cancel')}
        </Button>
      </Footer>
    </>
  )
}
