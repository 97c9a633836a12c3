import type { CSSObject } from '@emotion/react'
import { type ReactNode, useRef } from 'react'
import { color, text } from '../../../styles/tokens.ts'
import { limits } from '../../core/limits.ts'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Chip } from '../../ui/chip.tsx'
import { EmailField } from '../../ui/email-field.tsx'
import { Hero } from '../../ui/hero.tsx'
import { keyRound, smartphone, wallet } from '../../ui/icons/lucide.ts'
import { Body, Footer, giving } from '../../ui/layout.tsx'
import { Legal, type LegalUrls } from '../../ui/legal.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Logo } from '../../ui/logo.tsx'
import { MethodIcon } from '../../ui/method-icon.tsx'
import { enter } from '../../ui/panel.tsx'
import { Row } from '../../ui/row.tsx'
import { faded, useEdges } from '../../ui/use-edges.ts'
import { useWords } from '../../ui/words.tsx'

/** One way to log in. The e-mail method is a field, or a row that leads to it. */
export interface LandingMethod {
  id: string
  kind: 'email-field' | 'row'
  /** Needed for every row but that of the e-mail. */
  label?: string | undefined
  /** 'mail', or path data drawn on 24 by 24; without either the label's initial stands there. */
  icon?: string | undefined
  /** The way in used last. */
  recent: boolean
}
export interface LandingProps {
  app: { name: string; logoUrl?: string | undefined }
  /** Instead of 'Log in or sign up'. */
  header?: string | undefined
  message?: string | undefined
  page: 'main' | 'more'
  methods: readonly LandingMethod[]
  /** 'More options' leads to the rest. */
  more: boolean
  email?: { value: string; plusAllowed: boolean; error?: string | undefined } | undefined
  legal?: LegalUrls | undefined
}
export type LandingAnswer = { email: string } | { method: string } | 'more' | 'back'

/** Where a login begins: the app, the ways in, and what one agrees to. Spec §2 "Landing". */
export const landing = defineScreen<LandingProps, LandingAnswer>('landing', {
  view: Landing,
  size: 'full',
  back: ({ page }) => page === 'more',
})

function Landing(props: LandingProps & Answering<LandingAnswer>): ReactNode {
  const { app, header, message, page, methods, more, email, legal, busy, answer } = props
  const t = useWords()
  const typed = useRef<string>(undefined)
  const pages = useRef(page)
  const turned = pages.current !== page || pages.current === 'more'
  const list = <Methods {...{ methods, email, busy, answer, typed }} />
  return (
    <>
      {page === 'more' ? (
        <Body key="more" title={t('login.more')} fit>
          <div css={[column, enter(false)]}>{list}</div>
        </Body>
      ) : (
        <Body key="main" fit>
          <Hero
            art={
              <slot name="logo">
                <Logo name={app.name} url={app.logoUrl} />
              </slot>
            }
            title={header ?? t('login.header')}
          >
            {message}
          </Hero>
          <div css={turned ? [column, enter(true)] : column}>
            {list}
            <slot name="method" />
            {more && (
              <LinkButton
                onward
                busy={busy === 'more'}
                disabled={busy !== undefined}
                onClick={() => answer('more')}
              >
                {t('login.more')}
              </LinkButton>
            )}
          </div>
        </Body>
      )}
      <Footer>
        <slot name="legal">
          <Legal {...legal} />
        </slot>
      </Footer>
    </>
  )
}

type MethodsProps = Pick<LandingProps, 'methods' | 'email'> &
  Answering<LandingAnswer> & { typed: { current: string | undefined } }
function Methods({ methods, email, busy, answer, typed }: MethodsProps) {
  const t = useWords()
  const box = useRef<HTMLDivElement>(null)
  useEdges(box)
  const working = (id: string) => typeof busy === 'object' && 'method' in busy && busy.method === id
  const emailBusy = typeof busy === 'object' && 'email' in busy
  return (
    <div ref={box} css={[list, giving(48 * Math.min(3, methods.length))]}>
      {methods.map(({ id, kind, label, icon, recent }, i) => {
        const chip = recent && <Chip>{t('login.recent')}</Chip>
        return kind === 'email-field' ? (
          <EmailField
            key={id}
            value={typed.current ?? email?.value ?? ''}
            plusAllowed={email?.plusAllowed ?? true}
            error={email?.error}
            asked={answer}
            busy={emailBusy}
            inert={busy !== undefined && !emailBusy}
            chip={chip}
            below={i < methods.length - 1 ? <Or /> : undefined}
            onType={(value) => {
              typed.current = value
            }}
            onSubmit={(address) => answer({ email: address })}
          />
        ) : (
          <Row
            key={id}
            icon={<MethodIcon icon={icon} label={label ?? id} />}
            label={label ?? t('login.email.continue')}
            chip={chip}
            busy={working(id)}
            inert={busy !== undefined && !working(id)}
            onClick={() => answer({ method: id })}
          />
        )
      })}
    </div>
  )
}

