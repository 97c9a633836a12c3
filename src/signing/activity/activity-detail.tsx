import type { ReactNode } from 'react'
import { isolated } from '../../../styles/tokens.ts'
import type { ActivityEntry } from '../../activity/entry.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { StatusLine } from '../../ui/feedback/status-line.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle, Outcome } from '../../ui/layout/hero-art.tsx'
import { Body, Footer, Note } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { Figure } from '../../ui/text/figure.tsx'
import { Marked } from '../../ui/text/marked.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { networkRow } from '../../ui/wallet/network-row.tsx'
import { TransactionHash } from '../transaction/transaction-hash.tsx'
import { kindIcon } from './entry-look.ts'

export type ActivityAction = 'speed-up' | 'cancel' | 'send-again' | 'remove-code'

export interface ActivityDetailProps {
  kind: ActivityEntry['title']
  status: ActivityEntry['status']
  /** The amount that leaves, with its symbol. */
  amount?: string | undefined
  /** The recipient or contract. */
  to?: string | undefined
  /** CAIP-2 */
  chain: string
  network: string
  /** The fee that the network took, with its symbol. */
  fee?: string | undefined
  /** When it was sent. */
  when: string
  hash: string
  explorerUrl?: string | undefined
  /** Why it failed, in the words of the network. */
  reason?: string | undefined
  /** The hash of the transaction that was confirmed in its place. */
  replacedBy?: string | undefined
  /** The user sent another one to take its place, and the network has not decided. */
  isSuperseded: boolean
  actions: readonly ActivityAction[]
  /** Why the last action failed. */
  error?: string | undefined
}
export type ActivityDetailAnswer = ActivityAction | 'back'

/** What became of one transaction, and what can still be done about it. */
export const activityDetail = defineScreen<ActivityDetailProps, ActivityDetailAnswer>('activity-detail', {
  view: ActivityDetail,
  back: true,
})

function ActivityDetail(props: ActivityDetailProps & Answering<ActivityDetailAnswer>) {
  const { kind, status, isSuperseded, actions, hash, explorerUrl, busy, answer } = props
  const t = useWords()
  const error = busy === undefined ? props.error : undefined
  const state = t(isSuperseded ? 'activity.superseded' : `activity.detail.${status}`)
  useAnnounced(error, 'alert')
  useAnnounced(state)
  return (
    <>
      <Body>
        <Hero art={<Art kind={kind} status={status} />} title={t(`activity.kind.${kind}`)}>
          {state}
        </Hero>
        <div>
          <Details rows={useFacts(props)} />
          <TransactionHash hash={hash} explorerUrl={explorerUrl} />
        </div>
        {status === 'pending' && <StatusLine busy>{t('transaction.sent.waiting')}</StatusLine>}
      </Body>
      {(error || actions.length > 0) && (
        <Footer>
          {error && <Banner tone="danger">{error}</Banner>}
          {actions.map((action) => (
            <AnswerButton
              key={action}
              kind={action === 'cancel' ? 'ghost' : 'secondary'}
              gives={action}
              busy={busy}
              answer={answer}
            >
              {t(`activity.do.${action}`)}
            </AnswerButton>
          ))}
          {actions.includes('send-again') && <Note>{t('activity.sendAgain.note')}</Note>}
        </Footer>
      )}
    </>
  )
}

/** The outcome where there is one, and else what the transaction does. */
function Art({ kind, status }: Pick<ActivityDetailProps, 'kind' | 'status'>) {
  if (status === 'confirmed') return <Outcome is="success" />
  if (status === 'failed') return <Outcome is="failure" />
  return <Circle icon={kindIcon[kind]} tone={status === 'pending' ? 'accent' : 'warning'} />
}

function useFacts(props: ActivityDetailProps): readonly (readonly [label: string, value: ReactNode])[] {
  const { amount, to, chain, network, fee, when, reason, replacedBy } = props
  const t = useWords()
  const fact = (label: string, value: ReactNode) => [label, value] as const
  return [
    ...(amount ? [fact(t('call.amount'), <Figure key="amount">{amount}</Figure>)] : []),
    ...(to ? [fact(t('transaction.to'), <Address key="to">{to}</Address>)] : []),
    networkRow(t('sign.network'), chain, network),
    ...(fee ? [fact(t('transaction.fee'), <Figure key="fee">{fee}</Figure>)] : []),
    fact(t('activity.sent'), <bdi key="when">{when}</bdi>),
    ...(reason
      ? [
          fact(
            t('transaction.reason'),
            <bdi key="reason" css={isolated} dir="auto">
              <Marked>{reason}</Marked>
            </bdi>,
          ),
        ]
      : []),
    ...(replacedBy
      ? [
          fact(
            t('activity.replacedBy'),
            <Address key="by" short>
              {replacedBy}
            </Address>,
          ),
        ]
      : []),
  ]
}
