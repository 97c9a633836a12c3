import { type FormEvent, useEffect, useState } from 'react'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Button } from '../../ui/button.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Circle } from '../../ui/hero-art.tsx'
import { lockKeyhole } from '../../ui/icons/lucide.ts'
import { Body, Footer, Note } from '../../ui/layout.tsx'
import { useAnnounce } from '../../ui/panel-context.tsx'
import { PasswordField } from '../../ui/password-field/password-field.tsx'
import { useWords } from '../../ui/words.tsx'

export interface PasswordRecoveryProps {
  /** What came of the password before. */
  error?: string | undefined
  /** The wallet, by which a password manager finds what it keeps. */
  address: string
}
export type PasswordRecoveryAnswer = { password: string } | 'back'

/** Where a password brings a wallet to this device. Spec §2, §4 "Embedded wallet connecting". */
export const passwordRecovery = defineScreen<PasswordRecoveryProps, PasswordRecoveryAnswer>(
  'password-recovery',
  { view: PasswordRecovery, size: 'compact', back: true },
)

function PasswordRecovery(props: PasswordRecoveryProps & Answering<PasswordRecoveryAnswer>) {
  const { error, address, busy, answer } = props
  const t = useWords()
  const announce = useAnnounce()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState(error)
  useEffect(() => {
    // Asked again, the same words are a new refusal.
    void answer
    setProblem(error)
    if (error) announce(error, 'alert')
  }, [error, answer, announce])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password) answer({ password })
  }
  const type = (typed: string) => {
    setPassword(typed)
    setProblem(undefined)
  }
  const working = typeof busy === 'object'
  return (
    <form css={{ display: 'contents' }} noValidate onSubmit={submit}>
      <Body>
        <Hero art={<Circle icon={lockKeyhole} />} title={t('password.recover.title')}>
          {t('password.recover.text')}
        </Hero>
        <PasswordField
          autoComplete="current-password"
          owner={address}
          value={password}
          error={working ? undefined : problem}
          busy={busy !== undefined}
          onType={type}
        />
      </Body>
      <Footer>
        <Button
          type="submit"
          busy={working}
          busyLabel={t('password.recover.busy')}
          disabled={busy !== undefined || !password}
        >
          {t('password.recover.button')}
        </Button>
        <Note>{t('password.recover.lost')}</Note>
      </Footer>
    </form>
  )
}

const rest: PasswordRecoveryProps = { address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' }
export const examples = {
  rest: { props: rest },
  wrong: { props: { ...rest, error: 'Invalid recovery password, please try again.' } },
  'too many tries': {
    props: { ...rest, error: 'Too many attempts. Please wait an hour, then try again.' },
  },
  recovering: { props: rest, busy: { password: 'harbor-lantern-copper-tide' } },
  'going back': { props: rest, busy: 'back' },
} satisfies Examples<typeof passwordRecovery>
