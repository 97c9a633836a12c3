import { limits } from '../../core/limits.ts'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { AppLink } from '../../ui/app-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Outcome } from '../../ui/hero-art.tsx'
import { Joined } from '../../ui/joined.tsx'
import { Body, Footer } from '../../ui/layout.tsx'
import { useAnnounced } from '../../ui/panel-context.tsx'
import { StatusLine } from '../../ui/status-line.tsx'
import { AppTile, WalletTile } from '../../ui/tile.tsx'
import { type AppLinks, useAppLinks } from '../../ui/use-app-links.ts'
import { useElapsed } from '../../ui/use-elapsed.ts'
import type { ShownWallet } from '../../ui/wallet-mark.tsx'
import { useWords } from '../../ui/words.tsx'
import type { WalletPurpose } from './wallet-list.tsx'

export interface AwaitingConnectionProps {
  wallet: ShownWallet
  app: { name: string; logoUrl?: string | undefined }
  purpose: WalletPurpose
  state: 'connecting' | 'signing' | 'switching' | 'done' | 'failed'
  /** Instead of the state's own words. */
  title?: string | undefined
  detail?: string | undefined
  /** What can be done about a failure; with 'retry' also about a wait. */
  action?: 'retry' | 'other' | 'close' | undefined
  /** Where the wallet's app is opened, on a phone. */
  link?: AppLinks | undefined
  /** Signing must be begun by a press. */
  asks?: boolean | undefined
}
export type AwaitingConnectionAnswer = 'retry' | 'other' | 'close' | 'sign' | 'back'
type Props = AwaitingConnectionProps & Answering<AwaitingConnectionAnswer>

/** While a wallet is asked to connect and to sign, and how that ended. Spec §4 "Wallet connection". */
export const awaitingConnection = defineScreen<AwaitingConnectionProps, AwaitingConnectionAnswer>(
  'awaiting-connection',
  { view: AwaitingConnection, size: 'compact', back: ({ state }) => state !== 'done' },
)

function AwaitingConnection(props: Props) {
  if (props.state === 'done') return <Done {...props} />
  return props.state === 'failed' ? <Failed {...props} /> : <Asking {...props} />
}

function Asking({ wallet, app, state, title, detail, action, link, asks, busy, answer }: Props) {
  const t = useWords()
  const named = { wallet: wallet.name }
  const { href, follow } = useAppLinks([link?.native, link?.universal])
  const sleeping = useElapsed(limits.waitExplained, `${state}${asks}`) && !asks
  const words = detail ?? t(asks ? 'connect.ask.text' : texts[state as keyof typeof texts])
  const status =
    state === 'switching' ? t('connect.switching') : sleeping ? t('connect.slow', named) : undefined
  useAnnounced(status ?? (state === 'signing' && words))
  const open = href && (
    <AppLink
      href={href}
      onFollow={() => {
        follow()
        if (asks && busy === undefined) answer('sign')
      }}
    >
      {t('connect.open', named)}
    </AppLink>
  )
  const button = (to: 'sign' | 'retry', label: string) => (
    <Button
      kind={to === 'sign' ? 'primary' : 'ghost'}
      size={to === 'sign' ? 'large' : 'medium'}
      busy={busy === to}
      disabled={busy !== undefined && busy !== to}
      onClick={() => answer(to)}
    >
      {label}
    </Button>
  )
  return (
    <>
      <Body>
        <Hero
          art={<Joined from={<AppTile {...app} />} to={<WalletTile {...wallet} />} />}
          title={title ?? t(asks ? 'connect.ask.title' : 'connect.waiting.title', named)}
        >
          {words}
        </Hero>
        <StatusLine busy={state === 'switching'}>{status}</StatusLine>
      </Body>
      {(open || asks || action === 'retry') && (
        <Footer>
          {open || (asks && button('sign', t('connect.ask.sign')))}
          {action === 'retry' && button('retry', t('common.retry'))}
        </Footer>
      )}
    </>
  )
}

