import type { CSSObject } from '@emotion/react'
import { type ReactNode, useRef } from 'react'
import { edge } from '../../../styles/edge.ts'
import { color, radius, text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { LinkButton } from '../../ui/actions/link-button.tsx'
import { Row, RowWords } from '../../ui/actions/row.tsx'
import { Legal, type LegalUrls } from '../../ui/brand/legal.tsx'
import { MethodIcon } from '../../ui/brand/method-icon.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { ellipsis, wallet as walletIcon } from '../../ui/icons/landing.ts'
import { Body, Footer, giving } from '../../ui/layout/layout.tsx'
import { enter } from '../../ui/panel/panel.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { type ShownWallet, WalletMark } from '../../ui/wallet/wallet-mark.tsx'
import { WalletRow } from '../../ui/wallet/wallet-row.tsx'
import { walletsLimits } from '../limits.ts'
import { type ListedWallet, WalletSearch } from './wallet-search.tsx'

/** What a wallet is asked for. */
export type WalletPurpose = 'log-in' | 'connect' | 'link'

export interface WalletListProps {
  purpose: WalletPurpose
  /** The whole list; for `main` the screen shows the first ones. */
  wallets: readonly ListedWallet[]
  /** `more`: the whole list; `all`: every known wallet. Both have a search. */
  page: 'main' | 'more' | 'all'
  /** What a logged-in person has connected already. */
  connected?: readonly (ShownWallet & { readonly address: string })[] | undefined
  error?: string | undefined
  legal?: LegalUrls | undefined
}

export type WalletListAnswer = { wallet: string } | 'more' | 'missing' | 'back'

/** Where a person chooses a wallet. */
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
            seen={page === 'more' ? walletsLimits.walletRows : 0}
            rows={rows}
            inert={busy !== undefined}
            onPick={(key) => answer({ wallet: key })}
            onAll={page === 'more' ? () => answer('missing') : undefined}
          />
        </div>
      </Body>
    )
  const overflow = wallets.length > walletsLimits.walletRowsExact
  return (
    <>
      <Body key="main" title={t(purpose === 'link' ? 'connect.list.linkTitle' : 'connect.list.title')}>
        <div css={[column, turned && enter(true)]}>
          {problem}
          {connected.length > 0 && <Connected wallets={connected} />}
          {rows(overflow ? wallets.slice(0, walletsLimits.walletRows) : wallets)}
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
            <RowWords
              icon={<WalletMark id={id} name={name} icon={icon} />}
              label={name}
              chip={<Address short>{address}</Address>}
            />
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
  padding: '3px 11px',
  border: edge,
  borderRadius: radius(12),
  background: color('surface-sunken'),
  listStyle: 'none',
}

const item: CSSObject = {
  ...text('label'),
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  minHeight: 44,
  paddingBlock: 4,
}
