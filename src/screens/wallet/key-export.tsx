import type { CSSObject } from '@emotion/react'
import { useEffect, useRef } from 'react'
import { color, quick, radius, type TokenName } from '../../../styles/tokens.ts'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { AddressCard } from '../../ui/address-card.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Content } from '../../ui/content.tsx'
import { Body, Footer } from '../../ui/layout.tsx'
import { useAnnounced } from '../../ui/panel-context.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useWords } from '../../ui/words.tsx'
import type { ExportColor, ExportLook } from '../../wire/frame/export.ts'

export interface KeyExportProps {
  address: string
  chainType: 'ethereum' | 'solana'
  /** The page that shows the key: it draws itself into the place that it is given, and is taken out by what it returns. */
  frame: { mount(into: HTMLElement, look: ExportLook): () => void } | undefined
  state: 'loading' | 'ready' | 'failed'
  error?: string | undefined
  /** There is a key only, and no phrase. */
  imported: boolean
}
export type KeyExportAnswer = 'close' | 'retry'

/** Where a person takes the key of a wallet along; we never see it. Spec §2 "Key export". */
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
          <Button busy={busy === 'retry'} disabled={busy !== undefined} onClick={() => answer('retry')}>
            {t('common.retry')}
          </Button>
        )}
        <Button
          kind="secondary"
          busy={busy === 'close'}
          disabled={busy !== undefined}
          onClick={() => answer('close')}
        >
          {t('common.close')}
        </Button>
      </Footer>
    </>
  )
}

/** Where the frame stands. It is put there once: a frame that is moved is loaded anew. */
function Place({ frame, ready }: { frame: KeyExportProps['frame']; ready: boolean }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (place.current) return frame?.mount(place.current, lookOf(place.current))
  }, [frame])
  return <div ref={place} css={[room, !ready && { visibility: 'hidden' }]} />
}

/** The frame knows no style of this page: it is told the colours that count here, whoever has set them. */
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

/** Stands for the page of the vault, which has no place in a gallery. */
const stand: NonNullable<KeyExportProps['frame']> = {
  mount(into) {
    const box = document.createElement('div')
    box.textContent = 'The page of the vault'
    into.append(box)
    return () => box.remove()
  },
}
const rest: KeyExportProps = {
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  chainType: 'ethereum',
  frame: stand,
  state: 'ready',
  imported: false,
}
const failed: KeyExportProps = {
  ...rest,
  state: 'failed',
  error: 'The wallet can’t be reached. A content blocker or the page’s security policy may stop it.',
}
export const examples = {
  loading: { props: { ...rest, state: 'loading' } },
  ready: { props: rest },
  'imported, Solana': {
    props: {
      ...rest,
      address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
      chainType: 'solana',
      imported: true,
    },
  },
  failed: { props: failed },
  'failed without a reason': { props: { ...failed, error: undefined } },
  retrying: { props: failed, busy: 'retry' },
  closing: { props: rest, busy: 'close' },
} satisfies Examples<typeof keyExport>
