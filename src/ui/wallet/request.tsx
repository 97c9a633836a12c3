import { isolated } from '../../../styles/tokens.ts'
import { Button } from '../actions/button.tsx'
import { breakable } from '../text/breakable.tsx'
import { useWords } from '../text/words.tsx'
import { Address } from './address.tsx'
import { Details } from './detail-row.tsx'

interface Asked {
  /** According to the page itself; never the host's words. */
  origin: string
  /** The wallet's. */
  address: string
}

/** Who asks, and the wallet that is asked. */
export function RequestedBy({ origin, address }: Asked) {
  const t = useWords()
  return (
    <Details
      rows={[
        [
          t('sign.requestedBy'),
          <bdi key="origin" css={isolated}>
            {breakable(origin)}
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
  /** The screen's answer when the person agrees. */
  agree: Agree
  words: string
  busyWords: string
  /** The answer that the flow is processing. */
  busy: NoInfer<Agree> | 'cancel' | undefined
  done?: boolean | undefined
  /** Something has to be read before anybody can agree. */
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
