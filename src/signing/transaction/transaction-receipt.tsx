import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Outcome } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { Figure } from '../../ui/text/figure.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { networkRow } from '../../ui/wallet/network-row.tsx'
import { TransactionHash } from './transaction-hash.tsx'

export interface TransactionReceiptProps {
  /** CAIP-2 */
  chain: string
  network: string
  hash: string
  explorerUrl?: string | undefined
  /** The amount that left, with its symbol. */
  amount?: string | undefined
  /** The fee that the network took, with its symbol. */
  fee?: string | undefined
  /** The network moved other amounts than the review showed. */
  isDifferent?: boolean | undefined
  /** The host's own words. */
  successHeader?: string | undefined
  successDescription?: string | undefined
}

/** What became of a transaction that the network has confirmed. */
export const transactionReceipt = defineScreen<TransactionReceiptProps, 'close'>('transaction-receipt', {
  view: TransactionReceipt,
})

function TransactionReceipt(props: TransactionReceiptProps & Answering<'close'>) {
  const { chain, network, hash, explorerUrl, amount, fee, isDifferent, busy, answer } = props
  const t = useWords()
  const chainType = chain.startsWith('solana:') ? 'solana' : 'ethereum'
  const title = props.successHeader ?? t(`transaction.complete.${chainType}`)
  useAnnounced(isDifferent ? `${title} ${t('transaction.differs')}` : title)
  return (
    <>
      <Body>
        <Hero art={<Outcome is="success" />} title={title}>
          {props.successDescription ?? t('transaction.complete.detail')}
        </Hero>
        <div>
          <Details
            rows={[
              ...(amount ? [[t('call.amount'), <Figure key="amount">{amount}</Figure>] as const] : []),
              ...(fee ? [[t('transaction.fee'), <Figure key="fee">{fee}</Figure>] as const] : []),
              networkRow(t('sign.network'), chain, network),
            ]}
          />
          <TransactionHash hash={hash} explorerUrl={explorerUrl} />
        </div>
      </Body>
      <Footer>
        {isDifferent && <Banner tone="warning">{t('transaction.differs')}</Banner>}
        <Button busy={busy === 'close'} onClick={() => answer('close')}>
          {t(chainType === 'ethereum' ? 'transaction.complete.close' : 'common.close')}
        </Button>
      </Footer>
    </>
  )
}
