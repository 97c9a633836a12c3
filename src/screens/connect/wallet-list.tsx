import type { CSSObject } from '@emotion/react'
import { type ReactNode, useRef } from 'react'
import { color, radius, text } from '../../../styles/tokens.ts'
import { limits } from '../../core/limits.ts'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Address } from '../../ui/address.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ellipsis, wallet as walletIcon } from '../../ui/icons/lucide.ts'
import { Body, Footer, giving } from '../../ui/layout.tsx'
import { Legal, type LegalUrls } from '../../ui/legal.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { MethodIcon } from '../../ui/method-icon.tsx'
import { enter } from '../../ui/panel.tsx'
import { useAnnounced } from '../../ui/panel-context.tsx'
import { Row } from '../../ui/row.tsx'
import { type ShownWallet, WalletMark } from '../../ui/wallet-mark.tsx'
import { WalletRow } from '../../ui/wallet-row.tsx'
import { useWords } from '../../ui/words.tsx'
import { WalletSearch } from './wallet-search.tsx'

/** What a wallet is asked for. */
export type WalletPurpose = 'log-in' | 'connect' | 'link'
export interface ListedWallet extends ShownWallet {
  readonly key: string
  /** The wallet that was used last. */
  readonly recent: boolean
  /** It stands for its Solana accounts. */
  readonly solana: boolean
  /** It is in this browser, or can be reached from it; another must be installed first. */
  readonly here: boolean
}
export interface WalletListProps {
  purpose: WalletPurpose
  /** For `main` all of the list: the screen shows the first ones. */
  wallets: readonly ListedWallet[]
  /** `more`: all of the list; `all`: every wallet that there is. Both have a search. */
  page: 'main' | 'more' | 'all'
  /** What a logged-in person has connected already. */
  connected?: readonly (ShownWallet & { readonly address: string })[] | undefined
  error?: string | undefined
  legal?: LegalUrls | undefined
}
export type WalletListAnswer = { wallet: string } | 'more' | 'missing' | 'back'

/** Where a wallet is chosen. Spec §2 "Wallet list". */
export const walletList = defineScreen<WalletListProps, WalletListAnswer>('wallet-list', {
  view: WalletList,
  size: 'compact',
  back: true,
})

function WalletList(props: WalletListProps & Answering<WalletListAnswer>): ReactNode {
  const { purpose, wallets, page, connected = [], error, legal, busy, answer } = props
  const t = useWords()
  const pages = useRef(page)
  const turned = pages.current !== page
  useAnnounced(error, 'alert')
  const rows = (shown: readonly ListedWallet[]) =>
    shown.map((wallet) => (
      <WalletRow
        key={wallet.key}
        wallet={wallet}
        busy={typeof busy === 'object' && busy.wallet === wallet.key}
        inert={busy !== undefined && !(typeof busy === 'object' && busy.wallet === wallet.key)}
        onClick={() => answer({ wallet: wallet.key })}
      />
    ))
  const missing = (
    <LinkButton busy={busy === 'missing'} disabled={busy !== undefined} onClick={() => answer('missing')}>
      {t('connect.list.missing')}
    </LinkButton>
  )
  const problem = error && <Banner tone="danger">{error}</Banner>
  if (page !== 'main')
    return (
      <Body key={page} title={t(page === 'more' ? 'connect.list.more' : 'connect.list.all')} fit>
        <div css={[column, giving(200), turned && enter(false)]}>
          {problem}
          <WalletSearch
            wallets={wallets}
            rows={rows}
            inert={busy !== undefined}
            onPick={(key) => answer({ wallet: key })}
            onAll={page === 'more' ? () => answer('missing') : undefined}
          />
        </div>
      </Body>
    )
  const overflow = wallets.length > limits.walletRowsExact
  return (
    <>
      <Body key="main" title={t(purpose === 'link' ? 'connect.list.linkTitle' : 'connect.list.title')}>
        <div css={[column, turned && enter(true)]}>
          {problem}
          {connected.length > 0 && <Connected wallets={connected} />}
          {rows(overflow ? wallets.slice(0, limits.walletRows) : wallets)}
          {overflow && (
            <Row
              icon={<MethodIcon icon={ellipsis} label="…" size={28} />}
              label={t('connect.list.more')}
              busy={busy === 'more'}
              inert={busy !== undefined && busy !== 'more'}
              onClick={() => answer('more')}
            />
          )}
          {wallets.length === 0 ? (
            <Empty icon={walletIcon} text={t('connect.list.none')}>
              {missing}
            </Empty>
          ) : (
            <div css={last}>{missing}</div>
          )}
        </div>
      </Body>
      {purpose === 'log-in' && (legal?.termsUrl || legal?.privacyUrl) && (
        <Footer>
          <Legal {...legal} />
        </Footer>
      )}
    </>
  )
}

