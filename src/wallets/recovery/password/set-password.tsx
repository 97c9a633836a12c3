import type { CSSObject } from '@emotion/react'
import { type FocusEvent, type FormEvent, useEffect, useState } from 'react'
import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { fieldLimits } from '../../../ui/fields/limits.ts'
import { PasswordField } from '../../../ui/fields/password-field/password-field.tsx'
import { isPassword, passwordProblem } from '../../../ui/fields/password-field/rules.ts'
import { StrengthMeter } from '../../../ui/fields/password-field/strength-meter.tsx'
import { lockKeyhole, rotateCw } from '../../../ui/icons/lucide.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useAnnounce } from '../../../ui/panel/panel-context.tsx'
import { useAnnounced } from '../../../ui/panel/use-announced.ts'
import { useWords } from '../../../ui/text/words.tsx'
import { newPassphrase } from '../../embedded/passphrase.ts'
import { walletsLimits } from '../../limits.ts'

export interface SetPasswordProps {
  /** There is a password, which this one replaces. */
  reset: boolean
  /** What was chosen before the person came back. */
  value?: string | undefined
  canGoBack: boolean
  cancellable: boolean
  /** The wallet, under which a password manager stores its entry. */
  address?: string | undefined
}

export type SetPasswordAnswer = { password: string } | 'back'

/** The first step of setting a password: choosing one, or having one generated. */
export const setPassword = defineScreen<SetPasswordProps, SetPasswordAnswer>('set-password', {
  view: SetPassword,
  size: 'compact',
  back: ({ canGoBack }) => canGoBack,
  closable: ({ cancellable }) => cancellable,
})

function SetPassword(props: SetPasswordProps & Answering<SetPasswordAnswer>) {
  const { reset, value = '', address, busy, answer } = props
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
  const fillGenerated = () => {
    const password = newPassphrase()
    setPassword(password)
    setMade(password)
  }
  // A button that can't be pressed says why.
  const focused = ({ target }: FocusEvent) =>
    target instanceof HTMLButtonElement && target.type === 'submit' && setTouched(true)
  return (
    <form css={whole} noValidate onSubmit={submit} onFocus={focused}>
      <Body step={[1, walletsLimits.passwordSteps]}>
        <Hero
          art={<Circle icon={lockKeyhole} />}
          title={t(reset ? 'password.set.resetTitle' : 'password.set.title')}
        >
          {t(reset ? 'password.set.resetText' : 'password.set.text')}
        </Hero>
        <div css={fields}>
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
                hint={t('password.hint', { count: fieldLimits.passwordLength })}
              />
            }
          />
          <div css={aside}>
            <Button
              kind="ghost"
              size="small"
              icon={rotateCw}
              disabled={busy !== undefined}
              onClick={fillGenerated}
            >
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
// Margins that join would join differently below an error.
const fields: CSSObject = { display: 'flex', flexDirection: 'column' }

const aside: CSSObject = { display: 'grid', justifyItems: 'center', marginBlockStart: 8 }
