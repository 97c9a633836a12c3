import type { CSSObject } from '@emotion/react'
import { type FocusEvent, type FormEvent, useEffect, useState } from 'react'
import { limits } from '../../core/limits.ts'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Button } from '../../ui/button.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Circle } from '../../ui/hero-art.tsx'
import { lockKeyhole, rotateCw } from '../../ui/icons/lucide.ts'
import { Body, Footer } from '../../ui/layout.tsx'
import { useAnnounce, useAnnounced } from '../../ui/panel-context.tsx'
import { PasswordField } from '../../ui/password-field/password-field.tsx'
import { isPassword, passwordProblem } from '../../ui/password-field/rules.ts'
import { StrengthMeter } from '../../ui/password-field/strength-meter.tsx'
import { useWords } from '../../ui/words.tsx'

export interface SetPasswordProps {
  /** There is one, which this one takes the place of. */
  reset: boolean
  /** What was chosen before the person came back. */
  value?: string | undefined
  canGoBack: boolean
  cancellable: boolean
  /** Makes up a password of several words. */
  generate: () => string
  /** The wallet, by which a password manager files what it keeps. */
  address?: string | undefined
}
export type SetPasswordAnswer = { password: string } | 'back'

/** Where a person chooses the password of their wallet, or has one made up. Spec §2 "Password flow", 1. */
export const setPassword = defineScreen<SetPasswordProps, SetPasswordAnswer>('set-password', {
  view: SetPassword,
  size: 'compact',
  back: ({ canGoBack }) => canGoBack,
  closable: ({ cancellable }) => cancellable,
})

function SetPassword(props: SetPasswordProps & Answering<SetPasswordAnswer>) {
  const { reset, value = '', generate, address, busy, answer } = props
  const t = useWords()
  const announce = useAnnounce()
  const [password, setPassword] = useState(value)
  const [made, setMade] = useState<string>()
  const [touched, setTouched] = useState(false)
  const problem = touched ? passwordProblem(password, t) : undefined
  useAnnounced(problem, 'alert')
  useEffect(() => {
    if (made) announce(t('password.generated'))
  }, [made, announce, t])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPassword(password)) answer({ password })
    else setTouched(true)
  }
  const makeUp = () => {
    const password = generate()
    setPassword(password)
    setMade(password)
  }
  // Whoever comes to a button that can't be pressed learns why.
  const focused = ({ target }: FocusEvent) =>
    target instanceof HTMLButtonElement && target.type === 'submit' && setTouched(true)
  return (
    <form css={whole} noValidate onSubmit={submit} onFocus={focused}>
      <Body>
        <Hero
          art={<Circle icon={lockKeyhole} />}
          title={t(reset ? 'password.set.resetTitle' : 'password.set.title')}
        >
          {t(reset ? 'password.set.resetText' : 'password.set.text')}
        </Hero>
        <div>
          <PasswordField
            autoComplete="new-password"
            owner={address}
            value={password}
            error={problem}
            busy={busy !== undefined}
            readable={made !== undefined && made === password}
            onType={setPassword}
            onDone={() => setTouched(true)}
            below={
              <StrengthMeter
                password={password}
                hint={t('password.hint', { count: limits.passwordLength })}
              />
            }
          />
          <div css={aside}>
            <Button kind="ghost" size="small" icon={rotateCw} disabled={busy !== undefined} onClick={makeUp}>
              {t('password.generate')}
            </Button>
          </div>
        </div>
      </Body>
      <Footer>
        <Button
          type="submit"
          busy={typeof busy === 'object'}
          disabled={busy !== undefined || !isPassword(password)}
        >
          {t('common.continue')}
        </Button>
      </Footer>
    </form>
  )
}

const whole: CSSObject = { display: 'contents' }
const aside: CSSObject = { display: 'grid', justifyItems: 'center', marginBlockStart: 8 }

const rest: SetPasswordProps = {
  reset: false,
  canGoBack: false,
  cancellable: true,
  generate: () => 'harbor-lantern-copper-tide',
}
export const examples = {
  empty: { props: rest },
  reset: { props: { ...rest, reset: true, canGoBack: true } },
  'too short': { props: { ...rest, value: 'tide' } },
  weak: { props: { ...rest, value: 'copper7' } },
  medium: { props: { ...rest, value: 'Copper-lantern7' } },
  strong: { props: { ...rest, value: 'Copper-lantern-7-harbor-tide' } },
  'invalid characters': { props: { ...rest, value: 'kupfer laterne ä' } },
  'in the automatic flow': { props: { ...rest, cancellable: false } },
  going: { props: { ...rest, value: 'Copper-lantern7' }, busy: { password: 'Copper-lantern7' } },
  'going back': { props: { ...rest, canGoBack: true, value: 'Copper-lantern7' }, busy: 'back' },
} satisfies Examples<typeof setPassword>
