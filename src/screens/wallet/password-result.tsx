import { limits } from '../../core/limits.ts'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Button } from '../../ui/button.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Outcome } from '../../ui/hero-art.tsx'
import { Body, Footer } from '../../ui/layout.tsx'
import { TimeBar } from '../../ui/time-bar.tsx'
import { useWords } from '../../ui/words.tsx'

export interface PasswordResultProps {
  ok: boolean
  detail?: string | undefined
  /** Part of what can't be left: a success goes on by itself after a moment; a failure stays until it was read. */
  closes: boolean
}

/** How setting a password ended. Spec §2 "Password flow". */
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
          <TimeBar time={limits.successVisible} onEnd={close} />
        ) : (
          <Button busy={busy === 'close'} disabled={busy !== undefined} onClick={close}>
            {t('common.close')}
          </Button>
        )}
      </Footer>
    </>
  )
}

const failed: PasswordResultProps = { ok: false, detail: 'Unable to set recovery on wallet', closes: false }
export const examples = {
  success: { props: { ok: true, closes: false } },
  'success, goes on by itself': { props: { ok: true, closes: true } },
  failed: { props: failed },
  'failed, in the automatic flow': { props: { ...failed, closes: true } },
  'without a reason': { props: { ok: false, closes: false } },
  closing: { props: { ok: true, closes: false }, busy: 'close' },
} satisfies Examples<typeof passwordResult>
