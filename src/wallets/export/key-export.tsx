import type { CSSObject } from '@emotion/react'
import { useEffect, useRef } from 'react'
import { color, quick, radius, type TokenName } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import type { ExportColor, ExportLook } from '../../protocol/frame/export.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Content } from '../../ui/layout/content.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'
import { AddressCard } from '../../ui/wallet/address-card.tsx'

export interface KeyExportProps {
  address: string
  chainType: 'ethereum' | 'solana'
  /** Puts the page with the key into an element; returns what removes it. */
  frame: { mount(into: HTMLElement, look: ExportLook): () => void } | undefined
  state: 'loading' | 'ready' | 'failed'
  error?: string | undefined
  /** There is a key only, and no phrase. */
  imported: boolean
}

export type KeyExportAnswer = 'close' | 'retry'

/** Where a person takes a wallet's key along; we never see it. */
export const keyExport = defineScreen<KeyExportProps, KeyExportAnswer>('key-export', { view: KeyExport })

function KeyExport(props: KeyExportProps & Answering<KeyExportAnswer>) {
  const { address, frame, state, error, imported, busy, answer } = props
  const t = useWords()
  const failed = state === 'failed'
  const problem = failed ? (error ?? t('export.failed')) : undefined
  useAnnounced(problem, 'alert')
  useAnnounced(state === 'ready' && t('export.ready'))
  return (
    <>
      <Body title={t('export.title')} subtitle={t('export.text')}>
        <Content gap={12}>
          <AddressCard address={address} />
          <Banner tone="warning">{t(imported ? 'export.warningImported' : 'export.warning')}</Banner>
          <div css={[stage, failed && { display: 'none' }]}>
            <Place key={address} frame={frame} ready={state === 'ready'} />
            {state === 'loading' && (
              <div css={placeholder} role="img" aria-label={t('export.loading')}>
                <Skeleton height={44} round={12} />
                <Skeleton height={44} round={12} />
                <Skeleton height={12} width="60%" />
              </div>
            )}
          </div>
        </Content>
      </Body>
      <Footer>
        {problem && <Banner tone="danger">{problem}</Banner>}
        {failed && (
          <AnswerButton gives="retry" busy={busy} answer={answer}>
            {t('common.retry')}
          </AnswerButton>
        )}
        <AnswerButton gives="close" busy={busy} answer={answer} kind="secondary">
          {t('common.close')}
        </AnswerButton>
      </Footer>
    </>
  )
}

/** The place of the frame. The frame is put there once, because moving reloads it. */
function Place({ frame, ready }: { frame: KeyExportProps['frame']; ready: boolean }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (place.current) return frame?.mount(place.current, lookOf(place.current))
  }, [frame])
  return <div ref={place} css={[room, !ready && { visibility: 'hidden' }]} />
}

/** The frame knows none of this page's styles, so it gets the colours that apply here. */
const tokens = {
  background: 'surface',
  background2: 'surface-sunken',
  foreground3: 'text-muted',
  foregroundAccent: 'on-accent',
  accent: 'accent',
  accentDark: 'accent-hover',
  success: 'success-text',
} as const satisfies Record<ExportColor, TokenName>

function lookOf(place: HTMLElement): ExportLook {
  const probe = document.createElement('span')
  place.append(probe)
  const colors = Object.fromEntries(
    Object.entries(tokens).map(([name, token]) => {
      probe.style.color = color(token)
      return [name, getComputedStyle(probe).color]
    }),
  ) as ExportLook['colors']
  probe.remove()
  return { colors, width: `${place.clientWidth}px` }
}

const HEIGHT = 248

const stage: CSSObject = { position: 'relative', display: 'grid', minHeight: HEIGHT }

const room: CSSObject = {
  display: 'grid',
  '& > *': { display: 'block', width: '100%', height: '100%', minHeight: HEIGHT, border: 0 },
}

const placeholder: CSSObject = {
  position: 'absolute',
  inset: 0,
  display: 'flex',
  flexDirection: 'column',
  gap: 8,
  paddingBlock: 8,
  borderRadius: radius(12),
  background: color('surface'),
  transition: quick('opacity'),
}

/** Replaces the vault's page, which the gallery does not have. */
const stand: NonNullable<KeyExportProps['frame']> = {
  mount(into) {
    const box = document.createElement('div')
    box.textContent = 'The page of the vault'
    into.append(box)
    return () => box.remove()
  },
}

export const rest: KeyExportProps = {
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  chainType: 'ethereum',
  frame: stand,
  state: 'ready',
  imported: false,
}

export const failed: KeyExportProps = {
  ...rest,
  state: 'failed',
  error: "We can't reach your wallet. A content blocker or this page's security policy may be blocking it.",
}
