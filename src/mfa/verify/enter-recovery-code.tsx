import { type FormEvent, useState } from 'react'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { useRetyped } from '../../ui/fields/use-retyped.ts'
import { keyRound } from '../../ui/icons/lucide.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'
import { NotNow } from '../not-now.tsx'
import { recoveryCodeOf } from './recovery-code.ts'

export interface EnterRecoveryCodeProps {
  error?: string | undefined
  /** Why no more codes are taken. */
  blocked?: string | undefined
}
export type EnterRecoveryCodeAnswer = { code: string } | 'back' | 'not-now'

/** Where somebody who has lost their factors gives a recovery code. */
export const enterRecoveryCode = defineScreen<EnterRecoveryCodeProps, EnterRecoveryCodeAnswer>(
  'mfa-recovery-code',
  { view: EnterRecoveryCode, size: 'compact', back: ({ blocked }) => blocked === undefined },
)

function EnterRecoveryCode(props: EnterRecoveryCodeProps & Answering<EnterRecoveryCodeAnswer>) {
  const { error, blocked, busy, answer } = props
  const t = useWords()
  const checking = typeof busy === 'object' ? busy : undefined
  const [typed, setTyped] = useState(checking?.code ?? '')
  const [wrong, setWrong] = useState<string>()
  const off = busy !== undefined || blocked !== undefined
  const problem = blocked ?? (off ? undefined : (wrong ?? error))
  useAnnounced(problem, 'alert')
  const input = useRetyped(busy !== undefined, problem)
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (off) return
    const code = recoveryCodeOf(typed)
    setWrong(code ? undefined : t('mfa.verify.recoveryFormat'))
    if (code) answer({ code })
  }
  return (
    <>
      <Body>
        <Hero art={<Circle icon={keyRound} />} title={t('mfa.verify.recoveryTitle')}>
          {t('mfa.verify.recoveryText')}
        </Hero>
        <form noValidate onSubmit={submit}>
          <Field
            ref={input}
            first={blocked === undefined}
            label={t('mfa.verify.recoveryLabel')}
            labelShown
            type="text"
            name="recovery-code"
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            dir="ltr"
            value={typed}
            readOnly={busy !== undefined}
            disabled={blocked !== undefined}
            error={problem}
            onChange={(event) => {
              setTyped(event.target.value)
              setWrong(undefined)
            }}
          />
        </form>
      </Body>
      <Footer>
        {blocked === undefined && (
          <Button
            busy={checking !== undefined}
            disabled={off || typed.trim() === ''}
            onClick={() => submit()}
          >
            {t('mfa.verify.button')}
          </Button>
        )}
        <NotNow busy={busy} answer={answer} />
      </Footer>
    </>
  )
}
