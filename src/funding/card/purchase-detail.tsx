import type { ReactNode } from 'react'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import type { PurchaseStatus } from '../../protocol/funding.ts'
import { TransactionHash } from '../../signing/transaction/transaction-hash.tsx'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { creditCard } from '../../ui/icons/funding.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle, Outcome } from '../../ui/layout/hero-art.tsx'
import { Body, Footer, Note } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { Figure } from '../../ui/text/figure.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { networkRow } from '../../ui/wallet/network-row.tsx'
import { methodWords } from './select-quote.tsx'

export interface PurchaseDetailProps {
  status: PurchaseStatus
  /** Why it failed, in words. */
  failure?: string | undefined
  provider: string
  method: string
  isSandbox: boolean
  /** The amount that is bought or was sent, with its symbol. */
  amount: string
  total?: string | undefined
  fee?: string | undefined
  address: string
  /** CAIP-2 */
  chain: string
  network: string
  when: string
  hash?: string | undefined
  explorerUrl?: string | undefined
  /** Actions that are possible now. */
  actions: readonly ('continue' | 'abandon')[]
  /** It continues in a window of the provider's. */
  inWindow: boolean
  error?: string | undefined
}
export type PurchaseDetailAnswer = 'continue' | 'abandon' | 'back'

/** A purchase, its outcome, and the actions that are still possible. */
export const purchaseDetail = defineScreen<PurchaseDetailProps, PurchaseDetailAnswer>('funding-purchase', {
  view: PurchaseDetail,
  back: true,
  opens: (answer, { inWindow }) => answer === 'continue' && inWindow,
})

function PurchaseDetail(props: PurchaseDetailProps & Answering<PurchaseDetailAnswer>) {
  const { status, failure, provider, amount, hash, explorerUrl, actions, busy, answer } = props
  const t = useWords()
  const error = busy === undefined ? props.error : undefined
  const state =
    status === 'failed'
      ? (failure ?? t('funding.purchase.failure.unknown', { provider }))
      : t(`funding.purchase.state.${status}`, { provider })
  useAnnounced(error, 'alert')
  useAnnounced(state)
  return (
    <>
      <Body>
        <Hero
          art={
            status === 'completed' ? (
              <Outcome is="success" />
            ) : status === 'failed' ? (
              <Outcome is="failure" />
            ) : (
              <Circle icon={creditCard} tone={status === 'abandoned' ? 'warning' : 'accent'} />
            )
          }
          title={t('funding.purchase.detail', { amount })}
        >
          {state}
        </Hero>
        <div>
          <Details rows={useFacts(props)} />
          {hash !== undefined && <TransactionHash hash={hash} explorerUrl={explorerUrl} />}
        </div>
      </Body>
      {(error || actions.length > 0) && (
        <Footer>
          {error && <Banner tone="danger">{error}</Banner>}
          {actions.includes('continue') && (
            <AnswerButton gives="continue" busy={busy} answer={answer}>
              {t('funding.purchase.continue', { provider })}
            </AnswerButton>
          )}
          {actions.includes('abandon') && (
            <>
              <AnswerButton gives="abandon" busy={busy} answer={answer} kind="ghost">
                {t('funding.purchase.abandon')}
              </AnswerButton>
              <Note>{t('funding.purchase.abandon.note')}</Note>
            </>
          )}
        </Footer>
      )}
    </>
  )
}

function useFacts(props: PurchaseDetailProps): readonly (readonly [label: string, value: ReactNode])[] {
  const { provider, method, isSandbox, total, fee, address, chain, network, when } = props
  const t = useWords()
  const fact = (label: string, value: ReactNode) => [label, value] as const
  return [
    fact(
      t('funding.purchase.provider'),
      <span key="provider">
        <bdi>{provider}</bdi>
        {isSandbox && ` · ${t('funding.card.sandbox')}`}
      </span>,
    ),
    fact(t('funding.purchase.method'), t(methodWords(method))),
    ...(total === undefined ? [] : [fact(t('funding.purchase.total'), <Figure key="total">{total}</Figure>)]),
    ...(fee === undefined ? [] : [fact(t('funding.purchase.fee'), <Figure key="fee">{fee}</Figure>)]),
    networkRow(t('funding.receive.network'), chain, network),
    fact(
      t('funding.wallet'),
      <Address key="address" short>
        {address}
      </Address>,
    ),
    fact(t('funding.purchase.when'), <bdi key="when">{when}</bdi>),
  ]
}
