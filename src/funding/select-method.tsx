import { type Answering, defineScreen } from '../dialog/screen.ts'
import { formatRounded } from '../ethereum/amounts.ts'
import { Row } from '../ui/actions/row.tsx'
import { Icon } from '../ui/brand/icon.tsx'
import { Banner } from '../ui/feedback/banner.tsx'
import { qrCode } from '../ui/icons/funding.ts'
import { wallet } from '../ui/icons/landing.ts'
import { coins } from '../ui/icons/sending.ts'
import { Content } from '../ui/layout/content.tsx'
import { Hero } from '../ui/layout/hero.tsx'
import { Circle } from '../ui/layout/hero-art.tsx'
import { Body, Footer } from '../ui/layout/layout.tsx'
import { useAnnounced } from '../ui/panel/use-announced.ts'
import { Figure } from '../ui/text/figure.tsx'
import { useWords } from '../ui/text/words.tsx'
import { Address } from '../ui/wallet/address.tsx'
import { Details } from '../ui/wallet/detail-row.tsx'
import { fundingLimits } from './limits.ts'
import type { FundingMethodName } from './method.ts'
import type { FundingTarget } from './target.ts'

export interface SelectMethodProps {
  target: Pick<FundingTarget, 'address' | 'network' | 'symbol' | 'decimals'>
  methods: readonly FundingMethodName[]
  /** `undefined` while it is unknown. */
  balance?: bigint | undefined
  /** Why the latest method has ended without money. */
  error?: string | undefined
}
export type SelectMethodAnswer = FundingMethodName

/** The ways in which money comes into the wallet. */
export const selectMethod = defineScreen<SelectMethodProps, SelectMethodAnswer>('funding-method', {
  view: SelectMethod,
  size: 'compact',
})

function SelectMethod({
  target,
  methods,
  balance,
  error,
  busy,
  answer,
}: SelectMethodProps & Answering<SelectMethodAnswer>) {
  const { address, network, symbol, decimals } = target
  const t = useWords()
  useAnnounced(error, 'alert')
  return (
    <>
      <Body>
        <Hero art={<Circle icon={coins} />} title={t('funding.title', { wallet: network })} />
        <Content gap={8}>
          {error !== undefined && <Banner tone="danger">{error}</Banner>}
          {methods.includes('wallet') && (
            <Row
              icon={<Icon path={wallet} size={24} stroke={1.75} />}
              label={t('funding.transfer')}
              detail={t('funding.transfer.hint')}
              busy={busy === 'wallet'}
              inert={busy !== undefined && busy !== 'wallet'}
              onClick={() => answer('wallet')}
            />
          )}
          {methods.includes('manual') && (
            <Row
              icon={<Icon path={qrCode} size={24} stroke={1.75} />}
              label={t('funding.receive')}
              detail={t('funding.receive.hint')}
              busy={busy === 'manual'}
              inert={busy !== undefined && busy !== 'manual'}
              onClick={() => answer('manual')}
            />
          )}
        </Content>
      </Body>
      <Footer>
        <Details
          rows={[
            [t('funding.wallet'), <Address key="address">{address}</Address>],
            [
              t('funding.balance'),
              balance === undefined ? (
                t('funding.balance.loading')
              ) : (
                <Figure key="balance">{`${formatRounded(balance, decimals, fundingLimits.places)} ${symbol}`}</Figure>
              ),
            ],
          ]}
        />
      </Footer>
    </>
  )
}
