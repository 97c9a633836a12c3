import type { CSSObject } from '@emotion/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { edge } from '../../../styles/edge.ts'
import { color, isolated, mono, radius, text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { CheckBox } from '../../ui/fields/check-box.tsx'
import { Content } from '../../ui/layout/content.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { Group } from '../../ui/layout/group.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { Figure } from '../../ui/text/figure.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { Decision, PayingWallet, RequestedBy } from '../../ui/wallet/request.tsx'
import { ActionFacts, Sentence } from '../action-facts.tsx'
import { formatAmount, outflowsOf, type TransactionPreview, titleOf } from '../preview.ts'
import { Instructions } from '../solana/instructions.tsx'
import { BalanceChanges } from '../transaction/balance-changes.tsx'
import { Cost } from '../transaction/cost.tsx'
import { Headline } from '../transaction/headline.tsx'
import { StepButtons, useStepAnnounced, useSteps } from '../transaction/steps.tsx'
import { Warnings } from '../transaction/warnings.tsx'
import type { CallsPreview } from './preview.ts'

export interface ApproveCallsProps {
  preview: CallsPreview
  /** The preview is incomplete; nothing can be approved before it is ready. */
  preparing?: boolean | undefined
  /** The network has moved on since the user began to read. */
  notice?: 'renewed' | undefined
  /** Why the last attempt to sign failed. */
  error?: string | undefined
  done?: boolean | undefined
  /** The host's own words, which the vault never displays. */
  title?: string | undefined
  description?: string | undefined
  buttonText?: string | undefined
  cancellable?: boolean | undefined
}

/** `recheck`: the wallet has insufficient funds, and the user wants the balance read again. */
export type ApproveCallsAnswer = 'approve' | 'recheck' | 'cancel'

/** Several calls: each by itself, and then what all of them cost, before they are signed together. */
export const approveCalls = defineScreen<ApproveCallsProps, ApproveCallsAnswer>('approve-calls', {
  view: ApproveCalls,
  closable: ({ cancellable = true }) => cancellable,
})

function ApproveCalls(props: ApproveCallsProps & Answering<ApproveCallsAnswer>) {
  const { preview, preparing, error, done, cancellable = true, busy, answer } = props
  const { calls, coin, fee, feeConcern } = preview
  const t = useWords()
  // A different fee needs another confirmation.
  const [confirmedFee, setConfirmedFee] = useState<bigint>()
  const isUnderfunded = preview.isUnderfunded && !preparing
  const isFeeConfirmed = feeConcern === undefined || confirmedFee === fee
  // What the trial run finds is a part of what is approved.
  const isTrying = preview.balanceChanges === 'waiting'
  const problem = busy || done ? undefined : error
  const notice = busy || done || preparing ? undefined : props.notice && t('transaction.renewed')
  const progress = busy === 'approve' ? t('transaction.sending') : preparing && t('transaction.preparing')
  useAnnounced(problem ?? notice, 'alert')
  useAnnounced(done ? t('sign.done') : progress)
  // Only all of them together are approved.
  const steps = done || busy === 'approve' || busy === 'recheck' ? [] : calls
  const { step, at, isSettling, goTo } = useSteps(steps)
  const place = useStepAnnounced(at, steps.length)
  const title = props.title ?? titleOfCalls(t, preview)
  if (step)
    return (
      <>
        <Body title={nameOf(t, step)} subtitle={place}>
          <Content gap={12}>
            <CallFacts key={at} call={step} isFirst={at === 0} busy={busy !== undefined} />
          </Content>
        </Body>
        <Footer>
          <Warnings key={at} warnings={step.warnings} />
          <StepButtons at={at} goTo={goTo} busy={busy} cancellable={cancellable} answer={answer} />
        </Footer>
      </>
    )
  return (
    <>
      <Body title={title} subtitle={props.description ?? noteOf(t, preview)}>
        <Content gap={12}>
          <Headline preview={preview} />
          <Totals preview={preview} preparing={preparing} />
        </Content>
      </Body>
      <Footer>
        {problem && <Banner tone="danger">{problem}</Banner>}
        {notice && !problem && <Banner tone="warning">{notice}</Banner>}
        {!problem && !done && <Warnings warnings={preview.warnings} funds={preview} />}
        {feeConcern && fee !== undefined && !done && !isUnderfunded && (
          <CheckBox
            checked={confirmedFee === fee}
            busy={busy !== undefined}
            onChange={(checked) => setConfirmedFee(checked ? fee : undefined)}
          >
            {t(`transaction.fee.${feeConcern}`, { fee: formatAmount(fee, coin) })}
          </CheckBox>
        )}
        <Decision<'approve' | 'recheck'>
          agree={isUnderfunded ? 'recheck' : 'approve'}
          words={isUnderfunded ? t('transaction.recheck') : (props.buttonText ?? t('transaction.approve'))}
          busyWords={isUnderfunded ? t('transaction.preparing') : t('transaction.sending')}
          notYet={preparing || isSettling || (!isUnderfunded && (isTrying || !isFeeConfirmed))}
          busy={busy}
          done={done}
          cancelWords={t('common.back')}
          answer={(choice) => (choice === 'cancel' ? goTo(calls.length - 1) : answer(choice))}
        />
      </Footer>
    </>
  )
}

/** A single call. It takes the focus when it has taken the place of another one. */
function CallFacts({ call, isFirst, busy }: { call: TransactionPreview; isFirst: boolean; busy: boolean }) {
  const { origin, app, wallet, coin, actions, sentence, fee, balanceChanges, prices, data } = call
  const t = useWords()
  const place = useRef<HTMLDivElement>(null)
  const isNew = useRef(!isFirst)
  useEffect(() => {
    if (isNew.current) place.current?.focus()
  }, [])
  const instructions = actions.flatMap((each) => (each.kind === 'instruction' ? [each.instruction] : []))
  return (
    <div ref={place} tabIndex={-1} css={{ outline: 'none' }}>
      <div css={{ marginBlockEnd: 12, '&:empty': { display: 'none' } }}>
        <Headline preview={call} />
      </div>
      <Group>
        <RequestedBy origin={origin} app={app} address={wallet} />
      </Group>
      <Group>
        {sentence && <Sentence>{sentence}</Sentence>}
        {actions.map((each, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a call may do the same twice
          <ActionFacts key={i} action={each} coin={coin} />
        ))}
      </Group>
      <Group>
        {fee !== undefined && (
          <Details rows={[[t('transaction.fee'), <Figure key="fee">{formatAmount(fee, coin)}</Figure>]]} />
        )}
        <BalanceChanges changes={balanceChanges} coin={coin} prices={prices} />
      </Group>
      {instructions.length > 0 && <Instructions list={instructions} busy={busy} />}
      {data && (
        <Disclosure label={t('transaction.data')} disabled={busy}>
          <pre css={hex}>{data}</pre>
        </Disclosure>
      )}
    </div>
  )
}

/** The cost of all calls, and the changes that they make together. */
function Totals({
  preview,
  preparing,
}: {
  preview: CallsPreview
  preparing: boolean | undefined
}): ReactNode {
  const { origin, app, wallet, balance, coin, calls, balanceChanges, prices, isAtomic } = preview
  const t = useWords()
  return (
    <div>
      <Group>
        <RequestedBy origin={origin} app={app} />
        <PayingWallet
          address={wallet}
          balance={balance === undefined ? undefined : formatAmount(balance, coin)}
        />
      </Group>
      <Group>
        <ol css={list} aria-label={t('calls.list')}>
          {calls.map((call, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a batch may do the same twice
            <li key={i} data-essential>
              <div css={item}>
                <span>{nameOf(t, call)}</span>
                <Summary call={call} />
              </div>
            </li>
          ))}
        </ol>
      </Group>
      <Group>
        <Cost preview={preview} preparing={preparing} feeLabel={isAtomic ? undefined : t('calls.fees')} />
      </Group>
      <Group>
        <BalanceChanges changes={preparing ? 'waiting' : balanceChanges} coin={coin} prices={prices} />
      </Group>
    </div>
  )
}

/** The amount that a call sends, or the contract that it is for. */
function Summary({ call }: { call: TransactionPreview }): ReactNode {
  const { actions } = call
  const outflows = outflowsOf(call)
  if (outflows.length > 0)
    return <Figure>{outflows.map(({ amount, asset }) => formatAmount(amount, asset)).join(' + ')}</Figure>
  const [only] = actions
  if (only?.kind !== 'token') return only?.kind === 'call' ? <Address short>{only.to}</Address> : null
  const { call: made, asset } = only
  if (asset && made.amount !== undefined && !made.unlimited)
    return <Figure>{formatAmount(made.amount, asset)}</Figure>
  return made.contract ? <Address short>{made.contract}</Address> : null
}

/** A single call is named by itself; several ones by whether they stand or fall together. */
function titleOfCalls(t: ReturnType<typeof useWords>, { calls, isAtomic }: CallsPreview): string {
  const [only] = calls
  if (isAtomic && only && calls.length === 1) return nameOf(t, only)
  return t(isAtomic ? 'calls.title.atomic' : 'calls.title', { count: calls.length })
}

function noteOf(t: ReturnType<typeof useWords>, { calls, isAtomic }: CallsPreview): string {
  if (!isAtomic) return t('calls.send')
  return t(calls.length === 1 ? 'transaction.send' : 'calls.send.atomic')
}

function nameOf(t: ReturnType<typeof useWords>, call: TransactionPreview): string {
  const title = titleOf(call)
  return title === 'call' ? t('transaction.call') : t(`transaction.title.${title}`)
}

const list: CSSObject = {
  ...text('detail'),
  margin: '4px 0',
  padding: '4px 0',
  paddingInlineStart: 24,
  borderBlock: edge,
  fontWeight: 500,
  '& > ::marker': { color: color('text-muted') },
}
const item: CSSObject = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  justifyContent: 'space-between',
  gap: '0 16px',
  padding: '8px 0',
}
const hex: CSSObject = {
  ...text('detail'),
  ...isolated,
  margin: '4px 0 8px',
  padding: 11,
  border: edge,
  borderRadius: radius(12),
  background: color('surface-sunken'),
  fontFamily: mono,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  userSelect: 'all',
}
