import type { CSSObject } from '@emotion/react'
import { type ReactNode, useState } from 'react'
import { edge } from '../../../styles/edge.ts'
import { color, isolated, mono, radius, text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import type { TokenAction } from '../../ethereum/token-action.ts'
import type { FeeConcern } from '../../lib/fee-concern.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { CheckBox } from '../../ui/fields/check-box.tsx'
import { Content } from '../../ui/layout/content.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { Figure } from '../../ui/text/figure.tsx'
import { Marked } from '../../ui/text/marked.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { Amount } from '../../ui/wallet/amount.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { Decision, RequestedBy } from '../../ui/wallet/request.tsx'
import { Dangers, Instructions, type ShownInstruction } from '../solana/instructions.tsx'
import { AllowanceWarning, TokenActionFacts } from '../token-action.tsx'
import type { TransactionFailedProps } from './transaction-failed.tsx'

export interface ApproveTransactionProps {
  /** Who asks, according to the page itself; never the host's words. */
  origin: string
  /** The wallet that pays. */
  address: string
  /** The network's name. */
  chain: string
  /** Absent when a contract is created. */
  to?: string | undefined
  /** With its symbol: `0.25 ETH`; may be empty. */
  value: string
  fee?: string | undefined
  total?: string | undefined
  /** The call data, in hex. */
  data?: string | undefined
  /** What the call does, where that can be named. */
  call?: TokenAction | undefined
  /** What a Solana transaction does. */
  instructions?: readonly ShownInstruction[] | undefined
  /** Why the fee needs another look: nothing can be approved before that. */
  feeConcern?: FeeConcern | undefined
  /** Fee and total are still loading; nothing can be approved before. */
  preparing?: boolean | undefined
  error?: string | undefined
  /** What the network says to that, in its own words. */
  reason?: TransactionFailedProps['reason']
  done?: boolean | undefined
  /** `sign`: the page gets it signed, and may send it itself. */
  action: 'sign' | 'send'
}

export type ApproveTransactionAnswer = 'approve' | 'cancel'

/** What a transaction does and costs, before it is signed. */
export const approveTransaction = defineScreen<ApproveTransactionProps, ApproveTransactionAnswer>(
  'approve-transaction',
  { view: ApproveTransaction },
)

function ApproveTransaction(props: ApproveTransactionProps & Answering<ApproveTransactionAnswer>) {
  const { value, call, fee = '', feeConcern, instructions, preparing, error, reason, done } = props
  const { action, busy, answer } = props
  const t = useWords()
  // Another fee has to be looked at as well.
  const [seenFee, setSeenFee] = useState<string>()
  const problem = busy || done ? undefined : error
  const busyLabel = t(action === 'send' ? 'transaction.sending' : 'sign.busy')
  useAnnounced(problem, 'alert')
  const working = busy === 'approve' ? busyLabel : preparing && t('transaction.preparing')
  useAnnounced(done ? t('sign.done') : working)
  return (
    <>
      <Body title={t('transaction.title')} subtitle={t(`transaction.${action}`)}>
        <Content gap={12}>
          {value && <Amount>{value}</Amount>}
          <Facts {...props} />
        </Content>
      </Body>
      <Footer>
        {problem && (
          <Banner tone="danger">
            {problem}
            {reason && (
              <div css={said}>
                <bdi dir="auto">
                  <Marked>{reason.message}</Marked>
                </bdi>
              </div>
            )}
          </Banner>
        )}
        {!problem && !done && call && <AllowanceWarning action={call} />}
        {!problem && !done && instructions && <Dangers list={instructions} />}
        {feeConcern && !done && (
          <CheckBox
            checked={seenFee === fee}
            busy={busy !== undefined}
            onChange={(checked) => setSeenFee(checked ? fee : undefined)}
          >
            {t(`transaction.fee.${feeConcern}`, { fee })}
          </CheckBox>
        )}
        <Decision
          agree="approve"
          words={t('transaction.approve')}
          busyWords={busyLabel}
          notYet={preparing || (feeConcern !== undefined && seenFee !== fee)}
          busy={busy}
          done={done}
          answer={answer}
        />
      </Footer>
    </>
  )
}

function Facts(props: ApproveTransactionProps & { busy: unknown }): ReactNode {
  const { origin, address, chain, to, fee, total, data = '0x', instructions, action, preparing, busy } = props
  const { call } = props
  const t = useWords()
  const calls = data !== '0x' && data !== ''
  const kind = instructions
    ? instructions.length > 0 && !to && ('call' as const)
    : !to
      ? 'creation'
      : calls
        ? 'call'
        : 'transfer'
  const rows: [string, ReactNode][] = []
  if (!instructions && kind && !call) rows.push([t('transaction.action'), t(`transaction.${kind}`)])
  if (to && !call) rows.push([t('transaction.to'), <Address key="to">{to}</Address>])
  rows.push([t('sign.network'), <bdi key="network">{chain}</bdi>])
  if (preparing)
    for (const name of ['fee', 'total'] as const)
      rows.push([t(`transaction.${name}`), <Skeleton key={name} width={64} height={12} />])
  else if (fee || action === 'send') rows.push([t('transaction.fee'), <Known key="fee">{fee}</Known>])
  if (total) rows.push([t('transaction.total'), <Known key="total">{total}</Known>])
  return (
    <div>
      {call && <TokenActionFacts action={call} />}
      <Details rows={rows} />
      {calls && (
        <Disclosure label={t('transaction.data')} disabled={busy !== undefined}>
          <pre css={hex}>{data}</pre>
        </Disclosure>
      )}
      {instructions && instructions.length > 0 && (
        <Instructions list={instructions} busy={busy !== undefined} />
      )}
      <div css={apart}>
        <RequestedBy origin={origin} address={address} />
      </div>
    </div>
  )
}

function Known({ children }: { children: string | undefined }) {
  const t = useWords()
  return children ? (
    <Figure>{children}</Figure>
  ) : (
    <span css={{ color: color('text-faint') }}>{t('transaction.unavailable')}</span>
  )
}

const said: CSSObject = { ...text('caption'), color: color('text-muted'), marginBlockStart: 4 }

const apart: CSSObject = {
  marginBlockStart: 4,
  paddingBlockStart: 4,
  borderBlockStart: `1px solid ${color('border')}`,
}

const sunken: CSSObject = {
  ...text('detail'),
  margin: '4px 0 8px',
  padding: 11,
  border: edge,
  borderRadius: radius(12),
  background: color('surface-sunken'),
}

const hex: CSSObject = {
  ...sunken,
  ...isolated,
  fontFamily: mono,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  userSelect: 'all',
}
