import { type Answering, defineScreen } from '../dialog/screen.ts'
import { formatRounded } from '../ethereum/amounts.ts'
import { FixedRow } from '../ui/actions/fixed-row.tsx'
import { Banner } from '../ui/feedback/banner.tsx'
import { Body, Footer } from '../ui/layout/layout.tsx'
import { Card } from '../ui/layout/section.tsx'
import { useAnnounced } from '../ui/panel/use-announced.ts'
import { useWords } from '../ui/text/words.tsx'
import { Address } from '../ui/wallet/address.tsx'
import { AssetMark } from '../ui/wallet/asset-mark.tsx'
import { Details } from '../ui/wallet/detail-row.tsx'
import { Holding } from '../ui/wallet/holding.tsx'
import { networkRow } from '../ui/wallet/network-row.tsx'
import { Decision, RequestedBy } from '../ui/wallet/request.tsx'
import { balancesLimits } from './limits.ts'

export interface WatchTokenProps {
  /** As its contract describes itself. */
  token: {
    readonly address: string
    readonly symbol: string
    readonly decimals: number
    readonly name?: string | undefined
  }
  network: { readonly chain: string; readonly name: string }
  /** The wallet's, in smallest units; `undefined`: the contract doesn't say it. */
  balance: bigint | undefined
  /** Another coin or token of the network has the same symbol. */
  isNamesake: boolean
  /** According to the page itself. */
  origin: string
}

/** A token that the page wants to see among the balances of a wallet. */
export const watchToken = defineScreen<WatchTokenProps, 'add' | 'cancel'>('watch-token', {
  view: WatchToken,
})

function WatchToken({
  token,
  network,
  balance,
  isNamesake,
  origin,
  busy,
  answer,
}: WatchTokenProps & Answering<'add' | 'cancel'>) {
  const { address, symbol, name, decimals } = token
  const t = useWords()
  const warning = isNamesake ? t('balances.watch.namesake', { symbol }) : undefined
  useAnnounced(warning, 'alert')
  return (
    <>
      <Body title={t('balances.watch.title')} subtitle={t('balances.watch.text')}>
        <Card>
          <FixedRow
            icon={<AssetMark chain={network.chain} token={address} symbol={symbol} />}
            label={<bdi>{symbol}</bdi>}
            detail={name !== undefined && <bdi>{name}</bdi>}
            figure={
              balance !== undefined && (
                <Holding amount={formatRounded(balance, decimals, balancesLimits.places)} />
              )
            }
          />
        </Card>
        <Details
          rows={[
            networkRow(t('sign.network'), network.chain, network.name),
            [t('balances.watch.contract'), <Address key="contract">{address}</Address>],
          ]}
        />
        <RequestedBy origin={origin} />
      </Body>
      <Footer>
        {warning && <Banner tone="warning">{warning}</Banner>}
        <Decision agree="add" words={t('balances.watch.add')} busy={busy} answer={answer} />
      </Footer>
    </>
  )
}
