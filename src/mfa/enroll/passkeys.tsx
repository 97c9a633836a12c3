import type { CSSObject } from '@emotion/react'
import { useState } from 'react'
import { text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { FixedRow } from '../../ui/actions/fixed-row.tsx'
import { LinkButton } from '../../ui/actions/link-button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { plus } from '../../ui/icons/lucide.ts'
import { Content } from '../../ui/layout/content.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'
import { mfaLimits } from '../limits.ts'
import { FactorIcon, methodIcons } from '../method-icon.tsx'
import type { MfaPasskey } from '../methods.ts'

export interface MfaPasskeysProps {
  passkeys: readonly MfaPasskey[]
  /** The person is asked once more, where no page can bend what they see; nothing can be added there. */
  agreeing?: boolean
  error?: string | undefined
}
export type MfaPasskeysAnswer = 'enable' | 'add' | 'back'

/** Which passkeys become a second factor: all that the person has, with one more if they like. */
export const mfaPasskeys = defineScreen<MfaPasskeysProps, MfaPasskeysAnswer>('mfa-passkeys', {
  view: Passkeys,
  size: ({ passkeys }) => (passkeys.length === 0 ? 'compact' : 'full'),
  back: true,
})

function Passkeys({
  passkeys,
  agreeing = false,
  error,
  busy,
  answer,
}: MfaPasskeysProps & Answering<MfaPasskeysAnswer>) {
  const t = useWords()
  const [all, setAll] = useState(agreeing)
  const problem = busy === undefined ? error : undefined
  useAnnounced(problem, 'alert')
  const none = passkeys.length === 0
  const rows =
    all || passkeys.length <= mfaLimits.passkeyRows
      ? passkeys
      : passkeys.slice(0, mfaLimits.passkeyRowsOfMore)
  const off = busy !== undefined
  const add = (label: string, kind: 'primary' | 'secondary') => (
    <AnswerButton gives="add" busy={busy} answer={answer} kind={kind} icon={plus}>
      {label}
    </AnswerButton>
  )
  return (
    <>
      <Body>
        <Hero art={<Circle icon={methodIcons.passkey} />} title={t('mfa.passkeys.title')}>
          {t(`mfa.passkeys.${agreeing ? 'agree' : none ? 'none' : 'some'}`)}
        </Hero>
        {!none && (
          <Content>
            <ul css={list} aria-label={t('mfa.passkeys.list')}>
              {rows.map(({ id, name }) => (
                <li key={id}>
                  <FixedRow icon={<FactorIcon method="passkey" />} label={name} />
                </li>
              ))}
            </ul>
            {rows.length < passkeys.length && (
              <LinkButton onward="below" disabled={off} onClick={() => setAll(true)}>
                {t('mfa.passkeys.all')}
              </LinkButton>
            )}
          </Content>
        )}
      </Body>
      <Footer>
        {problem && <Banner tone="danger">{problem}</Banner>}
        {!none && (
          <AnswerButton gives="enable" busy={busy} answer={answer}>
            {t('mfa.passkeys.enable')}
          </AnswerButton>
        )}
        {none
          ? add(t('mfa.passkeys.first'), 'primary')
          : !agreeing && passkeys.length < mfaLimits.passkeys && add(t('mfa.passkeys.add'), 'secondary')}
      </Footer>
    </>
  )
}

const list: CSSObject = {
  ...text('label'),
  display: 'flex',
  flexDirection: 'column',
  gap: 8,
  margin: 0,
  padding: 0,
  listStyle: 'none',
}
