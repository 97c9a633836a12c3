import { type FormEvent, useEffect, useState } from 'react'
import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { PasswordField } from '../../../ui/fields/password-field/password-field.tsx'
import { lockKeyhole } from '../../../ui/icons/lucide.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useAnnounce } from '../../../ui/panel/panel-context.tsx'
import { useWords } from '../../../ui/text/words.tsx'

export interface ProveRecoveryProps {
  /** The wallet, by which a password manager finds its entry. */
  address: string
  /** The outcome of the previous password. */
  error: 'wrong' | 'tooMany' | 'failed' | undefined
}
export type ProveRecoveryAnswer = { password: string } | 'cancel'

/** Where a person proves that the recovery password is theirs, before something is done that only they may do. */
export const proveRecovery = defineScreen<ProveRecoveryProps, ProveRecoveryAnswer>('prove-recovery', {
  view: ProveRecovery,
  size: 'compact',
})

function ProveRecovery({
  address,
  error,
  busy,
  answer,
}: ProveRecoveryProps & Answering<ProveRecoveryAnswer>) {
  const t = useWords()
  const announce = useAnnounce()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState(error)
  useEffect(() => {
    // The same words after another attempt are a new refusal.
    void answer
    setProblem(error)
    if (error) announce(t(`prove.${error}`), 'alert')
  }, [error, answer, announce, t])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password) answer({ password })
  }
  const working = typeof busy === 'object'
  return (
    <form css={{ display: 'contents' }} noValidate onSubmit={submit}>
      <Body>
        <Hero art={<Circle icon={lockKeyhole} />} title={t('prove.title')}>
          {t('prove.text')}
        </Hero>
        <PasswordField
          autoComplete="current-password"
          owner={address}
          value={password}
          error={!working && problem ? t(`prove.${problem}`) : undefined}
          busy={busy !== undefined}
          onType={(typed) => {
            setPassword(typed)
            setProblem(undefined)
          }}
        />
      </Body>
      <Footer>
        <Button type="submit" busy={working} disabled={busy !== undefined || !password}>
          {t('prove.button')}
        </Button>
        <Button
          kind="ghost"
          size="medium"
          busy={busy === 'cancel'}
          disabled={working}
          onClick={() => answer('cancel')}
        >
          {t('common.cancel')}
        </Button>
      </Footer>
    </form>
  )
}
