import type { CSSObject } from '@emotion/react'
import { useRef } from 'react'
import { isolated } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Button } from '../../ui/actions/button.tsx'
import { CopyButton } from '../../ui/actions/copy-button.tsx'
import { Link } from '../../ui/actions/link.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Outcome } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { Marked } from '../../ui/text/marked.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'

export interface TransactionFailedProps {
  title: string
  detail?: string | undefined
  /** What the network says, in its own words. */
  reason?: { readonly code: number; readonly message: string } | undefined
  /** Its name on the network, where it may be there. */
  hash?: string | undefined
  explorerUrl?: string | undefined
  /** `close`: repeating it would be in vain. */
  action: 'retry' | 'close'
}

export type TransactionFailedAnswer = 'retry' | 'close' | 'cancel'

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
        <Facts {...props} />
      </Body>
      <Footer>
        <Button busy={busy === action} disabled={busy !== undefined} onClick={() => answer(action)}>
          {action === 'retry' ? t('transaction.retry') : t('common.close')}
        </Button>
        {action === 'retry' && (
          <Button
            kind="ghost"
            size="medium"
            busy={busy === 'cancel'}
            disabled={busy === 'retry'}
            onClick={() => answer('cancel')}
          >
            {t('common.cancel')}
          </Button>
        )}
      </Footer>
    </>
  )
}

function Facts({ reason, hash, explorerUrl }: TransactionFailedProps) {
  const t = useWords()
  const shown = useRef<HTMLElement>(null)
  if (!reason && !hash) return null
  return (
    <Details
      rows={[
        ...(reason
          ? ([
              [
                t('transaction.code'),
                <bdi key="code" css={isolated}>
                  {reason.code}
                </bdi>,
              ],
            ] as const)
          : []),
        ...(reason
          ? ([
              [
                t('transaction.reason'),
                <bdi key="reason" css={isolated} dir="auto">
                  <Marked>{reason.message}</Marked>
                </bdi>,
              ],
            ] as const)
          : []),
        ...(hash
          ? ([
              [
                t('transaction.hash'),
                <span key="hash" css={copied}>
                  <Link href={explorerUrl}>
                    <Address short ref={shown}>
                      {hash}
                    </Address>
                  </Link>
                  <CopyButton value={hash} name={t('transaction.copyHash')} shown={shown} />
                </span>,
              ],
            ] as const)
          : []),
      ]}
    />
  )
}

const copied: CSSObject = { display: 'inline-flex', alignItems: 'center', gap: 4 }
