import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Button } from '../../ui/actions/button.tsx'
import { StatusLine } from '../../ui/feedback/status-line.tsx'
import { send } from '../../ui/icons/sending.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { TransactionHash } from './transaction-hash.tsx'

export interface TransactionSentProps {
  /** The transaction's hash, or its signature on Solana. */
  hash: string
  explorerUrl?: string | undefined
  /** Nobody could say for long whether the network has it. */
  isLate?: boolean | undefined
}

/** A transaction that the network has not confirmed yet. Closing it stops nothing. */
export const transactionSent = defineScreen<TransactionSentProps, 'close'>('transaction-sent', {
  view: TransactionSent,
})

function TransactionSent({
  hash,
  explorerUrl,
  isLate,
  busy,
  answer,
}: TransactionSentProps & Answering<'close'>) {
  const t = useWords()
  return (
    <>
      <Body>
        <Hero art={<Circle icon={send} />} title={t('transaction.sent.title')}>
          {t(isLate ? 'transaction.sent.late' : 'transaction.sent.detail')}
        </Hero>
        <TransactionHash hash={hash} explorerUrl={explorerUrl} />
        <StatusLine busy>{t('transaction.sent.waiting')}</StatusLine>
      </Body>
      <Footer>
        <Button kind="secondary" busy={busy === 'close'} onClick={() => answer('close')}>
          {t('common.close')}
        </Button>
      </Footer>
    </>
  )
}
