import { type ReactNode, useState } from 'react'
import { hidden } from '../../../../styles/tokens.ts'
import { IconButton } from '../../actions/icon-button.tsx'
import { eye, eyeOff } from '../../icons/lucide.ts'
import { useWords } from '../../text/words.tsx'
import { Field } from '../field.tsx'
import { useRetyped } from '../use-retyped.ts'

interface PasswordFieldProps {
  /** Tells password managers whether to offer a stored password or to save this one. */
  autoComplete: 'new-password' | 'current-password'
  /** Whose password it is, for password managers: the wallet's address. */
  owner?: string | undefined
  value: string
  error?: string | undefined
  below?: ReactNode
  /** It can't be changed now. */
  busy: boolean
  /** Starts out readable; a new value changes that. */
  readable?: boolean
  onType(value: string): void
  /** The person is done: has pressed Enter, or moved on, and not to one of the buttons beside it. */
  onDone?: () => void
}

/** A password in a real input, with a button that shows it. */
export function PasswordField(props: PasswordFieldProps): ReactNode {
  const { autoComplete, owner, value, error, below, busy, readable = false, onType, onDone } = props
  const t = useWords()
  const input = useRetyped(busy, error)
  const [shown, setShown] = useState({ readable, now: readable })
  if (shown.readable !== readable) setShown({ readable, now: readable })
  return (
    <>
      {owner && (
        <input
          css={hidden}
          type="text"
          name="username"
          autoComplete="username"
          value={owner}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
      )}
      <Field
        ref={input}
        first
        labelShown
        label={t('password.label')}
        // A spelling service must not get the text of a shown password.
        spellCheck={false}
        autoCapitalize="none"
        autoCorrect="off"
        dir="ltr"
        type={shown.now ? 'text' : 'password'}
        name="password"
        autoComplete={autoComplete}
        value={value}
        readOnly={busy}
        error={error}
        below={below}
        onChange={(event) => onType(event.currentTarget.value)}
        onBlur={({ relatedTarget: to }) => {
          if (!(to instanceof HTMLButtonElement && to.type === 'button')) onDone?.()
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter') onDone?.()
        }}
        trailing={
          <IconButton
            icon={shown.now ? eyeOff : eye}
            name={t(shown.now ? 'password.hide' : 'password.show')}
            disabled={busy}
            onClick={() => setShown({ readable, now: !shown.now })}
          />
        }
      />
    </>
  )
}
