import type { CSSObject } from '@emotion/react'
import { Fragment, useRef } from 'react'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { CopyButton } from '../../ui/actions/copy-button.tsx'
import { triangleAlert } from '../../ui/icons/notices.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { cardValue, valueCard } from '../../ui/layout/value-card.ts'
import { useWords } from '../../ui/text/words.tsx'

export interface InAppBrowserProps {
  /** The page's address, to be opened in another browser. */
  address: string
}

export type InAppBrowserAnswer = 'back'

/** A provider that refuses logins inside of other apps. */
export const inAppBrowser = defineScreen<InAppBrowserProps, InAppBrowserAnswer>('in-app-browser', {
  view: InAppBrowser,
  size: 'compact',
  back: true,
})

function InAppBrowser({ address, busy, answer }: InAppBrowserProps & Answering<InAppBrowserAnswer>) {
  const t = useWords()
  const shown = useRef<HTMLElement>(null)
  return (
    <>
      <Body>
        <Hero art={<Circle icon={triangleAlert} tone="warning" />} title={t('oauth.inApp.title')}>
          {t('oauth.inApp.detail')}
        </Hero>
        <div css={valueCard} data-card>
          <bdi css={where} ref={shown}>
            {address.split(/\b(?=[/?&])/).map((part, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other identity
              <Fragment key={i}>
                {part}
                <wbr />
              </Fragment>
            ))}
          </bdi>
          <CopyButton value={address} name={t('oauth.inApp.copy')} shown={shown} />
        </div>
      </Body>
      <Footer>
        <AnswerButton gives="back" busy={busy} answer={answer} kind="secondary">
          {t('oauth.otherWay')}
        </AnswerButton>
      </Footer>
    </>
  )
}

const where: CSSObject = {
  ...cardValue,
  // An address of any length: its beginning shows which page it is, and copying takes all of it.
  display: '-webkit-box',
  WebkitBoxOrient: 'vertical',
  WebkitLineClamp: 3,
  overflow: 'hidden',
}
