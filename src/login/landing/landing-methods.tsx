import type { CSSObject } from '@emotion/react'
import { useRef } from 'react'
import { color, text } from '../../../styles/tokens.ts'
import type { Answering } from '../../dialog/screen.ts'
import { Row } from '../../ui/actions/row.tsx'
import type { LegalUrls } from '../../ui/brand/legal.tsx'
import { MethodIcon } from '../../ui/brand/method-icon.tsx'
import { Chip } from '../../ui/feedback/chip.tsx'
import { EmailField } from '../../ui/fields/email-field.tsx'
import { LazyPhoneField } from '../../ui/fields/phone-field/lazy.tsx'
import { ellipsis, mail, smartphone, wallet } from '../../ui/icons/landing.ts'
import { giving } from '../../ui/layout/layout.tsx'
import { faded, useEdges } from '../../ui/panel/use-edges.ts'
import { useWords } from '../../ui/text/words.tsx'
import { landingLimits } from './limits.ts'

/** One login method: a field, or a row that leads to it. */
export interface LandingMethod {
  id: string
  kind: 'email-field' | 'phone-field' | 'row'
  /** Required for every row. */
  label?: string | undefined
  /** An icon's name, its path data on 24 by 24, or its address; without any, the label's initial is shown. */
  icon?: string | undefined
  /** The method used last. */
  recent: boolean
  /** It continues in a separate window. */
  opens?: boolean | undefined
}
export interface LandingProps {
  app: { name: string; logoUrl?: string | undefined }
  /** Instead of 'Log in or sign up'. */
  header?: string | undefined
  message?: string | undefined
  page: 'main' | 'more'
  methods: readonly LandingMethod[]
  /**
   * The name of the rest: 'More options' is a link below, 'Other socials' the row `more` among the others.
   */
  more?: 'socials' | 'options' | undefined
  /** 'I have a passkey' is below. */
  passkey?: boolean | undefined
  email?: { value: string; plusAllowed: boolean; error?: string | undefined } | undefined
  phone?: { value: string; country?: string | undefined; error?: string | undefined } | undefined
  legal?: LegalUrls | undefined
}
export type LandingAnswer = { email: string } | { phone: string } | { method: string } | 'more' | 'back'

/** Typed text survives turning the page. */
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

/** The login methods, one below the other. */
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
          alone: page === 'main' && methods.length === 1,
          after: i < methods.length - 1 ? <Or /> : undefined,
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

/** Between a field and the other methods, in the line that is reserved for the field's error. */
function Or() {
  const t = useWords()
  return <div css={or}>{t('login.or')}</div>
}

const list: CSSObject = {
  ...faded,
  // As far as a row is high: it may end between two of them, where less would look like its end.
  maskImage: 'linear-gradient(#0000,#000 var(--_t),#000 calc(100% - 4*var(--_b)),#0000)',
  display: 'flex',
  flexDirection: 'column',
  gap: 8,
  '& > *': { flex: 'none' },
}
const bounded: CSSObject = { maxHeight: landingLimits.listHeight }
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
