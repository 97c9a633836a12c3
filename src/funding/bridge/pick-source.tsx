import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { formatRounded } from '../../ethereum/amounts.ts'
import { Row, RowWords, rowLook } from '../../ui/actions/row.tsx'
import { Chip } from '../../ui/feedback/chip.tsx'
import { Content } from '../../ui/layout/content.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { unbroken } from '../../ui/text/breakable.tsx'
import { Dotted } from '../../ui/text/dotted.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { AssetMark, type ShownAsset } from '../../ui/wallet/asset-mark.tsx'
import { fundingLimits } from '../limits.ts'
import { PayWith, type PayWithProps } from './pay-with.tsx'

export interface PickSourceProps {
  wallet: PayWithProps['wallet']
  address: string
  /** Assets that the wallet can pay with, the highest balance first. */
  sources: readonly (ShownAsset & {
    /** Names it in an answer. */
    readonly key: string
    readonly network: string
    readonly decimals: number
    readonly balance: bigint
    /** The amount that the transfer takes of it. */
    readonly pays: bigint
  })[]
  /** The asset that arrives. */
  target: ShownAsset
  /** The amount that arrives: `0.02 ETH`. */
  receives: string
  network: string
}
export type PickSourceAnswer = { readonly source: string } | 'back'

/** The network and asset from which a bridge takes the money. */
export const pickSource = defineScreen<PickSourceProps, PickSourceAnswer>('bridge-source', {
  view: PickSource,
  back: true,
})

function PickSource({
  wallet,
  address,
  sources,
  target,
  receives,
  network,
  busy,
  answer,
}: PickSourceProps & Answering<PickSourceAnswer>) {
  const t = useWords()
  const chosen = typeof busy === 'object' ? busy.source : undefined
  return (
    <>
      <Body title={t('funding.bridge.title')}>
        <Content gap={16}>
          <Section title={t('funding.bridge.from')}>
            <Content>
              {sources.map(({ key, chain, token, network: from, symbol, decimals, balance, pays }, at) => (
                <Row
                  key={key}
                  icon={<AssetMark chain={chain} token={token} symbol={symbol} />}
                  label={`${symbol} · ${from}`}
                  detail={
                    <Dotted
                      parts={[
                        unbroken(
                          t('funding.bridge.pays', { amount: `${rounded(pays, decimals)} ${symbol}` }),
                        ),
                        unbroken(`${t('funding.balance')} ${rounded(balance, decimals)}`),
                      ]}
                    />
                  }
                  chip={at === 0 && <Chip tone="accent">{t('funding.transfer.highest')}</Chip>}
                  stacked
                  busy={chosen === key}
                  inert={busy !== undefined && chosen !== key}
                  onClick={() => answer({ source: key })}
                />
              ))}
            </Content>
          </Section>
          <Section title={t('funding.bridge.to')}>
            <div css={[rowLook, { cursor: 'default' }]}>
              <RowWords icon={<AssetMark {...target} />} label={network} detail={receives} />
            </div>
          </Section>
        </Content>
      </Body>
      <Footer>
        <PayWith wallet={wallet} address={address} />
      </Footer>
    </>
  )
}

const rounded = (amount: bigint, decimals: number) => formatRounded(amount, decimals, fundingLimits.places)
