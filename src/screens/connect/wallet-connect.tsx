import type { CSSObject } from '@emotion/react'
import { color, text } from '../../../styles/tokens.ts'
import { limits } from '../../core/limits.ts'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { AppLink } from '../../ui/app-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Outcome } from '../../ui/hero-art.tsx'
import { Body, Footer } from '../../ui/layout.tsx'
import { Link } from '../../ui/link.tsx'
import { useAnnounced } from '../../ui/panel-context.tsx'
import { QrCard } from '../../ui/qr-card.tsx'
import { StatusLine } from '../../ui/status-line.tsx'
import { WalletTile } from '../../ui/tile.tsx'
import { type AppLinks, useAppLinks } from '../../ui/use-app-links.ts'
import { useElapsed } from '../../ui/use-elapsed.ts'
import { useWalletPicture } from '../../ui/use-wallet-picture.ts'
import type { ShownWallet } from '../../ui/wallet-mark.tsx'
import { useWords } from '../../ui/words.tsx'

export interface WalletConnectCodeProps {
  wallet: ShownWallet
  /** By which the wallet finds this page; it comes after a moment. */
  uri: string | undefined
  /** The wallet's app is on this device. */
  mobile: boolean
  links?: AppLinks | undefined
  installUrl?: string | undefined
  /** The code is good for nothing any more. */
  expired?: boolean | undefined
  /** Why there is no code. */
  failure?: string | undefined
}
export type WalletConnectCodeAnswer = 'retry' | 'back'
type Props = WalletConnectCodeProps & Answering<WalletConnectCodeAnswer>

/** The code, or on a phone the link, by which a wallet elsewhere finds this page. Spec §2 "wallet-connect QR modal". */
export const walletConnectCode = defineScreen<WalletConnectCodeProps, WalletConnectCodeAnswer>(
  'wallet-connect',
  { view: WalletConnectCode, back: true },
)

function WalletConnectCode(props: Props) {
  if (props.failure !== undefined) return <Failed {...props} failure={props.failure} />
  return props.mobile ? <OpenApp {...props} /> : <Scan {...props} />
}

/** Where the wallet is not one of them but any that speaks the protocol, it has no name to call. */
const isNameless = ({ id }: ShownWallet) => id === 'wallet_connect'

function Scan(props: Props) {
  const { wallet, uri, installUrl, expired } = props
  const t = useWords()
  const nameless = isNameless(wallet)
  const named = { wallet: wallet.name }
  const long = useElapsed(limits.waitExplained, uri) && uri !== undefined
  const slow = t(nameless ? 'connect.code.anySlow' : 'connect.code.slow', named)
  useAnnounced(long && !expired && slow)
  useAnnounced(expired && t('connect.code.expired'), 'alert')
  return (
    <>
      <Body>
        <Hero title={t(nameless ? 'connect.code.anyTitle' : 'connect.code.title', named)}>
          {expired ? t('connect.code.expired') : t(nameless ? 'connect.code.anyText' : 'connect.code.text')}
        </Hero>
        <Code {...props} />
        <StatusLine busy={!long}>
          {expired
            ? undefined
            : long
              ? slow
              : t(uri === undefined ? 'connect.code.preparing' : 'connect.code.waiting')}
        </StatusLine>
      </Body>
      {!nameless && installUrl && (
        <Footer>
          <Install {...props} />
        </Footer>
      )}
    </>
  )
}

function Code({ wallet, uri, expired, busy, answer }: Props) {
  const t = useWords()
  const { picture } = useWalletPicture(wallet)
  return (
    <QrCard
      value={uri}
      name={t(isNameless(wallet) ? 'connect.code.anyQr' : 'connect.code.qr', { wallet: wallet.name })}
      copyName={t('connect.code.copy')}
      logoUrl={picture ?? undefined}
      onRenew={expired ? () => answer('retry') : undefined}
      renewing={busy === 'retry'}
      disabled={busy !== undefined}
    />
  )
}

