import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { TransactionHash } from '../../signing/transaction/transaction-hash.tsx'
import { AnswerButton, Button } from '../../ui/actions/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { StatusLine } from '../../ui/feedback/status-line.tsx'
import { creditCard, landmark } from '../../ui/icons/funding.ts'
import { userRound } from '../../ui/icons/lucide.ts'
import { Circle, Outcome } from '../../ui/layout/hero-art.tsx'
import { Joined } from '../../ui/layout/joined.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { paragraph } from '../../ui/layout/paragraph.ts'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { unbroken } from '../../ui/text/breakable.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { networkRow } from '../../ui/wallet/network-row.tsx'
import { moneyRows } from './money-rows.tsx'
import type { PurchaseKind } from './offers.ts'

/**
 * How far a purchase is. `window`: the user pays in the provider's window. `closed`: they have closed it, and nothing is paid as far as
 * the provider says. `blocked`: the browser has not opened it. `bank`: the bank asks them.
 */
export type PurchasePhase = 'window' | 'closed' | 'blocked' | 'bank' | 'processing' | 'done'

export interface PurchaseStatusProps {
  kind: PurchaseKind
  phase: PurchasePhase
  /** Its name, for people. */
  provider: string
  /** The amount that is bought, with its symbol; `undefined` where only the provider knows. */
  amount?: string | undefined
  /** Everything that is paid, with its currency. */
  total?: string | undefined
  /** The wallet that it comes to. */
  address: string
  /** CAIP-2 */
  chain: string
  network: string
  /** Address of the provider's page, where the browser has not opened it. */
  link?: string | undefined
  /** Hash of the payment to the wallet. */
  hash?: string | undefined
  explorerUrl?: string | undefined
  /** Why opening it again has failed. */
  error?: string | undefined
}
export type PurchaseStatusAnswer = 'open' | 'close' | 'back'

/** Phases in which the payment can still be abandoned. */
const isOpen = ({ phase }: PurchaseStatusProps) =>
  phase === 'window' || phase === 'closed' || phase === 'blocked'

/** The progress of a purchase at a provider. */
export const purchaseStatus = defineScreen<PurchaseStatusProps, PurchaseStatusAnswer>('funding-status', {
  view: PurchaseStatus,
  back: isOpen,
  opens: (answer) => answer === 'open',
})

function PurchaseStatus(props: PurchaseStatusProps & Answering<PurchaseStatusAnswer>) {
  const { kind, phase, provider, address, chain, network, link, hash, explorerUrl, busy, answer } = props
  const t = useWords()
  const error = busy === undefined ? props.error : undefined
  useAnnounced(error, 'alert')
  const icon = kind === 'card' ? creditCard : landmark
  const words: Record<PurchasePhase, readonly [title: string, text: string]> = {
    window: [t('funding.purchase.inProgress'), t('funding.purchase.inProgress.window', { provider })],
    closed: [t('funding.purchase.inProgress'), t('funding.purchase.inProgress.closed', { provider })],
    bank: [t('funding.purchase.inProgress'), t('funding.purchase.inProgress.bank', { provider })],
    blocked: [t('funding.purchase.blocked'), t('funding.purchase.blocked.text')],
    processing: [t('funding.purchase.processing'), t('funding.purchase.processing.text')],
    done: [t('funding.purchase.done'), t('funding.purchase.done.text')],
  }
  const [title, detail] = words[phase]
  useAnnounced(title)
  const isMoving = phase === 'window' || phase === 'bank'
  return (
    <>
      <Body title={t('funding.purchase.title')}>
        <State
          art={
            phase === 'done' ? (
              <Outcome is="success" />
            ) : isMoving ? (
              <Joined from={<Circle icon={userRound} />} to={<Circle icon={icon} />} />
            ) : (
              <Circle icon={icon} tone={phase === 'processing' ? 'accent' : 'warning'} />
            )
          }
          title={title}
        >
          {detail}
        </State>
        <div>
          <Details
            rows={[
              ...moneyRows(t, props),
              [t('funding.purchase.provider'), <bdi key="provider">{provider}</bdi>],
              networkRow(t('funding.receive.network'), chain, network),
              [
                t('funding.wallet'),
                <Address key="address" short>
                  {address}
                </Address>,
              ],
            ]}
          />
          {hash !== undefined && <TransactionHash hash={hash} explorerUrl={explorerUrl} />}
        </div>
        {phase === 'processing' && <StatusLine busy>{t('funding.purchase.with', { provider })}</StatusLine>}
      </Body>
      <Footer>
        {error && <Banner tone="danger">{error}</Banner>}
        {phase === 'blocked' && link !== undefined && (
          <Button href={link}>{t('funding.purchase.link', { provider })}</Button>
        )}
        {(phase === 'closed' || phase === 'window') && (
          <AnswerButton
            gives="open"
            busy={busy}
            answer={answer}
            kind={phase === 'closed' ? 'primary' : 'secondary'}
          >
            {t('funding.purchase.reopen', { provider })}
          </AnswerButton>
        )}
        {(phase === 'processing' || phase === 'bank' || phase === 'done') && (
          <AnswerButton
            gives="close"
            busy={busy}
            answer={answer}
            kind={phase === 'done' ? 'primary' : 'secondary'}
          >
            {t('funding.purchase.close')}
          </AnswerButton>
        )}
      </Footer>
    </>
  )
}

/** An outcome, below the title of the screen. */
function State({ art, title, children }: { art: ReactNode; title: string; children: string }) {
  return (
    <div css={state}>
      <div css={picture}>{art}</div>
      <h3 css={name}>{title}</h3>
      <p css={paragraph}>{unbroken(children)}</p>
    </div>
  )
}

const state: CSSObject = {
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  gap: 8,
  textAlign: 'center',
}
const picture: CSSObject = { display: 'grid', placeItems: 'center', minHeight: 64, marginBlockEnd: 8 }
const name: CSSObject = { ...text('hero'), margin: 0, textWrap: 'balance', overflowWrap: 'anywhere' }
