import type { CSSObject } from '@emotion/react'
import { useEffect, useRef, useState } from 'react'
import { color } from '../../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { AnswerButton } from '../../../ui/actions/button.tsx'
import { CopyOrDownload } from '../../../ui/actions/copy-or-download.tsx'
import { downloadText } from '../../../ui/actions/download.ts'
import { IconButton } from '../../../ui/actions/icon-button.tsx'
import { useCopy } from '../../../ui/actions/use-copy.ts'
import { eye, eyeOff, keyRound } from '../../../ui/icons/lucide.ts'
import { Content } from '../../../ui/layout/content.tsx'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer, Note } from '../../../ui/layout/layout.tsx'
import { cardValue, secretCard } from '../../../ui/layout/value-card.ts'
import { useWords } from '../../../ui/text/words.tsx'
import { walletsLimits } from '../../limits.ts'

export interface SavePasswordProps {
  password: string
  /** The page that the wallet is for; without it, this one. */
  site?: string | undefined
  cancellable?: boolean | undefined
}

export type SavePasswordAnswer = 'continue' | 'back'

/** The second step of setting a password: saving it. */
export const savePassword = defineScreen<SavePasswordProps, SavePasswordAnswer>('save-password', {
  view: SavePassword,
  size: 'compact',
  back: true,
  closable: ({ cancellable = true }) => cancellable,
})

function SavePassword({ password, site, busy, answer }: SavePasswordProps & Answering<SavePasswordAnswer>) {
  const t = useWords()
  const place = useRef<HTMLElement>(null)
  const [shown, setShown] = useState(false)
  const [copied, press] = useCopy(password, { secret: true })
  const refused = copied === 'refused'
  useEffect(() => {
    if (refused) setShown(true)
  }, [refused])
  useEffect(() => {
    // Only visible text can be selected.
    if (refused && shown && place.current) getSelection()?.selectAllChildren(place.current)
  }, [refused, shown])
  const off = busy !== undefined
  const save = () =>
    downloadText(
      `${t('password.save.file')}.txt`,
      t('password.save.fileText', { site: site ?? location.host, password }),
    )
  return (
    <>
      <Body step={[2, walletsLimits.passwordSteps]}>
        <Hero art={<Circle icon={keyRound} />} title={t('password.save.title')}>
          {t('password.save.text')}
        </Hero>
        <Content>
          <div css={card}>
            <bdi ref={place} css={shown ? cardValue : [cardValue, veiled]}>
              {shown ? password : '•'.repeat(12)}
            </bdi>
            <IconButton
              icon={shown ? eyeOff : eye}
              name={t(shown ? 'password.hide' : 'password.show')}
              disabled={off}
              onClick={() => setShown(!shown)}
            />
          </div>
          <CopyOrDownload
            copied={copied === 'copied'}
            onCopy={press}
            download={t('password.save.download')}
            onDownload={save}
            disabled={off}
          />
          <Note>{t(refused ? 'common.copyFailed' : 'password.save.clearing')}</Note>
        </Content>
      </Body>
      <Footer>
        <AnswerButton gives="continue" busy={busy} answer={answer}>
          {t('common.continue')}
        </AnswerButton>
      </Footer>
    </>
  )
}

const card: CSSObject = { ...secretCard, minHeight: 48 }
const veiled: CSSObject = { color: color('text-muted'), letterSpacing: 2, userSelect: 'none' }