/** On a phone: a link to the wallet's app. When nothing opens there is the code for another device, and the shop. */
function OpenApp(props: Props) {
  const { wallet, uri, links, expired, busy, answer } = props
  const t = useWords()
  const nameless = isNameless(wallet)
  const named = { wallet: wallet.name }
  const { href, missed, follow, followed } = useAppLinks(
    uri === undefined ? [] : [links?.native, links?.universal, nameless ? uri : undefined],
  )
  const long = useElapsed(limits.waitExplained, followed) && followed > 0
  const slow = t(nameless ? 'connect.app.anySlow' : 'connect.app.slow', named)
  const nothing = t(nameless ? 'connect.app.anyNothing' : 'connect.app.nothing')
  const expiry = t('connect.app.expired')
  const lost = missed && !expired
  useAnnounced(lost ? nothing : long && slow)
  useAnnounced(expired && expiry, 'alert')
  if (uri !== undefined && !href) return <Scan {...props} />
  const open = t(nameless ? 'connect.app.anyOpen' : 'connect.open', named)
  return (
    <>
      <Body>
        <Hero
          art={!lost && <WalletTile {...wallet} />}
          title={t(nameless ? 'connect.app.anyTitle' : 'connect.app.title', named)}
        >
          {expired ? expiry : lost ? nothing : t('connect.app.text')}
        </Hero>
        {lost ? (
          <Code {...props} />
        ) : (
          <StatusLine busy={!href}>
            {expired ? undefined : href ? (long ? slow : undefined) : t('connect.code.preparing')}
          </StatusLine>
        )}
      </Body>
      <Footer>
        {expired ? (
          <Button busy={busy === 'retry'} disabled={busy !== undefined} onClick={() => answer('retry')}>
            {t('common.retry')}
          </Button>
        ) : href ? (
          <AppLink href={href} onFollow={follow}>
            {open}
          </AppLink>
        ) : (
          <Button busy>{open}</Button>
        )}
        {lost && <Install {...props} />}
      </Footer>
    </>
  )
}

/** For those who don't have the wallet yet. */
function Install({ wallet, installUrl }: Props) {
  const t = useWords()
  const named = { wallet: wallet.name }
  if (!installUrl || isNameless(wallet)) return null
  return (
    <p css={note}>
      {t('connect.code.no', named)} <Link href={installUrl}>{t('connect.code.get', named)}</Link>
    </p>
  )
}

function Failed({ failure, busy, answer }: Props & { failure: string }) {
  const t = useWords()
  useAnnounced(failure, 'alert')
  return (
    <>
      <Body>
        <Hero art={<Outcome is="failure" />} title={t('connect.code.failed')}>
          {failure}
        </Hero>
      </Body>
      <Footer>
        <Button busy={busy === 'retry'} disabled={busy !== undefined} onClick={() => answer('retry')}>
          {t('common.retry')}
        </Button>
      </Footer>
    </>
  )
}

const note: CSSObject = {
  ...text('body'),
  margin: 0,
  color: color('text-muted'),
  textAlign: 'center',
  textWrap: 'balance',
}

const uri =
  'wc:7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9@2?relay-protocol=irn&symKey=587d5484ce2a2a6ee3ba1962fdd7e8588e06200c46823bd18fbd67def96ad303&expiryTimestamp=1893456000'
const rainbow = {
  wallet: { id: 'rainbow', name: 'Rainbow' },
  installUrl: 'https://rainbow.me',
  uri,
  mobile: false,
} as const
const nameless = { wallet: { id: 'wallet_connect', name: 'WalletConnect' }, uri, mobile: false } as const
const links = {
  native: `rainbow://wc?uri=${encodeURIComponent(uri)}`,
  universal: `https://rnbwapp.com/wc?uri=${encodeURIComponent(uri)}`,
}
export const examples = {
  code: { props: rainbow },
  'any wallet': { props: nameless },
  preparing: { props: { ...rainbow, uri: undefined } },
  expired: { props: { ...rainbow, expired: true } },
  renewing: { props: { ...rainbow, expired: true }, busy: 'retry' },
  failed: {
    props: { ...rainbow, uri: undefined, failure: 'Check your internet connection and try again.' },
  },
  retrying: {
    props: { ...rainbow, uri: undefined, failure: 'Check your internet connection and try again.' },
    busy: 'retry',
  },
  'going back': { props: rainbow, busy: 'back' },
  'unknown wallet': { props: { ...rainbow, wallet: { id: 'haha', name: 'HaHa' } } },
  'longest words': {
    props: {
      ...rainbow,
      wallet: { id: 'long', name: 'Genossenschaftliche Energie-Brieftasche' },
      uri: `${uri}&methods=${'wallet_switchEthereumChain,personal_sign,'.repeat(8)}`,
    },
  },
  'on a phone': { props: { ...rainbow, mobile: true, links } },
  'preparing on a phone': { props: { ...rainbow, mobile: true, uri: undefined } },
  'any wallet on a phone': { props: { ...nameless, mobile: true } },
  'without a link on a phone': { props: { ...rainbow, mobile: true } },
  'expired on a phone': { props: { ...rainbow, mobile: true, links, expired: true } },
  'renewing on a phone': { props: { ...rainbow, mobile: true, links, expired: true }, busy: 'retry' },
} satisfies Examples<typeof walletConnectCode>
