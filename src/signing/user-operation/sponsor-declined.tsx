import { isolated } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Button } from '../../ui/actions/button.tsx'
import { coins } from '../../ui/icons/sending.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { Marked } from '../../ui/text/marked.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Details, placeOf } from '../../ui/wallet/detail-row.tsx'

export interface SponsorDeclinedProps {
  /** The sponsor's own name, where it has said one. */
  sponsor?: string | undefined
  /** Why it doesn't pay, in its own words. */
  reason?: string | undefined
}

/** `pay`: the user pays the fee, and reviews the request with it. */
export type SponsorDeclinedAnswer = 'pay' | 'cancel'

/** The app's sponsor doesn't pay the fee, so the user decides whether to pay it. Nothing was signed. */
export const sponsorDeclined = defineScreen<SponsorDeclinedProps, SponsorDeclinedAnswer>('sponsor-declined', {
  view: SponsorDeclinedView,
})

function SponsorDeclinedView({
  sponsor,
  reason,
  busy,
  answer,
}: SponsorDeclinedProps & Answering<SponsorDeclinedAnswer>) {
  const t = useWords()
  const title =
    sponsor === undefined ? t('sponsor.declined.title') : t('sponsor.declined.titleOf', { sponsor })
  const detail = t('sponsor.declined.detail')
  useAnnounced([title, detail, reason].filter(Boolean).join('. '), 'alert')
  return (
    <>
      <Body>
        <Hero art={<Circle icon={coins} tone="warning" />} title={title}>
          {detail}
        </Hero>
        {reason && (
          <Details
            rows={[
              [
                t('transaction.reason'),
                <bdi key="reason" css={isolated} dir="auto">
                  <Marked>{reason}</Marked>
                </bdi>,
                placeOf(reason),
              ],
            ]}
          />
        )}
      </Body>
      <Footer>
        <Button busy={busy === 'pay'} disabled={busy === 'cancel'} onClick={() => answer('pay')}>
          {t('sponsor.declined.pay')}
        </Button>
        <Button
          kind="ghost"
          size="medium"
          busy={busy === 'cancel'}
          disabled={busy === 'pay'}
          onClick={() => answer('cancel')}
        >
          {t('common.cancel')}
        </Button>
      </Footer>
    </>
  )
}
