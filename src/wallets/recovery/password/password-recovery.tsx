import { type FormEvent, useEffect, useState } from 'react'
import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { PasswordField } from '../../../ui/fields/password-field/password-field.tsx'
import { lockKeyhole } from '../../../ui/icons/lucide.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer, Note } from '../../../ui/layout/layout.tsx'
import { useAnnounce } from '../../../ui/panel/panel-context.tsx'
import { useWords } from '../../../ui/text/words.tsx'

export interface PasswordRecoveryProps {
  /** `present`: the wallet is here, and its person shows that the password is theirs, which the server wants before a change, an export or the removal of a device. */
  purpose?: 'recover' | 'present' | undefined
  /** The outcome of the previous password. */
  error?: string | undefined
  /** The wallet, by which a password manager finds its entry. */
  address: string
}

export type PasswordRecoveryAnswer = { password: string } | 'back'

/** Where a password recovers a wallet to this device. */
export const passwordRecovery = defineScreen<PasswordRecoveryProps, PasswordRecoveryAnswer>(
  'password-recovery',
  { view: PasswordRecovery, size: 'compact', back: true },
)

function PasswordRecovery(props: PasswordRecoveryProps & Answering<PasswordRecoveryAnswer>) {
  const { purpose = 'recover', error, address, busy, answer } = props
  const t = useWords()
  const announce = useAnnounce()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState(error)
  useEffect(() => {
    // The same words after another attempt are a new refusal.
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
        <Hero art={<Circle icon={lockKeyhole} />} title={t(`password.${purpose}.title`)}>
          {t(`password.${purpose}.text`)}
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
          busyLabel={t(`password.${purpose}.busy`)}
          disabled={busy !== undefined || !password}
        >
          {t(`password.${purpose}.button`)}
        </Button>
        {purpose === 'recover' && <Note>{t('password.recover.lost')}</Note>}
      </Footer>
    </form>
  )
}
