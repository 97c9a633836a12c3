import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AppLink } from '../../ui/actions/app-link.tsx'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { AppTile, WalletTile } from '../../ui/actions/tile.tsx'
import { type AppLinks, useAppLinks } from '../../ui/actions/use-app-links.ts'
import { StatusLine } from '../../ui/feedback/status-line.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { useElapsed } from '../../ui/feedback/use-elapsed.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Outcome } from '../../ui/layout/hero-art.tsx'
import { Joined } from '../../ui/layout/joined.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { uiLimits } from '../../ui/limits.ts'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'
import type { ShownWallet } from '../../ui/wallet/wallet-mark.tsx'
import type { WalletPurpose } from './wallet-list.tsx'

export interface AwaitingConnectionProps {
  wallet: ShownWallet
  app: { name: string; logoUrl?: string | undefined }
  purpose: WalletPurpose
  state: 'connecting' | 'signing' | 'switching' | 'done' | 'failed'
  /** Instead of the state's own words. */
  title?: string | undefined
  detail?: string | undefined
  /** What can be done about a failure; with 'retry' also during a wait. */
  action?: 'retry' | 'other' | 'close' | undefined
  /** The link that opens the wallet's app, on a phone. */
  link?: AppLinks | undefined
  /** Signing must begin with a press. */
  asks?: boolean | undefined
}

export type AwaitingConnectionAnswer = 'retry' | 'other' | 'close' | 'sign' | 'back'

type Props = AwaitingConnectionProps & Answering<AwaitingConnectionAnswer>

/** While a wallet is asked to connect and to sign, and how that ended. */
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
  const sleeping = useElapsed(uiLimits.waitExplained, `${state}${asks}`) && !asks
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
          {open ||
            (asks && (
              <AnswerButton gives="sign" busy={busy} answer={answer}>
                {t('connect.ask.sign')}
              </AnswerButton>
            ))}
          {action === 'retry' && (
            <AnswerButton gives="retry" busy={busy} answer={answer} kind="ghost" size="medium">
              {t('common.retry')}
            </AnswerButton>
          )}
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
  return <Success title={done}>{detail}</Success>
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
          <AnswerButton gives={action} busy={busy} answer={answer}>
            {labels[action]}
          </AnswerButton>
        </Footer>
      )}
    </>
  )
}

export const link = {
  native: 'metamask://wc?uri=wc%3Aabc',
  universal: 'https://metamask.app.link/wc?uri=wc%3Aabc',
}