const texts = {
  connecting: 'connect.waiting.connect',
  signing: 'connect.waiting.sign',
  switching: 'connect.waiting.switch',
} as const

function Done({ wallet, purpose, title, detail }: Props) {
  const t = useWords()
  const done =
    title ?? t(purpose === 'link' ? 'connect.done.linked' : 'connect.done.title', { wallet: wallet.name })
  useAnnounced(done)
  return (
    <Body>
      <Hero art={<Outcome is="success" />} title={done}>
        {detail}
      </Hero>
    </Body>
  )
}

function Failed({ title, detail, action, busy, answer }: Props) {
  const t = useWords()
  const labels = {
    retry: t('common.retry'),
    other: t('connect.other'),
    close: t('common.close'),
  }
  useAnnounced(detail, 'alert')
  return (
    <>
      <Body>
        <Hero art={<Outcome is="failure" />} title={title ?? t('connect.failed.title')}>
          {detail}
        </Hero>
      </Body>
      {action && (
        <Footer>
          <Button busy={busy === action} disabled={busy !== undefined} onClick={() => answer(action)}>
            {labels[action]}
          </Button>
        </Footer>
      )}
    </>
  )
}

const metamask = { id: 'metamask', name: 'MetaMask' }
const harbor = { name: 'Harbor' }
const square =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 32 32%22%3E%3Crect width=%2232%22 height=%2232%22 rx=%228%22 fill=%22%230e9f8a%22/%3E%3Cpath d=%22M8 20a8 8 0 0 1 16 0zM8 22h16l-2 3H10z%22 fill=%22white%22/%3E%3C/svg%3E'
const asking = { wallet: metamask, app: harbor, purpose: 'log-in' } as const
const link = { native: 'metamask://wc?uri=wc%3Aabc', universal: 'https://metamask.app.link/wc?uri=wc%3Aabc' }
const failed = { ...asking, state: 'failed' } as const
const rejected = {
  ...failed,
  title: 'Request rejected',
  detail: 'The request was rejected. Please try again.',
  action: 'retry',
} as const
const used = {
  ...failed,
  title: 'Authentication failed',
  detail: 'This account has already been linked to another user.',
  action: 'other',
} as const
export const examples = {
  connecting: { props: { ...asking, state: 'connecting' } },
  'with a logo': {
    props: { ...asking, app: { name: 'Harbor', logoUrl: square }, state: 'connecting' },
  },
  'another try offered': { props: { ...asking, state: 'connecting', action: 'retry' } },
  signing: { props: { ...asking, state: 'signing' } },
  'asks to sign': { props: { ...asking, state: 'signing', asks: true } },
  'about to sign': { props: { ...asking, state: 'signing', asks: true }, busy: 'sign' },
  'switching networks': { props: { ...asking, state: 'switching' } },
  'on a phone': { props: { ...asking, state: 'connecting', link } },
  'on a phone, asks to sign': { props: { ...asking, state: 'signing', asks: true, link } },
  'on a phone, another try offered': { props: { ...asking, state: 'signing', link, action: 'retry' } },
  'unknown wallet': {
    props: { ...asking, wallet: { id: 'haha', name: 'HaHa' }, state: 'connecting' },
  },
  done: { props: { ...asking, state: 'done' } },
  linked: { props: { ...asking, purpose: 'link', state: 'done' } },
  rejected: { props: rejected },
  retrying: { props: rejected, busy: 'retry' },
  'used by somebody else': { props: used },
  'choosing another': { props: used, busy: 'other' },
  'already linked': { props: { ...failed, title: 'Wallet was already linked.', action: 'close' } },
  'given up': { props: failed },
  'going back': { props: rejected, busy: 'back' },
  'longest name': {
    props: {
      ...asking,
      wallet: { id: 'long', name: 'Genossenschaftliche Energie-Brieftasche' },
      app: { name: 'Genossenschaftliche Energieversorgung Oberland' },
      state: 'signing',
    },
  },
} satisfies Examples<typeof awaitingConnection>
