import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { formatDollars, formatRounded } from '../../ethereum/amounts.ts'
import { isFresh, type Price, worthOf } from '../../lib/price.ts'
import { Row } from '../../ui/actions/row.tsx'
import { Body } from '../../ui/layout/layout.tsx'
import { Card, Section } from '../../ui/layout/section.tsx'
import { Dotted } from '../../ui/text/dotted.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { shortAddress } from '../../ui/wallet/address-text.ts'
import { AssetMark } from '../../ui/wallet/asset-mark.tsx'
import { Holding } from '../../ui/wallet/holding.tsx'
import { sendLimits } from './limits.ts'

export interface SendAssetProps {
  wallets: readonly {
    readonly chainType: 'ethereum' | 'solana'
    readonly address: string
    /** The name of an external wallet. */
    readonly name?: string | undefined
    readonly assets: readonly {
      /** Names it in an answer. */
      readonly key: string
      /** CAIP-2 */
      readonly chain: string
      /** The contract or mint; `undefined` for the network's own coin. */
      readonly token?: string | undefined
      readonly symbol: string
      readonly decimals: number
      readonly network: string
      readonly balance?: bigint | undefined
      readonly price?: Price | undefined
    }[]
  }[]
  /** Milliseconds since 1970: older prices are left out. */
  now: number
}
export type SendAssetAnswer = { readonly asset: string } | 'back'

/** The coins and tokens of all wallets, of which the user chooses one to send. */
export const sendAsset = defineScreen<SendAssetProps, SendAssetAnswer>('send-asset', {
  view: SendAsset,
  back: true,
})

function SendAsset({ wallets, now, busy, answer }: SendAssetProps & Answering<SendAssetAnswer>) {
  const t = useWords()
  const chosen = typeof busy === 'object' ? busy.asset : undefined
  return (
    <Body title={t('send.asset.title')}>
      {wallets.map(({ chainType, address, name, assets }) => (
        <Section
          key={address}
          title={`${name ?? t(`balances.wallet.${chainType}`)} · ${shortAddress(address)}`}
        >
          <Card>
            {assets.map(({ key, chain, token, symbol, decimals, network, balance, price }) => (
              <Row
                key={key}
                icon={<AssetMark chain={chain} token={token} symbol={symbol} />}
                label={symbol}
                busy={chosen === key}
                inert={busy !== undefined && chosen !== key}
                onClick={() => answer({ asset: key })}
                detail={
                  <Dotted
                    parts={[
                      <bdi key="network">{network}</bdi>,
                      balance === undefined && t('send.asset.unknown'),
                    ]}
                  />
                }
                figure={
                  balance !== undefined && (
                    <Holding
                      amount={formatRounded(balance, decimals, sendLimits.places)}
                      worth={price && isFresh(price, now) ? dollarsOf(balance, decimals, price) : undefined}
                    />
                  )
                }
              />
            ))}
          </Card>
        </Section>
      ))}
    </Body>
  )
}

function dollarsOf(amount: bigint, decimals: number, price: Price): string {
  const worth = worthOf(amount, decimals, price)
  return formatDollars(worth.amount, worth.decimals)
}
