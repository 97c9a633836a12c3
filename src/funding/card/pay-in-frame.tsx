import type { CSSObject } from '@emotion/react'
import { useEffect, useRef } from 'react'
import { color, radius } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { type PaymentFrameMessage, readPaymentFrame } from '../../protocol/outside/coinbase-frame.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Content } from '../../ui/layout/content.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { networkRow } from '../../ui/wallet/network-row.tsx'
import { moneyRows } from './money-rows.tsx'

export interface PayInFrameProps {
  provider: string
  /** Address of the provider's frame; another one loads it anew. */
  url: string
  /** `failed`: it can't be loaded. */
  state: 'loading' | 'loaded' | 'failed'
  /** The amount that is bought, with its symbol. */
  amount?: string | undefined
  total?: string | undefined
  /** CAIP-2 */
  chain: string
  network: string
  /** Why the latest attempt to pay has not succeeded. */
  problem?: string | undefined
}
export type PayInFrameAnswer = { readonly frame: PaymentFrameMessage } | 'retry' | 'back'

/** The provider's own payment, in the dialog: the press that pays has to be in their frame. */
export const payInFrame = defineScreen<PayInFrameProps, PayInFrameAnswer>('funding-frame', {
  view: PayInFrame,
  back: true,
})

function PayInFrame(props: PayInFrameProps & Answering<PayInFrameAnswer>) {
  const { provider, url, state, chain, network, busy, answer } = props
  const t = useWords()
  const isFailed = state === 'failed'
  const problem = busy === undefined ? props.problem : undefined
  useAnnounced(isFailed ? t('funding.purchase.frame.failed') : problem, 'alert')
  const frame = useRef<HTMLIFrameElement>(null)
  const tell = useRef(answer)
  tell.current = answer
  useEffect(() => {
    const { origin } = new URL(url)
    const hear = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow || event.origin !== origin) return
      const said = readPaymentFrame(event.data)
      if (said) tell.current({ frame: said })
    }
    window.addEventListener('message', hear)
    return () => window.removeEventListener('message', hear)
  }, [url])
  return (
    <>
      <Body title={t('funding.purchase.title')}>
        <Content gap={16}>
          <Details
            rows={[...moneyRows(t, props), networkRow(t('funding.receive.network'), chain, network)]}
          />
          {problem && <Banner tone="warning">{problem}</Banner>}
          {!isFailed && (
            <div css={place}>
              {state === 'loading' && (
                <div css={cover} role="img" aria-label={t('funding.purchase.frame.loading')}>
                  <Skeleton height={48} round={12} />
                </div>
              )}
              <iframe
                key={url}
                ref={frame}
                css={box}
                src={url}
                title={t('funding.purchase.frame', { provider })}
                allow="payment"
                referrerPolicy="strict-origin"
                // Their own page, with what a payment needs. It may neither leave nor cover ours.
                sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"
              />
            </div>
          )}
        </Content>
      </Body>
      {isFailed && (
        <Footer>
          {busy === undefined && <Banner tone="danger">{t('funding.purchase.frame.failed')}</Banner>}
          <AnswerButton gives="retry" busy={busy} answer={answer}>
            {t('common.retry')}
          </AnswerButton>
        </Footer>
      )}
    </>
  )
}

const HEIGHT = 340
const place: CSSObject = {
  position: 'relative',
  minHeight: HEIGHT,
  border: `1px solid ${color('border')}`,
  borderRadius: radius(12),
  overflow: 'hidden',
  background: color('surface-sunken'),
}
const cover: CSSObject = { position: 'absolute', inset: 0, padding: 16, pointerEvents: 'none' }
const box: CSSObject = { display: 'block', width: '100%', height: HEIGHT, border: 0, colorScheme: 'normal' }
