import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { formatRounded } from '../../ethereum/amounts.ts'
import { Row } from '../../ui/actions/row.tsx'
import { MethodIcon } from '../../ui/brand/method-icon.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Chip } from '../../ui/feedback/chip.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { Pending } from '../../ui/feedback/pending.tsx'
import { ellipsis, wallet as walletIcon } from '../../ui/icons/landing.ts'
import { Content } from '../../ui/layout/content.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { unbroken } from '../../ui/text/breakable.tsx'
import { Dotted } from '../../ui/text/dotted.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { type ShownWallet, WalletMark } from '../../ui/wallet/wallet-mark.tsx'
import { WalletRow } from '../../ui/wallet/wallet-row.tsx'
import { type ListedWallet, WalletSearch } from '../../wallets/connect/wallet-search.tsx'
import { walletsLimits } from '../../wallets/limits.ts'
import { fundingLimits } from '../limits.ts'
import type { FundingTarget } from '../target.ts'

export interface ConnectedWalletRow extends ShownWallet {
  /** Names it in an answer. */
  readonly key: string
  readonly address: string
  /** The most valuable asset that it can pay with. */
  readonly holding:
    | 'loading'
    | 'unread'
    | {
        readonly amount: bigint
        readonly symbol: string
        readonly decimals: number
        readonly network: string
      }
  /** It has more than the others. */
  readonly isHighest?: boolean | undefined
}
export interface SelectWalletProps {
  target: Pick<FundingTarget, 'address' | 'network' | 'symbol' | 'decimals'>
  connected: readonly ConnectedWalletRow[]
  /** Wallets that can be connected. */
  others: readonly ListedWallet[]
  /** `more`: all of them, with a search. */
  page: 'main' | 'more'
  error?: string | undefined
}
export type SelectWalletAnswer =
  | { readonly connected: string }
  | { readonly wallet: string }
  | 'more'
  | 'back'

/** The wallets from which money comes: those that are connected, and others. */
export const selectWallet = defineScreen<SelectWalletProps, SelectWalletAnswer>('transfer-wallet', {
  view: SelectWallet,
  back: true,
})

function SelectWallet({
  target,
  connected,
  others,
  page,
  error,
  busy,
  answer,
}: SelectWalletProps & Answering<SelectWalletAnswer>) {
  const t = useWords()
  useAnnounced(error, 'alert')
  const isOver = connected.length + others.length > walletsLimits.walletRowsExact
  const room = isOver && page === 'main' ? walletsLimits.walletRows : Number.POSITIVE_INFINITY
  const shownConnected = connected.slice(0, room)
  const shownOthers = others.slice(0, Math.max(0, room - shownConnected.length))
  const inert = busy !== undefined
  const isBusy = (key: string) =>
    typeof busy === 'object' && ('connected' in busy ? busy.connected : busy.wallet) === key
  const rows = (wallets: readonly ListedWallet[]) =>
    wallets.map((wallet) => (
      <WalletRow
        key={wallet.key}
        wallet={wallet}
        busy={isBusy(wallet.key)}
        inert={inert && !isBusy(wallet.key)}
        onClick={() => answer({ wallet: wallet.key })}
      />
    ))
  const yours = shownConnected.map((wallet) => (
    <Row
      key={wallet.key}
      icon={<WalletMark id={wallet.id} name={wallet.name} icon={wallet.icon} />}
      label={wallet.name}
      detail={<HoldingLine wallet={wallet} target={target} />}
      stacked
      chip={wallet.isHighest && <Chip tone="accent">{t('funding.transfer.highest')}</Chip>}
      busy={isBusy(wallet.key)}
      inert={inert && !isBusy(wallet.key)}
      onClick={() => answer({ connected: wallet.key })}
    />
  ))
  const problem = error !== undefined && <Banner tone="danger">{error}</Banner>
  if (page === 'more')
    return (
      <Body title={t('funding.transfer.more')} fit>
        <Content fit>
          {problem}
          {yours}
          <WalletSearch
            wallets={others}
            seen={0}
            rows={rows}
            inert={inert}
            onPick={(key) => answer({ wallet: key })}
          />
        </Content>
      </Body>
    )
  const more = isOver && (
    <Row
      icon={<MethodIcon icon={ellipsis} label="…" size={28} />}
      label={t('funding.transfer.more')}
      busy={busy === 'more'}
      inert={inert && busy !== 'more'}
      onClick={() => answer('more')}
    />
  )
  return (
    <>
      <Body title={t('funding.transfer.title')}>
        <Content gap={16}>
          {problem}
          {yours.length > 0 && (
            <Section title={t('funding.transfer.yours')}>
              <Content>{yours}</Content>
            </Section>
          )}
          {(shownOthers.length > 0 || more) && (
            <Section title={t('funding.transfer.others')}>
              <Content>
                {rows(shownOthers)}
                {more}
              </Content>
            </Section>
          )}
          {connected.length + others.length === 0 && (
            <Empty icon={walletIcon} text={t('funding.transfer.none')} />
          )}
        </Content>
      </Body>
      <Footer>
        <Details
          rows={[[t('funding.transfer.fundsTo'), <Address key="address">{target.address}</Address>]]}
        />
      </Footer>
    </>
  )
}

function HoldingLine({
  wallet: { address, holding },
  target,
}: {
  wallet: ConnectedWalletRow
  target: SelectWalletProps['target']
}) {
  const t = useWords()
  return (
    <Dotted
      parts={[
        <Address key="address" short>
          {address}
        </Address>,
        holding === 'loading' ? (
          <Pending key="loading">{t('funding.transfer.loading')}</Pending>
        ) : holding === 'unread' ? (
          t('funding.transfer.unread')
        ) : holding.amount === 0n ? (
          t('funding.transfer.nothing', { symbol: target.symbol, network: target.network })
        ) : (
          unbroken(
            t('funding.transfer.holding', {
              amount: formatRounded(holding.amount, holding.decimals, fundingLimits.places),
              symbol: holding.symbol,
              network: holding.network,
            }),
          )
        ),
      ]}
    />
  )
}
