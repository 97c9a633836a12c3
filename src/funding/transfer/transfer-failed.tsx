import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { TransactionHash } from '../../signing/transaction/transaction-hash.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { CopyButton } from '../../ui/actions/copy-button.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Outcome } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'

export interface TransferFailedProps {
  title: string
  detail: string
  /** The transaction that failed, or that brought the money back. */
  hash?: string | undefined
  explorerUrl?: string | undefined
  /** By which the bridge knows it. */
  requestId?: string | undefined
}

/** A transfer that ended without money in the wallet: it failed, or came back. */
export const transferFailed = defineScreen<TransferFailedProps, 'continue'>('transfer-failed', {
  view: TransferFailed,
  size: 'compact',
})

function TransferFailed({
  title,
  detail,
  hash,
  explorerUrl,
  requestId,
  busy,
  answer,
}: TransferFailedProps & Answering<'continue'>) {
  const t = useWords()
  useAnnounced(`${title}. ${detail}`, 'alert')
  return (
    <>
      <Body>
        <Hero art={<Outcome is="failure" />} title={title}>
          {detail}
        </Hero>
        {hash !== undefined && <TransactionHash hash={hash} explorerUrl={explorerUrl} />}
        {requestId !== undefined && (
          <Details
            rows={[
              [
                t('funding.bridge.request'),
                <span key="request" css={{ display: 'inline-flex', alignItems: 'center', gap: 4 }}>
                  <Address short>{requestId}</Address>
                  <CopyButton value={requestId} name={t('funding.bridge.copyRequest')} />
                </span>,
              ],
            ]}
          />
        )}
      </Body>
      <Footer>
        <Button busy={busy === 'continue'} onClick={() => answer('continue')}>
          {t('common.continue')}
        </Button>
      </Footer>
    </>
  )
}
