import type { CSSObject } from '@emotion/react'
import { type Answering, defineScreen } from '../dialog/screen.ts'
import { formatRounded } from '../ethereum/amounts.ts'
import { AnswerButton } from '../ui/actions/button.tsx'
import { LinkButton } from '../ui/actions/link-button.tsx'
import { Row } from '../ui/actions/row.tsx'
import { Icon } from '../ui/brand/icon.tsx'
import { Banner } from '../ui/feedback/banner.tsx'
import { Chip } from '../ui/feedback/chip.tsx'
import { creditCard, landmark, qrCode } from '../ui/icons/funding.ts'
import { wallet } from '../ui/icons/landing.ts'
import { coins, history } from '../ui/icons/sending.ts'
import { Content } from '../ui/layout/content.tsx'
import { Hero } from '../ui/layout/hero.tsx'
import { Circle } from '../ui/layout/hero-art.tsx'
import { Body, Footer } from '../ui/layout/layout.tsx'
import { Card, Section } from '../ui/layout/section.tsx'
import { useAnnounced } from '../ui/panel/use-announced.ts'
import { Dotted } from '../ui/text/dotted.tsx'
import { useWords } from '../ui/text/words.tsx'
import { PayingWallet } from '../ui/wallet/request.tsx'
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
  /** `back`: the user came from a transaction. `skip`: they were offered to add funds, and needn't. */
  exit?: 'back' | 'skip' | undefined
  /** The provider that is proposed for cards, and whether there are others. */
  provider?: string | undefined
  hasOtherProvider?: boolean | undefined
  /** The exchange. */
  exchange?: string | undefined
  /** `undefined` while they are unknown. */
  purchases?: readonly UnfinishedPurchase[] | undefined
}
/** A purchase that is not over, ready to be read. */
export interface UnfinishedPurchase {
  readonly id: string
  /** With its symbol. */
  readonly amount: string
  readonly provider: string
  readonly when: string
  readonly state: string
  readonly tone: 'accent' | 'success' | 'plain'
}
export type SelectMethodAnswer =
  | FundingMethodName
  | 'other-provider'
  | 'back'
  | 'skip'
  | { readonly purchase: string }

/** The ways in which money comes into the wallet. */
export const selectMethod = defineScreen<SelectMethodProps, SelectMethodAnswer>('funding-method', {
  view: SelectMethod,
  // Two ways fit above the wallet without scrolling.
  size: ({ methods, purchases = [] }) => (methods.length + purchases.length > 2 ? 'full' : 'compact'),
  back: ({ exit }) => exit === 'back',
})

function SelectMethod({
  target,
  methods,
  balance,
  error,
  exit,
  provider,
  hasOtherProvider,
  exchange,
  purchases = [],
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
          {purchases.length > 0 && (
            <div css={apart}>
              <Section title={t('funding.purchase.unfinished')}>
                <Card>
                  {purchases.map((each) => {
                    const isChosen = typeof busy === 'object' && busy.purchase === each.id
                    return (
                      <Row
                        key={each.id}
                        icon={<Icon path={history} size={24} stroke={1.75} />}
                        label={each.amount}
                        detail={
                          <Dotted
                            parts={[
                              <bdi key="provider">{each.provider}</bdi>,
                              <bdi key="when">{each.when}</bdi>,
                            ]}
                          />
                        }
                        chip={<Chip tone={each.tone}>{each.state}</Chip>}
                        stacked
                        busy={isChosen}
                        inert={busy !== undefined && !isChosen}
                        onClick={() => answer({ purchase: each.id })}
                      />
                    )
                  })}
                </Card>
              </Section>
            </div>
          )}
          {methods.includes('card') && (
            <Row
              icon={<Icon path={creditCard} size={24} stroke={1.75} />}
              label={t('funding.card')}
              detail={provider !== undefined && t('funding.card.hint', { provider })}
              busy={busy === 'card'}
              inert={busy !== undefined && busy !== 'card'}
              onClick={() => answer('card')}
            />
          )}
          {methods.includes('exchange') && (
            <Row
              icon={<Icon path={landmark} size={24} stroke={1.75} />}
              label={t('funding.exchange')}
              detail={exchange !== undefined && t('funding.exchange.hint', { provider: exchange })}
              busy={busy === 'exchange'}
              inert={busy !== undefined && busy !== 'exchange'}
              onClick={() => answer('exchange')}
            />
          )}
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
          {methods.includes('card') && hasOtherProvider && (
            <LinkButton onward="below" disabled={busy !== undefined} onClick={() => answer('other-provider')}>
              {t('funding.card.other')}
            </LinkButton>
          )}
        </Content>
      </Body>
      <Footer>
        <PayingWallet
          address={address}
          balance={
            balance === undefined
              ? undefined
              : `${formatRounded(balance, decimals, fundingLimits.places)} ${symbol}`
          }
          isPending={balance === undefined}
        />
        {exit === 'skip' && (
          <AnswerButton gives="skip" busy={busy} answer={answer} kind="ghost">
            {t('funding.skip')}
          </AnswerButton>
        )}
      </Footer>
    </>
  )
}

/** Farther from what else can be chosen than that is from one another. */
const apart: CSSObject = { marginBlockEnd: 8 }
