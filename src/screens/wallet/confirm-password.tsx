import { type FormEvent, useState } from 'react'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Button } from '../../ui/button.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Circle } from '../../ui/hero-art.tsx'
import { lockKeyhole } from '../../ui/icons/lucide.ts'
import { Body, Footer } from '../../ui/layout.tsx'
import { useAnnounced } from '../../ui/panel-context.tsx'
import { PasswordField } from '../../ui/password-field/password-field.tsx'
import { useWords } from '../../ui/words.tsx'

export interface ConfirmPasswordProps {
  /** What was chosen, and is to be typed once more. */
  password: string
  cancellable?: boolean | undefined
}
export type ConfirmPasswordAnswer = 'continue' | 'back'

/** Where a person shows that they have their password. Spec §2 "Password flow", 3. */
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
  // Said as soon as it can't become the same any more by typing on.
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
      <Body>
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

const rest: ConfirmPasswordProps = { password: 'harbor-lantern-copper-tide' }
export const examples = {
  rest: { props: rest },
  going: { props: rest, busy: 'continue' },
  'going back': { props: rest, busy: 'back' },
  'in the automatic flow': { props: { ...rest, cancellable: false } },
} satisfies Examples<typeof confirmPassword>
