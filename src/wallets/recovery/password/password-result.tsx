import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { TimeBar } from '../../../ui/feedback/time-bar.tsx'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Outcome } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useWords } from '../../../ui/text/words.tsx'
import { walletsLimits } from '../../limits.ts'

export interface PasswordResultProps {
  ok: boolean
  detail?: string | undefined
  /**
   * Part of a flow that can't be left: a success continues by itself after a moment; a failure stays until it
   * was read.
   */
  closes: boolean
}

/** How setting a password ended. */
export const passwordResult = defineScreen<PasswordResultProps, 'close'>('password-result', {
  view: PasswordResult,
  size: 'compact',
  closable: ({ closes }) => !closes,
})

const goesOn = ({ ok, closes }: PasswordResultProps) => ok && closes

function PasswordResult({ ok, detail, closes, busy, answer }: PasswordResultProps & Answering<'close'>) {
  const t = useWords()
  const close = () => answer('close')
  return (
    <>
      <Body>
        <Hero
          art={<Outcome is={ok ? 'success' : 'failure'} />}
          title={t(ok ? 'password.result.done' : 'password.result.failed')}
        >
          {detail ?? (ok && t('password.result.doneText'))}
        </Hero>
      </Body>
      <Footer>
        {goesOn({ ok, closes }) ? (
          <TimeBar time={walletsLimits.successVisible} onEnd={close} />
        ) : (
          <Button busy={busy === 'close'} disabled={busy !== undefined} onClick={close}>
            {t('common.close')}
          </Button>
        )}
      </Footer>
    </>
  )
}
