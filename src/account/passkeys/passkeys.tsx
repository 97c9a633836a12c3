import { useState } from 'react'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { LinkButton } from '../../ui/actions/link-button.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { fingerprint, plus } from '../../ui/icons/lucide.ts'
import { Content } from '../../ui/layout/content.tsx'
import { Body, Footer, Note } from '../../ui/layout/layout.tsx'
import { Card } from '../../ui/layout/section.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { accountLimits } from '../limits.ts'
import type { Shown } from '../shown.ts'
import { ShownRow } from '../shown-row.tsx'

export interface PasskeysProps {
  passkeys: readonly Shown[]
  /** Shows all of them from the start. */
  expanded: boolean
  /** The person came from a larger screen. */
  canGoBack: boolean
}
export type PasskeysAnswer = { readonly passkey: string } | 'add' | 'back'

/** The passkeys of a person. */
export const passkeys = defineScreen<PasskeysProps, PasskeysAnswer>('passkeys', {
  view: Passkeys,
  size: ({ passkeys }) => (passkeys.length <= accountLimits.shortList ? 'compact' : 'full'),
  back: ({ canGoBack }) => canGoBack,
})

function Passkeys({ passkeys, expanded, busy, answer }: PasskeysProps & Answering<PasskeysAnswer>) {
  const t = useWords()
  const [all, setAll] = useState(expanded)
  const shown = all ? passkeys : passkeys.slice(0, accountLimits.passkeysAtFirst)
  const full = passkeys.length >= accountLimits.passkeys
  return (
    <>
      <Body title={t('settings.passkeys')}>
        {passkeys.length === 0 ? (
          <Empty icon={fingerprint} text={t('settings.passkeys.none')} />
        ) : (
          <Content>
            <Card>
              {shown.map((each) => {
                const mine = typeof busy === 'object' && busy.passkey === each.key
                return (
                  <ShownRow
                    key={each.key}
                    shown={each}
                    busy={mine}
                    inert={busy !== undefined && !mine}
                    onClick={() => answer({ passkey: each.key })}
                  />
                )
              })}
            </Card>
            {shown.length < passkeys.length && (
              <LinkButton onward="below" disabled={busy !== undefined} onClick={() => setAll(true)}>
                {t('settings.passkeys.all')}
              </LinkButton>
            )}
          </Content>
        )}
      </Body>
      <Footer>
        {full ? (
          <Note>{t('account.link.limitPasskeys')}</Note>
        ) : (
          <AnswerButton gives="add" busy={busy} answer={answer} icon={plus}>
            {t('settings.passkeys.add')}
          </AnswerButton>
        )}
      </Footer>
    </>
  )
}
