import type { CSSObject } from '@emotion/react'
import type { MouseEvent, ReactNode } from 'react'
import { color, focusRing, media, quick, radius, shadow, text } from '../../../styles/tokens.ts'
import { safeLink } from '../../lib/safe-link.ts'
import { Icon } from '../brand/icon.tsx'
import { Spinner } from '../feedback/spinner.tsx'
import { externalLink } from '../icons/frame.ts'
import { check } from '../icons/notices.ts'
import { useWords } from '../text/words.tsx'
import { useBusy } from './use-busy.ts'

/** `caution` leads to the confirmation of something that can't be undone, which has the `danger`. */
type Kind = 'primary' | 'secondary' | 'ghost' | 'caution' | 'danger'
interface ButtonProps {
  kind?: Kind
  /** 48 for the footer, 40, 32. */
  size?: 'large' | 'medium' | 'small'
  icon?: string
  /** The flow is processing this answer: the button spins, and can't be pressed again. */
  busy?: boolean | undefined
  /** Words beside the spinner. */
  busyLabel?: string | undefined
  /** It is done; a text replaces 'Success!', and nothing is dangerous any more. */
  success?: boolean | string | undefined
  disabled?: boolean | undefined
  /** It approves something; `held` if it takes no press yet, which a press of it has explained. */
  approves?: 'live' | 'held' | undefined
  /** Makes it a link to another page; anything but http(s) is refused. */
  href?: string | undefined
  type?: 'button' | 'submit'
  describedBy?: string | undefined
  onClick?: () => void
  /** The link was followed. */
  onFollow?: (() => void) | undefined
  children: string
}

/** A button; its width stays while it is busy. At most one `primary` per screen: the next step. */
export function Button(props: ButtonProps) {
  const { size = 'large', icon, busy = false, busyLabel, success, disabled, approves, children } = props
  const { kind: meant = 'primary' } = props
  const kind = success && meant === 'danger' ? 'primary' : meant
  const t = useWords()
  const spinning = useBusy(busy) && !success
  const off = disabled || busy || !!success
  const held = approves === 'held' && !off
  const href = safeLink(props.href)
  const shared = {
    part: kind === 'primary' || kind === 'danger' ? `button button-${kind}` : 'button',
    css: [base, sizes[size], kinds[kind], ((disabled && !busy && !success) || held) && disabledLook(kind)],
    children: (
      <>
        <Face
          shown={!spinning && !success}
          silent={!!success || (spinning && !!busyLabel)}
          small={children.length > 30}
        >
          {icon && <Icon path={icon} size={18} />}
          {href ? <OutwardWords>{children}</OutwardWords> : children}
        </Face>
        {spinning && (
          <Face shown>
            <Spinner />
            {busyLabel}
          </Face>
        )}
        {success && (
          <Face shown>
            <Icon path={check} size={18} />
            {success === true ? t('common.success') : success}
          </Face>
        )}
      </>
    ),
  }
  if (href)
    return (
      <a
        {...shared}
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        onClick={() => props.onFollow?.()}
      />
    )
  return (
    <button
      {...shared}
      type={props.type ?? 'button'}
      data-approves={approves}
      aria-disabled={off || held || undefined}
      aria-busy={busy || undefined}
      aria-describedby={props.describedBy}
      onClick={(event: MouseEvent) => (off ? event.preventDefault() : props.onClick?.())}
    />
  )
}

interface AnswerButtonProps<Answer> extends Omit<ButtonProps, 'busy' | 'disabled' | 'onClick'> {
  gives: NoInfer<Answer> & string
  /** The answer that the flow is processing. */
  busy: Answer | undefined
  answer(answer: Answer): void
}

/** A button that gives an answer of its screen. It spins while that answer is processed, and can't be pressed during any other. */
export function AnswerButton<Answer>(props: AnswerButtonProps<Answer>) {
  const { gives, busy, answer, ...button } = props
  return (
    <Button
      // A press that began on one answer must not end on another one.
      key={gives}
      {...button}
      busy={busy === gives}
      disabled={busy !== undefined}
      onClick={() => answer(gives)}
    />
  )
}

