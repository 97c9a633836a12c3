import type { CSSObject } from '@emotion/react'
import { useRef } from 'react'
import { color, text } from '../../../styles/tokens.ts'
import { limits } from '../../core/limits.ts'
import type { Answering } from '../../core/screen.ts'
import { Chip } from '../../ui/chip.tsx'
import { EmailField } from '../../ui/email-field.tsx'
import { ellipsis, mail, smartphone, wallet } from '../../ui/icons/landing.ts'
import { giving } from '../../ui/layout.tsx'
import { MethodIcon } from '../../ui/method-icon.tsx'
import { LazyPhoneField } from '../../ui/phone-field/lazy.tsx'
import { Row } from '../../ui/row.tsx'
import { faded, useEdges } from '../../ui/use-edges.ts'
import { useWords } from '../../ui/words.tsx'
import type { LandingAnswer, LandingProps } from './landing.tsx'

/** What was typed outlives the turning of pages. */
export type Typed = Record<string, string>
/** The part of the screen that an answer came from. */
export const nameOf = (answer: LandingAnswer | undefined) =>
  typeof answer !== 'object'
    ? answer
    : 'method' in answer
      ? answer.method
      : 'email' in answer
        ? 'email'
        : 'sms'

/** The ways in, one below the other. */
export function Methods(props: LandingProps & Answering<LandingAnswer> & { typed: Typed }) {
  const { methods, email, phone, page, busy, answer, typed } = props
  const t = useWords()
  const box = useRef<HTMLDivElement>(null)
  useEdges(box)
  const working = nameOf(busy)
  return (
    <div ref={box} css={[list, page === 'main' && bounded, giving(48 * Math.min(3, methods.length))]}>
      {methods.map(({ id, kind, label = id, icon, recent }, i) => {
        const chip = recent && <Chip>{t('login.recent')}</Chip>
        const row = {
          busy: working === id,
          inert: busy !== undefined && working !== id,
        }
        if (kind === 'row')
          return (
            <Row
              key={id}
              {...row}
              icon={<MethodIcon icon={icon ?? pictures[id] ?? id} label={label} />}
              label={label}
              chip={chip}
              onClick={() => answer(id === 'more' ? id : { method: id })}
            />
          )
        const field = {
          ...row,
          asked: answer,
          chip,
          below: i < methods.length - 1 ? <Or /> : undefined,
          onType(text: string) {
            typed[id] = text
          },
        }
        return kind === 'email-field' ? (
          <EmailField
            key={id}
            {...field}
            value={typed[id] ?? email?.value ?? ''}
            plusAllowed={email?.plusAllowed ?? true}
            error={email?.error}
            onSubmit={(address) => answer({ email: address })}
          />
        ) : (
          <LazyPhoneField
            key={id}
            {...field}
            value={typed[id] ?? phone?.value ?? ''}
            country={phone?.country}
            error={phone?.error}
            onSubmit={(number) => answer({ phone: number })}
          />
        )
      })}
    </div>
  )
}

const pictures: Readonly<Record<string, string>> = { email: mail, sms: smartphone, wallet, more: ellipsis }

/** Between a field and the other ways in, in the line that is kept for the field's error. */
function Or() {
  const t = useWords()
  return <div css={or}>{t('login.or')}</div>
}

const list: CSSObject = {
  ...faded,
  display: 'flex',
  flexDirection: 'column',
  gap: 8,
  '& > *': { flex: 'none' },
}
const bounded: CSSObject = { maxHeight: limits.landingListHeight }
const line: CSSObject = { content: '""', flex: 1, height: 1, background: color('border') }
const or: CSSObject = {
  ...text('caption'),
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  color: color('text-faint'),
  '&::before': line,
  '&::after': line,
}
