import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { history } from '../../ui/icons/sending.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'

export interface CheckPaymentProps {
  /** The name of the wallet. */
  wallet: string
  amount: string
  network: string
  /** The wallet has sent something that may be it. */
  isPending: boolean
}
export type CheckPaymentAnswer = 'again' | 'another' | 'back'

/** A payment that nobody knows whether the wallet has sent. The user looks there, so that none is made twice. */
export const checkPayment = defineScreen<CheckPaymentProps, CheckPaymentAnswer>('transfer-check', {
  view: CheckPayment,
  size: 'compact',
  back: true,
})

function CheckPayment({
  isPending,
  busy,
  answer,
  ...values
}: CheckPaymentProps & Answering<CheckPaymentAnswer>) {
  const t = useWords()
  const title = t('funding.transfer.check.title', values)
  useAnnounced(title)
  return (
    <>
      <Body>
        <Hero art={<Circle icon={history} tone="warning" />} title={title}>
          {t(isPending ? 'funding.transfer.check.pending' : 'funding.transfer.check', values)}
        </Hero>
      </Body>
      <Footer>
        {!isPending && <Banner tone="warning">{t('funding.transfer.check.open', values)}</Banner>}
        <AnswerButton gives="again" busy={busy} answer={answer}>
          {t('funding.transfer.check.again')}
        </AnswerButton>
        <AnswerButton gives="another" busy={busy} answer={answer} kind="ghost" size="medium">
          {t('funding.transfer.check.another')}
        </AnswerButton>
      </Footer>
    </>
  )
}