interface FaceProps {
  shown: boolean
  silent?: boolean
  small?: boolean
  children: ReactNode
}
/** One of the things that a button shows in the same place. */
export function Face({ shown, silent, small, children }: FaceProps) {
  return (
    <span
      css={[face, small && { fontSize: `calc(14px*var(--lk-text-scale,1))` }]}
      style={{ opacity: shown ? 1 : 0 }}
      aria-hidden={silent || undefined}
    >
      {children}
    </span>
  )
}

/** The words of a button that leads to another page, with its sign beside the last of them. */
export function OutwardWords({ children }: { children: string }) {
  return (
    <span>
      {children}
      <span css={sign} aria-hidden>
        <Icon path={externalLink} size={16} />
      </span>
    </span>
  )
}

const sign: CSSObject = {
  // A word joiner: the sign is on the line of the last word.
  '&::before': { content: '"\\2060"' },
  '& svg': { display: 'inline', verticalAlign: -2, marginInlineStart: 8 },
}
const face: CSSObject = {
  gridArea: '1/1',
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'center',
  gap: 8,
  textWrap: 'balance',
  overflowWrap: 'anywhere',
  transition: quick('opacity'),
}
const base: CSSObject = {
  position: 'relative',
  display: 'grid',
  alignItems: 'center',
  border: '1px solid transparent',
  fontFamily: 'inherit',
  textAlign: 'center',
  textDecoration: 'none',
  cursor: 'pointer',
  transition: `${quick('background-color', 'color', 'transform')}`,
  '&[aria-disabled]': { cursor: 'default' },
  // The rest of a busy screen fades only if it takes a while.
  '&[aria-disabled]:not([aria-busy])': { transitionDelay: '150ms', [media.forced]: { color: 'GrayText' } },
  ...focusRing(),
}
const touched: CSSObject = { [media.coarse]: { minHeight: 44 } }
const sizes: Record<NonNullable<ButtonProps['size']>, CSSObject> = {
  large: { minHeight: 48, padding: '8px 12px', borderRadius: radius(12) },
  medium: { minHeight: 40, padding: '4px 16px', borderRadius: radius(10), ...touched },
  small: { minHeight: 32, padding: '2px 12px', borderRadius: radius(8), ...touched },
}

/** Rest, hover and pressed of a kind; a disabled button has neither of the last two. */
const states = (rest: CSSObject, hover: CSSObject, pressed: CSSObject, press = true): CSSObject => ({
  ...rest,
  [media.hover]: { '&:not([aria-disabled]):hover': hover },
  '&:not([aria-disabled]):active': {
    ...pressed,
    ...(press && { transform: 'scale(.985)', [media.reduced]: { transform: 'none' } }),
  },
})
const fill = (name: Parameters<typeof color>[0]): CSSObject => ({ background: color(name) })
const quiet: CSSObject = {
  ...text('label'),
  ...fill('surface'),
  color: color('text'),
  borderColor: color('border'),
  boxShadow: shadow(1),
}
const kinds: Record<Kind, CSSObject> = {
  primary: states(
    { ...text('action'), ...fill('accent'), color: color('on-accent'), borderColor: color('accent-edge') },
    fill('accent-hover'),
    fill('accent-pressed'),
  ),
  secondary: states(quiet, fill('fill-hover'), fill('fill-pressed')),
  caution: states({ ...quiet, color: color('danger-text') }, fill('fill-hover'), fill('fill-pressed')),
  ghost: states(
    { ...text('label'), background: 'none', color: color('text-muted'), ...focusRing(0) },
    { ...fill('fill-hover'), color: color('text') },
    fill('fill-pressed'),
    false,
  ),
  danger: states(
    { ...text('action'), ...fill('danger-solid'), color: color('on-danger') },
    fill('danger-solid-hover'),
    fill('danger-solid-pressed'),
  ),
}
/** The look of the next step for other elements than buttons. */
export const nextStep = (): CSSObject[] => [base, sizes.large, kinds.primary]
/** The same of what stands beside it. */
export const sideStep = (): CSSObject[] => [base, sizes.large, kinds.secondary]
const disabledLook = (kind: Kind): CSSObject => ({
  color: color('text-faint'),
  ...((kind === 'primary' || kind === 'danger') && { ...fill('fill-pressed'), borderColor: 'transparent' }),
})
