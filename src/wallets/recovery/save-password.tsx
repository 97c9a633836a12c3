import type { CSSObject } from '@emotion/react'
import { useEffect, useRef, useState } from 'react'
import { color, isolated, mono, radius, text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Button } from '../../ui/actions/button.tsx'
import { downloadText } from '../../ui/actions/download.ts'
import { IconButton } from '../../ui/actions/icon-button.tsx'
import { useCopy } from '../../ui/actions/use-copy.ts'
import { download, eye, eyeOff, keyRound } from '../../ui/icons/lucide.ts'
import { copy } from '../../ui/icons/notices.ts'
import { Content } from '../../ui/layout/content.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer, Note } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'

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
      <Body>
        <Hero art={<Circle icon={keyRound} />} title={t('password.save.title')}>
          {t('password.save.text')}
        </Hero>
        <Content>
          <div css={card}>
            <bdi ref={place} css={shown ? secret : [secret, veiled]}>
              {shown ? password : '•'.repeat(12)}
            </bdi>
            <IconButton
              icon={shown ? eyeOff : eye}
              name={t(shown ? 'password.hide' : 'password.show')}
              disabled={off}
              onClick={() => setShown(!shown)}
            />
          </div>
          <div css={pair}>
            <Button
              kind="secondary"
              size="medium"
              icon={copy}
              disabled={off}
              success={copied === 'copied' && t('common.copied')}
              onClick={press}
            >
              {t('common.copy')}
            </Button>
            <Button kind="secondary" size="medium" icon={download} disabled={off} onClick={save}>
              {t('password.save.download')}
            </Button>
          </div>
          <Note>{t(refused ? 'common.copyFailed' : 'password.save.clearing')}</Note>
        </Content>
      </Body>
      <Footer>
        <Button busy={busy === 'continue'} disabled={off} onClick={() => answer('continue')}>
          {t('common.continue')}
        </Button>
      </Footer>
    </>
  )
}

const card: CSSObject = {
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 12,
  minHeight: 48,
  paddingBlock: 7,
  paddingInline: '15px 7px',
  border: '1px solid transparent',
  borderRadius: radius(12),
  background: color('surface-sunken'),
  color: color('text-muted'),
}

const secret: CSSObject = {
  ...text('detail'),
  ...isolated,
  minWidth: 0,
  fontFamily: mono,
  color: color('text'),
  overflowWrap: 'anywhere',
  userSelect: 'all',
}

const veiled: CSSObject = { color: color('text-muted'), letterSpacing: 2, userSelect: 'none' }

/** Side by side, unless the text is too large for that. */
const pair: CSSObject = { display: 'flex', flexWrap: 'wrap', gap: 8, '& > *': { flex: '1 1 0' } }
