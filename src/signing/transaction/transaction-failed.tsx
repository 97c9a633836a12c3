import { isolated } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton, Button } from '../../ui/actions/button.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Outcome } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { Marked } from '../../ui/text/marked.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Details, placeOf } from '../../ui/wallet/detail-row.tsx'
import { TransactionHash } from './transaction-hash.tsx'

export interface TransactionFailedProps {
  title: string
  detail?: string | undefined
  /** What the network says, in its own words. */
  reason?: { readonly code?: number; readonly message: string } | undefined
  /** Its name on the network, where it may be there. */
  hash?: string | undefined
  explorerUrl?: string | undefined
  /** `close`: repeating it would be in vain. `renew`: it has expired, and can be signed anew. */
  action: 'retry' | 'renew' | 'close'
}

export type TransactionFailedAnswer = 'retry' | 'renew' | 'close' | 'cancel'

/** Why a transaction could not be prepared or sent, and whether it can be tried again. */
export const transactionFailed = defineScreen<TransactionFailedProps, TransactionFailedAnswer>(
  'transaction-failed',
  { view: TransactionFailed },
)

function TransactionFailed(props: TransactionFailedProps & Answering<TransactionFailedAnswer>) {
  const { title, detail, reason, action, busy, answer } = props
  const t = useWords()
  useAnnounced([title, detail, reason?.message].filter(Boolean).join('. '), 'alert')
  return (
    <>
      <Body>
        <Hero art={<Outcome is="failure" />} title={title}>
          {detail}
        </Hero>
        {(props.reason || props.hash) && <Facts {...props} />}
      </Body>
      <Footer>
        <AnswerButton gives={action} busy={busy} answer={answer}>
          {t(buttons[action])}
        </AnswerButton>
        {action !== 'close' && (
          <Button
            kind="ghost"
            size="medium"
            busy={busy === 'cancel'}
            disabled={busy === action}
            onClick={() => answer('cancel')}
          >
            {t('common.cancel')}
          </Button>
        )}
      </Footer>
    </>
  )
}

const buttons = {
  retry: 'transaction.retry',
  renew: 'transaction.sendAgain',
  close: 'common.close',
} as const

function Facts({ reason, hash, explorerUrl }: TransactionFailedProps) {
  const t = useWords()
  return (
    <div>
      {reason && (
        <Details
          rows={[
            ...(reason.code === undefined
              ? []
              : [
                  [
                    t('transaction.code'),
                    <bdi key="code" css={isolated}>
                      {reason.code}
                    </bdi>,
                  ] as const,
                ]),
            [
              t('transaction.reason'),
              <bdi key="reason" css={isolated} dir="auto">
                <Marked>{reason.message}</Marked>
              </bdi>,
              placeOf(reason.message),
            ],
          ]}
        />
      )}
      {hash && <TransactionHash hash={hash} explorerUrl={explorerUrl} />}
    </div>
  )
}
