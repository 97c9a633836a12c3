import type { CSSObject } from '@emotion/react'
import { type ReactNode, useRef } from 'react'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { LinkButton } from '../../ui/actions/link-button.tsx'
import { Legal } from '../../ui/brand/legal.tsx'
import { Logo } from '../../ui/brand/logo.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Body, Footer, giving } from '../../ui/layout/layout.tsx'
import { enter } from '../../ui/panel/panel.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { type LandingAnswer, type LandingProps, Methods, nameOf, type Typed } from './landing-methods.tsx'
import { landingLimits } from './limits.ts'

export type { LandingAnswer, LandingMethod, LandingProps } from './landing-methods.tsx'

/** Where a login begins: the app, the login methods, and what one agrees to. */
export const landing = defineScreen<LandingProps, LandingAnswer>('landing', {
  view: Landing,
  size: ({ page, methods, more, passkey }) =>
    page === 'main' &&
    methods.length + (more === 'options' ? 1 : 0) + (passkey ? 1 : 0) <= landingLimits.shortList
      ? 'compact'
      : 'full',
  back: ({ page }) => page === 'more',
  opens: (answer, { methods }) =>
    typeof answer === 'object' &&
    'method' in answer &&
    methods.some(({ id, opens }) => id === answer.method && opens),
})

function Landing(props: LandingProps & Answering<LandingAnswer>): ReactNode {
  const { app, header, message, page, more, passkey, legal, busy, answer } = props
  const t = useWords()
  const typed = useRef<Typed>({})
  const pages = useRef(page)
  const turned = pages.current !== page || pages.current === 'more'
  const list = <Methods {...props} typed={typed.current} />
  const link = (id: string, label: string, to: LandingAnswer, onward?: 'page') => (
    <LinkButton
      onward={onward}
      busy={id === nameOf(busy)}
      disabled={busy !== undefined}
      onClick={() => answer(to)}
    >
      {label}
    </LinkButton>
  )
  return (
    <>
      {page === 'more' ? (
        <Body key="more" title={t(more === 'socials' ? 'login.socials' : 'login.more')} fit>
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
            {more === 'options' && link('more', t('login.more'), 'more', 'page')}
            {passkey && link('passkey', t('login.passkey'), { method: 'passkey' })}
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

const column: CSSObject = { display: 'flex', flexDirection: 'column', gap: 12, ...giving() }