function Connected({ wallets }: { wallets: NonNullable<WalletListProps['connected']> }) {
  const t = useWords()
  return (
    <>
      <h3 css={group}>{t('connect.list.connected')}</h3>
      <ul css={known}>
        {wallets.map(({ id, name, icon, address }) => (
          <li key={`${id} ${address}`} css={item}>
            <WalletMark id={id} name={name} icon={icon} />
            <span css={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{name}</span>
            <Address short>{address}</Address>
          </li>
        ))}
      </ul>
      <h3 css={[group, { marginBlockStart: 8 }]}>{t('connect.list.another')}</h3>
    </>
  )
}

const column: CSSObject = { display: 'flex', flexDirection: 'column', gap: 8 }
const last: CSSObject = { display: 'grid', justifyItems: 'center', marginBlockStart: 4 }
const group: CSSObject = { ...text('detail'), margin: 0, fontWeight: 500, color: color('text-muted') }
const known: CSSObject = {
  display: 'flex',
  flexDirection: 'column',
  margin: 0,
  padding: '3px 12px',
  borderRadius: radius(12),
  background: color('surface-sunken'),
  listStyle: 'none',
}
const item: CSSObject = { ...text('label'), display: 'flex', alignItems: 'center', gap: 12, minHeight: 44 }

const listed = (id: string, name: string, more: Partial<ListedWallet> = {}): ListedWallet => ({
  ...{ key: more.solana ? `${id}:solana` : id, id, name, recent: false, solana: false, here: true },
  ...more,
})
const metamask = listed('metamask', 'MetaMask')
const solana = listed('phantom', 'Phantom', { solana: true })
const coinbase = listed('coinbase_wallet', 'Coinbase Wallet')
const rainbow = listed('rainbow', 'Rainbow')
const walletConnect = listed('wallet_connect', 'WalletConnect')
const others = /* @__PURE__ */ [
  ['zerion', 'Zerion'],
  ['rabby_wallet', 'Rabby Wallet'],
  ['okx_wallet', 'OKX Wallet'],
  ['safe', 'Safe'],
  ['trust', 'Trust'],
  ['uniswap', 'Uniswap Wallet'],
  ['bybit_wallet', 'Bybit Wallet'],
  ['cryptocom', 'Crypto.com Onchain'],
  ['ronin_wallet', 'Ronin Wallet'],
  ['ledger', 'Ledger'],
  ['argent', 'Argent'],
].map(([id = '', name = '']) => listed(id, name))
const backpack = listed('backpack', 'Backpack', { here: false, solana: true })
const solflare = listed('solflare', 'Solflare', { here: false })
const announced = listed('harbor_wallet', 'Harbor Wallet', {
  icon: 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 32 32%22%3E%3Crect width=%2232%22 height=%2232%22 fill=%22%230e9f8a%22/%3E%3Cpath d=%22M8 20a8 8 0 0 1 16 0zM8 22h16l-2 3H10z%22 fill=%22white%22/%3E%3C/svg%3E',
})
const four: WalletListProps = {
  purpose: 'log-in',
  wallets: [metamask, solana, coinbase, walletConnect],
  page: 'main',
  legal: { termsUrl: 'https://harbor.example/terms', privacyUrl: 'https://harbor.example/privacy' },
}
const many: WalletListProps = {
  ...four,
  wallets: [{ ...metamask, recent: true }, solana, coinbase, rainbow, walletConnect, ...others],
}
const link: WalletListProps = { ...four, purpose: 'link', legal: undefined }
const connect: WalletListProps = {
  ...link,
  purpose: 'connect',
  wallets: [coinbase, rainbow, walletConnect],
  connected: [
    { ...metamask, address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' },
    { ...solana, address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwnGb' },
  ],
}
export const examples = {
  'exactly four': { props: four },
  many: { props: many },
  'recent on Solana': {
    props: { ...many, wallets: [{ ...solana, recent: true }, metamask, announced, rainbow, ...others] },
  },
  'not installed': { props: { ...link, wallets: [metamask, backpack, solflare, walletConnect] } },
  'to link': { props: link },
  'to connect another': { props: connect },
  none: { props: { ...four, wallets: [] } },
  refused: {
    props: { ...many, error: 'The request was rejected. Please try again.' },
  },
  'other wallets': { props: { ...many, page: 'more' } },
  'all wallets': { props: { ...many, page: 'all' } },
  'busy with a wallet': { props: many, busy: { wallet: 'metamask' } },
  'busy with the others': { props: many, busy: 'more' },
  'busy with what is missing': { props: many, busy: 'missing' },
  'busy among the others': { props: { ...many, page: 'more' }, busy: { wallet: 'rainbow' } },
  'going back': { props: many, busy: 'back' },
  'longest names': {
    props: {
      ...many,
      wallets: [
        listed('long', 'Genossenschaftliche Energie-Brieftasche', { recent: true }),
        listed('longer', 'Donaudampfschifffahrtsgesellschaftskasse', { solana: true }),
        ...others,
      ],
    },
  },
} satisfies Examples<typeof walletList>
