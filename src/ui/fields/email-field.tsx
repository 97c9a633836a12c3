import { type FormEvent, useEffect, useRef, useState } from 'react'
import { trimInvisible } from '../../lib/typed-text.ts'
import { useBusy } from '../actions/use-busy.ts'
import { Spinner } from '../feedback/spinner.tsx'
import { mail } from '../icons/landing.ts'
import { useAnnounce } from '../panel/panel-context.tsx'
import { useWords } from '../text/words.tsx'
import { emailProblem } from './email-problem.ts'
import { Field } from './field.tsx'
import { FieldSubmit, OnlyStep } from './field-submit.tsx'
import type { LoginFieldProps } from './login-field.ts'

interface EmailFieldProps extends LoginFieldProps {
  plusAllowed: boolean
  onSubmit(email: string): void
}

/**
 * The address of a login, as a row with its own submit; password managers and passkeys find it by its
 * attributes.
 */
export function EmailField(props: EmailFieldProps) {
  const {
    value,
    plusAllowed,
    error,
    asked,
    busy,
    inert,
    chip,
    after,
    alone = false,
    onType,
    onSubmit,
  } = props
  const t = useWords()
  const announce = useAnnounce()
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState(error)
  const [plausible, setPlausible] = useState(!emailProblem(value, { plusAllowed: true }))
  const spinning = useBusy(busy)
  const off = busy || inert

  useEffect(() => {
    const el = input.current
    const root = el?.closest('[data-arrived]')?.getRootNode()
    // It has replaced the row that was pressed, and takes its focus.
    if (el && (root instanceof ShadowRoot || root instanceof Document) && !root.activeElement) el.focus()
  }, [])
  useEffect(() => {
    void asked
    setProblem(error)
    if (error) announce(error, 'alert')
  }, [error, asked, announce])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const email = trimInvisible(input.current?.value ?? '')
    if (off) return
    const wrong = emailProblem(email, { plusAllowed })
    if (!wrong) return onSubmit(email)
    const words = t(wrong)
    setProblem(words)
    announce(words, 'alert')
    input.current?.focus()
  }
  const typed = () => {
    const now = input.current?.value ?? ''
    onType?.(now)
    setProblem(undefined)
    setPlausible(!emailProblem(now, { plusAllowed: true }))
  }
  return (
    <form noValidate onSubmit={submit}>
      <Field
        ref={input}
        first
        dimmed={inert}
        label={t('login.email.label')}
        placeholder={t('login.email.placeholder')}
        icon={mail}
        type="email"
        name="email"
        inputMode="email"
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        defaultValue={value}
        readOnly={off}
        error={problem}
        after={after}
        onInput={typed}
        trailing={
          alone ? (
            chip
          ) : spinning ? (
            <Spinner size={24} />
          ) : plausible ? (
            <FieldSubmit off={off}>{t('login.email.submit')}</FieldSubmit>
          ) : (
            chip
          )
        }
      />
      {alone && (
        <OnlyStep busy={busy} inert={inert}>
          {t('login.email.submit')}
        </OnlyStep>
      )}
    </form>
  )
}
