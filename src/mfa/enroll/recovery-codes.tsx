import type { CSSObject } from '@emotion/react'
import { useRef } from 'react'
import { edge } from '../../../styles/edge.ts'
import { color, isolated, mono, radius, tabular, text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Button } from '../../ui/actions/button.tsx'
import { CopyOrDownload } from '../../ui/actions/copy-or-download.tsx'
import { downloadText } from '../../ui/actions/download.ts'
import { useCopy } from '../../ui/actions/use-copy.ts'
import { keyRound } from '../../ui/icons/lucide.ts'
import { Content } from '../../ui/layout/content.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer, Note } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'

export interface RecoveryCodesProps {
  codes: readonly string[]
  appName: string
}

/** New recovery codes, which are shown this once. */
export const recoveryCodes = defineScreen<RecoveryCodesProps, 'saved'>('mfa-recovery-codes', {
  view: RecoveryCodes,
})

function RecoveryCodes({ codes, appName, busy, answer }: RecoveryCodesProps & Answering<'saved'>) {
  const t = useWords()
  const place = useRef<HTMLOListElement>(null)
  const [copied, press] = useCopy(codes.join('\n'), { shown: place })
  const save = () =>
    downloadText(
      `${t('mfa.codes.file')}.txt`,
      t('mfa.codes.fileText', { app: appName, codes: codes.join('\n') }),
    )
  return (
    <>
      <Body>
        <Hero art={<Circle icon={keyRound} />} title={t('mfa.codes.title')}>
          {t('mfa.codes.text')}
        </Hero>
        <Content>
          <ol ref={place} css={card} aria-label={t('mfa.codes.list')}>
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ol>
        </Content>
      </Body>
      <Footer>
        {copied === 'refused' && <Note>{t('common.copyFailed')}</Note>}
        {/* Not below the codes: on a small screen nobody would see it before they say that they have saved them. */}
        <CopyOrDownload
          copied={copied === 'copied'}
          onCopy={press}
          download={t('mfa.codes.download')}
          onDownload={save}
          disabled={busy !== undefined}
        />
        <Button busy={busy === 'saved'} onClick={() => answer('saved')}>
          {t('mfa.codes.saved')}
        </Button>
      </Footer>
    </>
  )
}

const card: CSSObject = {
  ...text('detail'),
  ...tabular,
  ...isolated,
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit,minmax(calc(110px*var(--lk-text-scale,1)),1fr))',
  justifyItems: 'center',
  gap: '8px 12px',
  margin: 0,
  padding: 15,
  border: edge,
  borderRadius: radius(12),
  background: color('surface-sunken'),
  color: color('text'),
  fontFamily: mono,
  listStyle: 'none',
  userSelect: 'text',
}
