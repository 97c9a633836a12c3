import type { CSSObject } from '@emotion/react'
import { type ReactNode, useId } from 'react'
import { color, hidden, isolated, text } from '../../../styles/tokens.ts'
import { Button } from '../actions/button.tsx'
import { Pair } from '../actions/pair.tsx'
import { Icon } from '../brand/icon.tsx'
import { Banner } from '../feedback/banner.tsx'
import { Pending } from '../feedback/pending.tsx'
import { wallet } from '../icons/landing.ts'
import { useHolding } from '../panel/hold.ts'
import { useAnnounced } from '../panel/use-announced.ts'
import { breakable } from '../text/breakable.tsx'
import { Figure } from '../text/figure.tsx'
import { useWords } from '../text/words.tsx'
import { Address } from './address.tsx'
import { Details } from './detail-row.tsx'

interface RequestedByProps {
  /** According to the page itself; never the host's words. */
  origin: string
  /** The name of another app that asks, as this app's own server says it. */
  app?: string | undefined
  /** The wallet's, unless it is displayed elsewhere. */
  address?: string | undefined
}

/** The requester, and the wallet that it asks. */
export function RequestedBy({ origin, app, address }: RequestedByProps) {
  const t = useWords()
  return (
    <Details
      rows={[
        [
          t('sign.requestedBy'),
          <span key="origin">
            {app !== undefined && <bdi css={requester}>{breakable(app)}</bdi>}
            <bdi css={isolated}>{breakable(origin)}</bdi>
          </span>,
        ],
        ...(address === undefined
          ? []
          : [
              [
                t('sign.wallet'),
                <Address key="wallet" short>
                  {address}
                </Address>,
              ] as const,
            ]),
      ]}
    />
  )
}

interface PayingWalletProps {
  address: string
  /** With its symbol. */
  balance?: string | undefined
  /** The balance is being read. */
  isPending?: boolean
}

/** A wallet and its balance in one line: that pays, or that gets money. */
export function PayingWallet({ address, balance, isPending }: PayingWalletProps) {
  const t = useWords()
  return (
    <div css={paying} data-essential>
      <span css={payer}>
        <span css={payerMark} aria-hidden>
          <Icon path={wallet} size={16} />
        </span>
        <span css={hidden}>{t('sign.wallet')}</span>
        <Address short>{address}</Address>
      </span>
      {(balance || isPending) && (
        <span css={holding}>
          <span css={hidden}>{t('transaction.balance')}</span>
          {balance ? <Figure>{balance}</Figure> : <Pending>{t('common.loading')}</Pending>}
        </span>
      )}
    </div>
  )
}

interface DecisionProps<Agree extends string> {
  /** The screen's answer when the person agrees. */
  agree: Agree
  words: string
  busyWords?: string | undefined
  /** `danger` for what can't be undone. */
  kind?: 'primary' | 'danger'
  icon?: string
  /** The answer that the flow is processing. */
  busy: NoInfer<Agree> | 'cancel' | undefined
  done?: boolean | undefined
  /** Another control of the screen is busy. */
  inert?: boolean | undefined
  /** Something has to be read before anybody can agree. */
  notYet?: boolean | undefined
  cancellable?: boolean
  /** Label in place of 'Cancel', where the button leads back. */
  cancelWords?: string | undefined
  answer(choice: Agree | 'cancel'): void
}

/**
 * The two buttons below a request. Cancel comes first, so that keys pressed in haste approve nothing. Where the choice is
 * destructive, both take the whole width, as on every screen that confirms a removal.
 */
export function Decision<Agree extends string>(props: DecisionProps<Agree>) {
  const { agree, words, busyWords, kind, icon, busy, done, inert, notYet, cancellable = true, answer } = props
  const t = useWords()
  const isOpen = busy === undefined && !done && !notYet && !inert
  const cancelling = busy === 'cancel'
  const { button, advice, hint } = useApproval(isOpen)
  const buttons = (
    <>
      {cancellable && (
        <Button
          kind="secondary"
          busy={cancelling}
          disabled={busy === agree || done || inert}
          onClick={() => answer('cancel')}
        >
          {props.cancelWords ?? t('common.cancel')}
        </Button>
      )}
      <Button
        {...(kind && { kind })}
        {...(icon && { icon })}
        {...button}
        busy={busy === agree}
        busyLabel={busyWords}
        success={done && t('sign.done')}
        disabled={notYet || cancelling || inert}
        onClick={() => answer(agree)}
      >
        {words}
      </Button>
    </>
  )
  return (
    <>
      {advice}
      {kind === 'danger' ? <div css={stack}>{buttons}</div> : <Pair>{buttons}</Pair>}
      {hint}
    </>
  )
}

interface Approval {
  /** For each button that approves something. */
  readonly button: { approves: 'live' | 'held'; describedBy: string | undefined }
  /** What keeps it from taking a press, above the buttons. */
  readonly advice: ReactNode
  /** The same for those who can't see that the button waits. */
  readonly hint: ReactNode
}

/** @param isOpen whether the buttons would take a press if nothing held them */
export function useApproval(isOpen: boolean): Approval {
  const id = useId()
  const { hold, refused } = useHolding()
  const isHeld = isOpen && hold !== undefined
  const advice = isOpen ? (refused ?? hold?.advice) : undefined
  useAnnounced(advice, refused ? 'alert' : 'status')
  return {
    button: { approves: isHeld ? 'held' : 'live', describedBy: isHeld ? id : undefined },
    advice: advice && (
      <div css={explained}>
        <Banner tone={refused ? 'warning' : 'info'} essential={false}>
          {advice}
        </Banner>
      </div>
    ),
    hint: isHeld && (
      <span id={id} css={hidden}>
        {hold.hint}
      </span>
    ),
  }
}

const requester: CSSObject = { display: 'block', fontWeight: 600 }
const paying: CSSObject = {
  ...text('detail'),
  minHeight: 36,
  // A long balance takes lines of its own.
  paddingBlock: 8,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '4px 16px',
  fontWeight: 500,
}
// At the end of its line, also of one of its own.
const holding: CSSObject = { marginInlineStart: 'auto', textAlign: 'end' }
const payer: CSSObject = { display: 'inline-flex', alignItems: 'center', gap: 8 }
const payerMark: CSSObject = { display: 'grid', color: color('text-muted') }
const stack: CSSObject = { display: 'grid', gap: 8 }
// On a low screen the facts need the room more than the words, which are announced and described all the same.
const explained: CSSObject = { '@media (max-height:400px)': hidden }
