import { type Answering, defineScreen } from '../dialog/screen.ts'
import { formatDollars, formatRounded } from '../ethereum/amounts.ts'
import { isFresh, worthOf } from '../lib/price.ts'
import { Button } from '../ui/actions/button.tsx'
import { FixedRow } from '../ui/actions/fixed-row.tsx'
import { Empty } from '../ui/feedback/empty.tsx'
import { Pending } from '../ui/feedback/pending.tsx'
import { wallet as walletIcon } from '../ui/icons/landing.ts'
import { Body, Footer } from '../ui/layout/layout.tsx'
import { Card, Section } from '../ui/layout/section.tsx'
import { useAnnounced } from '../ui/panel/use-announced.ts'
import { Dotted } from '../ui/text/dotted.tsx'
import { useWords } from '../ui/text/words.tsx'
import { shortAddress } from '../ui/wallet/address-text.ts'
import { AssetMark } from '../ui/wallet/asset-mark.tsx'
import { Holding } from '../ui/wallet/holding.tsx'
import type { Balance } from './balances.ts'
import { balancesLimits } from './limits.ts'

export interface WalletBalancesProps {
  wallets: readonly {
    readonly chainType: 'ethereum' | 'solana'
    readonly address: string
    readonly balances: readonly Balance[]
  }[]
  /** The networks are being asked. */
  isRefreshing: boolean
  /** Milliseconds since 1970: older prices are left out. */
  now: number
}

/** What the user's wallets hold. */
export const walletBalances = defineScreen<WalletBalancesProps, 'refresh'>('wallet-balances', {
  view: WalletBalances,
})

function WalletBalances({
  wallets,
  isRefreshing,
  now,
  busy,
  answer,
}: WalletBalancesProps & Answering<'refresh'>) {
  const t = useWords()
  useAnnounced(isRefreshing ? t('balances.loading') : undefined)
  return (
    <>
      <Body title={t('balances.title')}>
        {wallets.length === 0 && <Empty icon={walletIcon} text={t('balances.none')} />}
        {wallets.map(({ chainType, address, balances }) => (
          <Section key={address} title={`${t(`balances.wallet.${chainType}`)} · ${shortAddress(address)}`}>
            <Card>
              {balances
                .filter(({ status }) => status !== 'no-token')
                .map((balance) => (
                  <BalanceRow key={`${balance.chain} ${balance.token ?? ''}`} balance={balance} now={now} />
                ))}
            </Card>
          </Section>
        ))}
      </Body>
      {wallets.length > 0 && (
        <Footer>
          <Button
            kind="secondary"
            busy={isRefreshing || busy === 'refresh'}
            onClick={() => answer('refresh')}
          >
            {t('balances.refresh')}
          </Button>
        </Footer>
      )}
    </>
  )
}

function BalanceRow({ balance, now }: { balance: Balance; now: number }) {
  const { chain, network, symbol, token, amount, decimals, status, price } = balance
  const t = useWords()
  // A token is named by its contract only where it has no name.
  const unit = symbol ?? (status === 'loading' ? undefined : shortAddress(token ?? ''))
  const worth =
    amount !== undefined && decimals !== undefined && price && isFresh(price, now)
      ? worthOf(amount, decimals, price)
      : undefined
  return (
    <FixedRow
      icon={<AssetMark chain={chain} token={token} symbol={symbol ?? ''} />}
      label={unit ?? <Pending>{t('common.loading')}</Pending>}
      detail={
        <Dotted
          parts={[<bdi key="network">{network}</bdi>, status === 'unreachable' && t('balances.unreachable')]}
        />
      }
      figure={
        <Holding
          amount={
            amount === undefined || decimals === undefined
              ? undefined
              : formatRounded(amount, decimals, balancesLimits.places)
          }
          worth={worth && formatDollars(worth.amount, worth.decimals)}
          isPending={status === 'loading'}
        />
      }
    />
  )
}
