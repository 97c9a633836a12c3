import type { CSSObject } from '@emotion/react'
import { type ReactNode, useState } from 'react'
import { edge } from '../../../styles/edge.ts'
import { color, isolated, mono, radius, text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { atMost } from '../../ethereum/amounts.ts'
import { LinkButton } from '../../ui/actions/link-button.tsx'
import { Logo } from '../../ui/brand/logo.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { CheckBox } from '../../ui/fields/check-box.tsx'
import { Content } from '../../ui/layout/content.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { Group } from '../../ui/layout/group.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'
import { Decision, PayingWallet, RequestedBy } from '../../ui/wallet/request.tsx'
import { ActionFacts, Sentence } from '../action-facts.tsx'
import { AllowanceChoices } from '../allowance-choice.tsx'
import {
  type EditedAllowance,
  type EditedFees,
  formatAmount,
  type TransactionPreview,
  titleOf,
  withChosenFees,
} from '../preview.ts'
import { Instructions } from '../solana/instructions.tsx'
import { BalanceChanges } from './balance-changes.tsx'
import { Cost } from './cost.tsx'
import { FeeChoice } from './fee-choice.tsx'
import { Headline } from './headline.tsx'
import { StepButtons, StepFacts, stepsOf, useStepAnnounced, useSteps } from './steps.tsx'
import { Warnings } from './warnings.tsx'

export interface ApproveTransactionProps {
  preview: TransactionPreview
  /** `sign`: the host page receives it signed, and may send it itself. */
  action: 'sign' | 'send'
  /** The preview is incomplete; nothing can be approved before it is ready. */
  preparing?: boolean | undefined
  /** The user can add what the wallet lacks. */
  isFundable?: boolean | undefined
  /** `renewed`: the network has moved on since the user began to read. `fees-refused`: nobody means to pay the fees that were chosen. */
  notice?: 'renewed' | 'fees-refused' | undefined
  /** Why the last attempt to sign failed. */
  error?: string | undefined
  done?: boolean | undefined
  /** The host's own words, which the vault never displays. */
  title?: string | undefined
  description?: string | undefined
  buttonText?: string | undefined
  iconUrl?: string | undefined
  iconName?: string | undefined
  cancellable?: boolean | undefined
}

/** `recheck` and `add-funds`: the wallet has insufficient funds, and the user wants the balance read again, or more of them. */
export type ApproveTransactionAnswer =
  | 'approve'
  | 'recheck'
  | 'add-funds'
  | 'cancel'
  | EditedAllowance
  | EditedFees

/** What a transaction does and costs, before it is signed. */
export const approveTransaction = defineScreen<ApproveTransactionProps, ApproveTransactionAnswer>(
  'approve-transaction',
  { view: ApproveTransaction, closable: ({ cancellable = true }) => cancellable },
)

function ApproveTransaction(props: ApproveTransactionProps & Answering<ApproveTransactionAnswer>) {
  const { preview, action, preparing, error, done, cancellable = true, busy, answer } = props
  const pressed = typeof busy === 'object' ? undefined : busy
  // Fees are displayed as chosen from the press on, although the preview with them takes a while.
  const chosenFees = typeof busy === 'object' && 'fees' in busy.edited ? busy.edited.fees : undefined
  const fees = preview.fees && (chosenFees ? withChosenFees(preview.fees, chosenFees) : preview.fees)
  // An amount that is typed is no part of the preview, so nothing is approved beside it.
  const [ownOpen, setOwnOpen] = useState<number>()
  const [isOwnFeeOpen, setOwnFeeOpen] = useState(false)
  const t = useWords()
  // A different fee needs another confirmation.
  const [confirmedFee, setConfirmedFee] = useState<bigint>()
  const { fee, feeConcern } = preview
  const isFundable = props.isFundable === true && !preparing
  // A transfer of too many tokens may be sent all the same, as any other that will likely fail.
  const isUnderfunded = isFundable || (preview.isUnderfunded && !preparing)
  const isRechecking = isFundable && busy === 'recheck'
  const isFeeConfirmed = feeConcern === undefined || confirmedFee === fee
  // What the trial run finds is a part of what is approved.
  const isTrying = preview.balanceChanges === 'waiting'
  const problem = busy || done ? undefined : error
  const notice = busy || done || preparing ? undefined : props.notice && noticeWords(t, props.notice)
  const busyLabel = t(action === 'send' ? 'transaction.sending' : 'sign.busy')
  const progress = busy === 'approve' ? busyLabel : preparing && t('transaction.preparing')
  const title = props.title ?? t(`transaction.title.${titleOf(preview)}`)
  useAnnounced(problem ?? notice, 'alert')
  useAnnounced(done ? t('sign.done') : progress)
  const steps = done ? [] : stepsOf(preview)
  const { step, at, isSettling, goTo } = useSteps(steps)
  const place = useStepAnnounced(at, steps.length)
  if (step)
    return (
      <>
        <Body title={title} subtitle={place}>
          <Content gap={12}>
            <StepFacts preview={preview} step={step} busy={busy !== undefined} />
          </Content>
        </Body>
        <Footer>
          <Warnings warnings={preview.warnings} funds={preview} isFundable={isFundable} />
          <StepButtons at={at} goTo={goTo} busy={busy} cancellable={cancellable} answer={answer} />
        </Footer>
      </>
    )
  return (
    <>
      <Body title={title} subtitle={props.description ?? t(`transaction.${action}`)}>
        <Content gap={12}>
          {props.iconUrl && (
            <div css={{ alignSelf: 'center' }}>
              <Logo url={props.iconUrl} name={props.iconName ?? title} />
            </div>
          )}
          <Headline preview={preview} />
          <Facts
            {...props}
            feeChoice={
              fees &&
              !done && (
                <FeeChoice
                  fees={fees}
                  coin={preview.coin}
                  price={preview.prices?.coin}
                  busy={busy !== undefined || preparing === true}
                  isOwnOpen={isOwnFeeOpen}
                  onOpenOwn={setOwnFeeOpen}
                  onChange={(chosen) => answer({ edited: { fees: chosen } })}
                />
              )
            }
          >
            {preview.allowances && !preparing && !done && (
              <AllowanceChoices
                allowances={preview.allowances}
                busy={busy !== undefined}
                ownOpen={ownOpen}
                onOpenOwn={setOwnOpen}
                onChange={(allowance) => answer({ edited: { allowance } })}
              />
            )}
          </Facts>
        </Content>
      </Body>
      <Footer>
        {problem && <Banner tone="danger">{problem}</Banner>}
        {notice && !problem && <Banner tone="warning">{notice}</Banner>}
        {!problem && !done && (
          <Warnings warnings={preview.warnings} funds={preview} isFundable={isFundable} />
        )}
        {isFundable && !done && (
          <div css={{ alignSelf: 'center' }}>
            <LinkButton busy={isRechecking} disabled={busy !== undefined} onClick={() => answer('recheck')}>
              {t('transaction.recheck')}
            </LinkButton>
          </div>
        )}
        {feeConcern && fee !== undefined && !done && !isUnderfunded && (
          <CheckBox
            checked={confirmedFee === fee}
            busy={busy !== undefined}
            onChange={(checked) => setConfirmedFee(checked ? fee : undefined)}
          >
            {t(`transaction.fee.${feeConcern}`, { fee: formatAmount(atMost(fee), preview.coin) })}
          </CheckBox>
        )}
        <Decision<'approve' | 'recheck' | 'add-funds'>
          agree={isFundable ? 'add-funds' : isUnderfunded ? 'recheck' : 'approve'}
          words={
            isFundable
              ? t('transaction.addFunds')
              : isUnderfunded
                ? t('transaction.recheck')
                : (props.buttonText ?? t('transaction.approve'))
          }
          busyWords={isFundable ? undefined : isUnderfunded ? t('transaction.preparing') : busyLabel}
          notYet={
            preparing ||
            ownOpen !== undefined ||
            isOwnFeeOpen ||
            isSettling ||
            (!isUnderfunded && (isTrying || !isFeeConfirmed))
          }
          busy={isRechecking ? undefined : pressed}
          inert={isRechecking || typeof busy === 'object'}
          done={done}
          cancellable={cancellable || steps.length > 0}
          cancelWords={steps.length > 0 ? t('common.back') : undefined}
          answer={(choice) =>
            choice === 'cancel' && steps.length > 0 ? goTo(steps.length - 1) : answer(choice)
          }
        />
      </Footer>
    </>
  )
}

const noticeWords = (t: ReturnType<typeof useWords>, notice: 'renewed' | 'fees-refused') =>
  t(notice === 'renewed' ? 'transaction.renewed' : 'fees.refused')

function Facts({
  preview,
  action,
  preparing,
  busy,
  children,
  feeChoice,
}: ApproveTransactionProps & { busy: unknown; children: ReactNode; feeChoice: ReactNode }): ReactNode {
  const { origin, coin, actions, data, balanceChanges, prices } = preview
  const t = useWords()
  const instructions = actions.flatMap((each) => (each.kind === 'instruction' ? [each.instruction] : []))
  const isBusy = busy !== undefined
  return (
    <div>
      <Group>
        <RequestedBy origin={origin} app={preview.app} />
        <PayingWallet
          address={preview.wallet}
          balance={preview.balance === undefined ? undefined : formatAmount(preview.balance, coin)}
        />
      </Group>
      <Group>
        {preview.sentence && <Sentence>{preview.sentence}</Sentence>}
        {actions.map((each, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a transaction may do the same twice
          <ActionFacts key={i} action={each} coin={coin} />
        ))}
        {children}
      </Group>
      <Group>
        <Cost preview={preview} preparing={preparing} isFeeExpected={action === 'send'} />
        {feeChoice}
      </Group>
      <Group>
        <BalanceChanges changes={preparing ? 'waiting' : balanceChanges} coin={coin} prices={prices} />
      </Group>
      {instructions.length > 0 && <Instructions list={instructions} busy={isBusy} />}
      {data && (
        <Disclosure label={t('transaction.data')} disabled={isBusy}>
          <pre css={hex}>{data}</pre>
        </Disclosure>
      )}
    </div>
  )
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