/** Between the e-mail field and the other ways in, in the line that is kept for the field's error. */
function Or() {
  const t = useWords()
  return <div css={or}>{t('login.or')}</div>
}

const column: CSSObject = { display: 'flex', flexDirection: 'column', gap: 12, ...giving() }
const list: CSSObject = {
  ...faded,
  display: 'flex',
  flexDirection: 'column',
  gap: 8,
  maxHeight: limits.landingListHeight,
  '& > *': { flex: 'none' },
}
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

const email: LandingMethod = { id: 'email', kind: 'email-field', recent: false }
const recentEmail: LandingMethod = { id: 'email', kind: 'email-field', recent: true }
const row = (id: string, label = id, icon?: string): LandingMethod => ({
  id,
  kind: 'row',
  label,
  icon,
  recent: false,
})
const sms = row('sms', 'Continue with phone', smartphone)
const ownWallet = row('wallet', 'Continue with a wallet', wallet)
const passkey = row('passkey', 'I have a passkey', keyRound)
const rest = /* @__PURE__ */ [
  'Apple',
  'Discord',
  'Farcaster',
  'GitHub',
  'Google',
  'LinkedIn',
  'Spotify',
  'Telegram',
  'TikTok',
  'Twitter',
].map((name) => row(name))
const wide =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 180 48"%3E%3Cg fill="%230E9F8A"%3E%3Cpath d="M12 30a14 14 0 0 1 28 0zM12 34h28l-4 6H16z"/%3E%3Ctext x="52" y="36" font-family="sans-serif" font-weight="700" font-size="30"%3EHarbor%3C/text%3E%3C/g%3E%3C/svg%3E'
const basic: LandingProps = {
  app: { name: 'Harbor', logoUrl: wide },
  page: 'main',
  methods: [email],
  more: false,
  email: { value: '', plusAllowed: true },
  legal: { termsUrl: 'https://harbor.example/terms', privacyUrl: 'https://harbor.example/privacy' },
}
const several: LandingProps = {
  ...basic,
  app: { name: 'Harbor' },
  methods: [email, sms, ownWallet, passkey],
  more: true,
}
const collapsed: LandingMethod = { id: 'email', kind: 'row', icon: 'mail', recent: true }
export const examples = {
  'email only': { props: basic },
  'email only, no logo, no legal': { props: { ...basic, app: { name: 'Harbor' }, legal: undefined } },
  'several methods': { props: several },
  'email recent': {
    props: { ...several, methods: [recentEmail, sms, ownWallet, passkey] },
  },
  'email collapsed': { props: { ...several, methods: [collapsed, sms, ownWallet, passkey] } },
  prefilled: { props: { ...basic, email: { value: 'ada@harbor.example', plusAllowed: true } } },
  'plus refused': {
    props: {
      ...several,
      email: {
        value: 'ada+news@harbor.example',
        plusAllowed: false,
        error: "Please enter a valid email address without a '+'.",
      },
    },
  },
  'busy with the email': {
    props: { ...several, email: { value: 'ada@harbor.example', plusAllowed: true } },
    busy: { email: 'ada@harbor.example' },
  },
  'busy with a method': { props: several, busy: { method: 'wallet' } },
  'busy with more': { props: several, busy: 'more' },
  'more options': {
    props: {
      ...several,
      page: 'more',
      more: false,
      methods: rest,
    },
  },
  'terms only': { props: { ...basic, legal: { termsUrl: 'https://harbor.example/terms' } } },
  'longest words': {
    props: {
      ...several,
      app: {
        name: 'Genossenschaftliche Energieversorgung Oberland',
        logoUrl: 'https://logo.invalid/none.png',
      },
      header: 'Anmelden oder neues Kundenkonto bei der Energieversorgung anlegen',
      message:
        'Mit Ihrem Kundenkonto sehen Sie Verträge, Zählerstände und Rechnungen an einem einzigen Ort, immer.',
      methods: [
        recentEmail,
        { id: 'sms', kind: 'row', label: 'Mit der hinterlegten Mobilfunknummer fortfahren', recent: false },
        {
          id: 'energie',
          kind: 'row',
          label: 'Mit dem Konto der Energiegenossenschaft anmelden',
          recent: false,
        },
        { id: 'wallet', kind: 'row', label: 'Mit einer Wallet fortfahren', recent: false },
      ],
    },
  },
} satisfies Examples<typeof landing>
