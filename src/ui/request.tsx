import { isolated } from '../../styles/tokens.ts'
import { Address } from './address.tsx'
import { Button } from './button.tsx'
import { Details } from './detail-row.tsx'
import { useWords } from './words.tsx'

interface Asked {
  /** As the page itself says it; never the host's words. */
  origin: string
  /** The wallet's. */
  address: string
}

/** Who asks, and the wallet that is asked. Look 12.7, 12.8. */
export function RequestedBy({ origin, address }: Asked) {
  const t = useWords()
  return (
    <Details
      rows={[
        [
          t('sign.requestedBy'),
          <bdi key="origin" css={isolated}>
            {origin}
          </bdi>,
        ],
        [
          t('sign.wallet'),
          <Address key="wallet" short>
            {address}
          </Address>,
        ],
      ]}
    />
  )
}

interface DecisionProps<Agree extends string> {
  /** What the screen answers when the person agrees. */
  agree: Agree
  words: string
  busyWords: string
  /** What was answered, while the flow works on it. */
  busy: NoInfer<Agree> | 'cancel' | undefined
  done?: boolean | undefined
  /** There is something to see before anybody can agree. */
  notYet?: boolean | undefined
  cancellable?: boolean
  answer(choice: Agree | 'cancel'): void
}

/** The two buttons below a request. */
export function Decision<Agree extends string>(props: DecisionProps<Agree>) {
  const { agree, words, busyWords, busy, done, notYet, cancellable = true, answer } = props
  const t = useWords()
  const cancelling = busy === 'cancel'
  return (
    <>
      <Button
        busy={busy === agree}
        busyLabel={busyWords}
        success={done && t('sign.done')}
        disabled={notYet || cancelling}
        onClick={() => answer(agree)}
      >
        {words}
      </Button>
      {cancellable && (
        <Button
          kind="ghost"
          size="medium"
          busy={cancelling}
          disabled={busy === agree || done}
          onClick={() => answer('cancel')}
        >
          {t('common.cancel')}
        </Button>
      )}
    </>
  )
}
