import { type FormEvent, useState } from 'react'
import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { PasswordField } from '../../../ui/fields/password-field/password-field.tsx'
import { lockKeyhole } from '../../../ui/icons/lucide.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useAnnounced } from '../../../ui/panel/use-announced.ts'
import { useWords } from '../../../ui/text/words.tsx'
import { walletsLimits } from '../../limits.ts'

export interface ConfirmPasswordProps {
  /** The chosen password, which is to be typed once more. */
  password: string
  cancellable?: boolean | undefined
}

export type ConfirmPasswordAnswer = 'continue' | 'back'

/** The third step of setting a password: the person shows that they have it. */
export const confirmPassword = defineScreen<ConfirmPasswordProps, ConfirmPasswordAnswer>('confirm-password', {
  view: ConfirmPassword,
  size: 'compact',
  back: true,
  closable: ({ cancellable = true }) => cancellable,
})

function ConfirmPassword({
  password,
  busy,
  answer,
}: ConfirmPasswordProps & Answering<ConfirmPasswordAnswer>) {
  const t = useWords()
  const [typed, setTyped] = useState('')
  const [left, setLeft] = useState(false)
  const same = typed === password
  // Shown as soon as further typing can't make it match.
  const astray = typed !== '' && (left || !password.startsWith(typed))
  const problem = astray && !same ? t('password.confirm.mismatch') : undefined
  useAnnounced(problem, 'alert')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (same) answer('continue')
    else setLeft(true)
  }
  const type = (text: string) => {
    setTyped(text)
    setLeft(false)
  }
  return (
    <form css={{ display: 'contents' }} noValidate onSubmit={submit}>
      <Body step={[3, walletsLimits.passwordSteps]}>
        <Hero art={<Circle icon={lockKeyhole} />} title={t('password.confirm.title')}>
          {t('password.confirm.text')}
        </Hero>
        <PasswordField
          autoComplete="new-password"
          value={typed}
          error={problem}
          busy={busy !== undefined}
          onType={type}
          onDone={() => setLeft(true)}
        />
      </Body>
      <Footer>
        <Button type="submit" busy={busy === 'continue'} disabled={busy !== undefined || !same}>
          {t('common.continue')}
        </Button>
      </Footer>
    </form>
  )
}
