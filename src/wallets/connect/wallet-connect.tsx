import type { CSSObject } from '@emotion/react'
import { color, text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AppLink } from '../../ui/actions/app-link.tsx'
import { AnswerButton, Button } from '../../ui/actions/button.tsx'
import { Link } from '../../ui/actions/link.tsx'
import { WalletTile } from '../../ui/actions/tile.tsx'
import { type AppLinks, useAppLinks } from '../../ui/actions/use-app-links.ts'
import { StatusLine } from '../../ui/feedback/status-line.tsx'
import { useElapsed } from '../../ui/feedback/use-elapsed.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Outcome } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { uiLimits } from '../../ui/limits.ts'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { QrCard } from '../../ui/qr/qr-card.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { useWalletPicture } from '../../ui/wallet/use-wallet-picture.ts'
import type { ShownWallet } from '../../ui/wallet/wallet-mark.tsx'

export interface WalletConnectCodeProps {
  wallet: ShownWallet
  /** The address by which the wallet finds this page; it arrives after a moment. */
  uri: string | undefined
  /** The wallet's app is on this device. */
  mobile: boolean
  links?: AppLinks | undefined
  installUrl?: string | undefined
  /** The code has expired. */
  expired?: boolean | undefined
  /** Why there is no code. */
  failure?: string | undefined
}

export type WalletConnectCodeAnswer = 'retry' | 'back'

type Props = WalletConnectCodeProps & Answering<WalletConnectCodeAnswer>

/** The code, or on a phone the link, by which a wallet elsewhere finds this page. */
export const walletConnectCode = defineScreen<WalletConnectCodeProps, WalletConnectCodeAnswer>(
  'wallet-connect',
  {
    view: WalletConnectCode,
    size: ({ failure }) => (failure === undefined ? 'full' : 'compact'),
    back: true,
  },
)

function WalletConnectCode(props: Props) {
  if (props.failure !== undefined) return <Failed {...props} failure={props.failure} />
  return props.mobile ? <OpenApp {...props} /> : <Scan {...props} />
}

/** Any wallet that speaks the protocol may answer, so there is no name. */
const isNameless = ({ id }: ShownWallet) => id === 'wallet_connect'

function Scan(props: Props) {
  const { wallet, uri, installUrl, expired } = props
  const t = useWords()
  const nameless = isNameless(wallet)
  const named = { wallet: wallet.name }
  const long = useElapsed(uiLimits.waitExplained, uri) && uri !== undefined
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

/**
 * On a phone: a link to the wallet's app. If nothing opens, there are a code for another device and the app's
 * store page.
 */
function OpenApp(props: Props) {
  const { wallet, uri, links, expired, busy, answer } = props
  const t = useWords()
  const nameless = isNameless(wallet)
  const named = { wallet: wallet.name }
  const { href, missed, follow, followed } = useAppLinks(
    uri === undefined ? [] : [links?.native, links?.universal, nameless ? uri : undefined],
  )
  const long = useElapsed(uiLimits.waitExplained, followed) && followed > 0
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
          <AnswerButton gives="retry" busy={busy} answer={answer}>
            {t('common.retry')}
          </AnswerButton>
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

/** For people who don't have the wallet yet. */
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
        <AnswerButton gives="retry" busy={busy} answer={answer}>
          {t('common.retry')}
        </AnswerButton>
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

export const uri =
  'wc:7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9@2?relay-protocol=irn&symKey=587d5484ce2a2a6ee3ba1962fdd7e8588e06200c46823bd18fbd67def96ad303&expiryTimestamp=1893456000'

export const nameless = {
  wallet: { id: 'wallet_connect', name: 'WalletConnect' },
  uri,
  mobile: false,
} as const

export const links = {
  native: `rainbow://wc?uri=${encodeURIComponent(uri)}`,
  universal: `https://rnbwapp.com/wc?uri=${encodeURIComponent(uri)}`,
}
