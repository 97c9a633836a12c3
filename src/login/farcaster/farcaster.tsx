import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton, Button } from '../../ui/actions/button.tsx'
import { Link } from '../../ui/actions/link.tsx'
import { MethodIcon } from '../../ui/brand/method-icon.tsx'
import { StatusLine } from '../../ui/feedback/status-line.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { useElapsed } from '../../ui/feedback/use-elapsed.ts'
import { useMissed } from '../../ui/feedback/use-missed.ts'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { userRound } from '../../ui/icons/lucide.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Outcome } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { uiLimits } from '../../ui/limits.ts'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { QrCard } from '../../ui/qr/qr-card.tsx'
import { useWords } from '../../ui/text/words.tsx'

interface Asking {
  /** The address that the code contains and the link opens. */
  uri: string
  /** The app is on this device. */
  mobile: boolean
  logoUrl?: string | undefined
}

interface Failed {
  title: string
  detail: string
  retryable: boolean
  /** The code that has expired. */
  expired?: Asking | undefined
}

export type FarcasterProps =
  | ({ state: 'waiting' } & Asking)
  | { state: 'checking' }
  | { state: 'done' }
  | ({ state: 'failed' } & Failed)

export type FarcasterAnswer = 'retry' | 'back'

/** Only a code needs the room. */
const sizeOf = (props: FarcasterProps) =>
  props.state === 'waiting' || (props.state === 'failed' && props.expired?.mobile === false)
    ? 'full'
    : 'compact'

/** While somebody approves a login in their Farcaster app, and how that ended. */
export const awaitingFarcaster = defineScreen<FarcasterProps, FarcasterAnswer>('awaiting-farcaster', {
  view: AwaitingFarcaster,
  size: sizeOf,
  back: ({ state }) => state === 'waiting' || state === 'failed',
})

/** The same while the user approves a key of their vault there. */
export const awaitingFarcasterSigner = defineScreen<FarcasterProps, FarcasterAnswer>(
  'awaiting-farcaster-signer',
  { view: AwaitingSigner, size: sizeOf },
)

function AwaitingFarcaster(props: FarcasterProps & Answering<FarcasterAnswer>) {
  return <InApp {...props} purpose="login" />
}

function AwaitingSigner(props: FarcasterProps & Answering<FarcasterAnswer>) {
  return <InApp {...props} purpose="signer" />
}

interface Purpose {
  /** The request in the user's Farcaster app. */
  purpose: 'login' | 'signer'
}

function InApp(props: FarcasterProps & Purpose & Answering<FarcasterAnswer>) {
  const { purpose } = props
  switch (props.state) {
    case 'waiting':
      return props.mobile ? <OpenApp {...props} /> : <Scan {...props} />
    case 'checking':
      return <Checking purpose={purpose} />
    case 'done':
      return <Done purpose={purpose} />
    case 'failed':
      return props.expired && !props.expired.mobile ? (
        <Expired {...props} expired={props.expired} />
      ) : (
        <FailedView {...props} />
      )
  }
}

const mark = <MethodIcon icon="farcaster" label="Farcaster" size={28} />

function Scan({ uri, logoUrl, purpose }: Asking & Purpose) {
  const t = useWords()
  const long = useElapsed(uiLimits.waitExplained)
  useAnnounced(long && t(`${purpose}.farcaster.slow`))
  return (
    <Body>
      <Hero title={t(`${purpose}.farcaster.title`)}>{t(`${purpose}.farcaster.scan`)}</Hero>
      <Code uri={uri} logoUrl={logoUrl} purpose={purpose} />
      <StatusLine busy={!long}>
        {long ? t(`${purpose}.farcaster.slow`) : t(`${purpose}.farcaster.waiting`)}
      </StatusLine>
    </Body>
  )
}

function Code({ uri, logoUrl, purpose, ...renewal }: Omit<Asking, 'mobile' | 'state'> & Renewal & Purpose) {
  const t = useWords()
  return (
    <QrCard
      value={uri}
      name={t(`${purpose}.farcaster.qr`)}
      copyName={t(`${purpose}.farcaster.copy`)}
      logoUrl={logoUrl}
      {...renewal}
    />
  )
}

interface Renewal {
  onRenew?: () => void
  renewing?: boolean
  disabled?: boolean
}

function Expired({
  detail,
  expired,
  purpose,
  busy,
  answer,
}: Failed & { expired: Asking } & Purpose & Answering<FarcasterAnswer>) {
  const t = useWords()
  useAnnounced(detail, 'alert')
  return (
    <Body>
      <Hero title={t(`${purpose}.farcaster.title`)}>{detail}</Hero>
      <Code
        uri={expired.uri}
        logoUrl={expired.logoUrl}
        purpose={purpose}
        onRenew={() => answer('retry')}
        renewing={busy === 'retry'}
        disabled={busy !== undefined}
      />
      <StatusLine />
    </Body>
  )
}

/** On a phone: a link to the app, and what to do if nothing opens. */
function OpenApp({ uri, logoUrl, purpose }: Asking & Purpose) {
  const t = useWords()
  const [missed, follow] = useMissed()
  const stuck = missed > 0
  return (
    <>
      <Body>
        {stuck ? (
          <>
            <Hero title={t(`${purpose}.farcaster.title`)}>{t(`${purpose}.farcaster.nothing`)}</Hero>
            <Code uri={uri} logoUrl={logoUrl} purpose={purpose} />
          </>
        ) : (
          <Waiting
            icons={[userRound, mark]}
            title={t(`${purpose}.farcaster.title`)}
            slow={t(`${purpose}.farcaster.slowHere`)}
          >
            {t(`${purpose}.farcaster.here`)}
          </Waiting>
        )}
      </Body>
      <Footer>
        <Button href={uri} onFollow={follow}>
          {t(`${purpose}.farcaster.open`)}
        </Button>
        {stuck && (
          <StatusLine>
            <Link href={store}>{t(`${purpose}.farcaster.get`)}</Link>
          </StatusLine>
        )}
      </Footer>
    </>
  )
}

/** Where people get the app, for any phone. */
const store = 'https://farcaster.xyz/~/download'

function Checking({ purpose }: Purpose) {
  const t = useWords()
  return (
    <Body>
      <Waiting
        icons={[userRound, mark]}
        title={t(`${purpose}.farcaster.checking`)}
        slow={t(`${purpose}.farcaster.checkingSlow`)}
      >
        {t(`${purpose}.farcaster.checkingText`)}
      </Waiting>
    </Body>
  )
}

function Done({ purpose }: Purpose) {
  const t = useWords()
  return <Success title={t(`${purpose}.farcaster.done`)} />
}

function FailedView({
  title,
  detail,
  retryable,
  purpose,
  busy,
  answer,
}: Failed & Purpose & Answering<FarcasterAnswer>) {
  const t = useWords()
  const next = retryable ? 'retry' : 'back'
  return (
    <>
      <Body>
        <Hero art={<Outcome is="failure" />} title={title}>
          {detail}
        </Hero>
      </Body>
      <Footer>
        <AnswerButton gives={next} busy={busy} answer={answer}>
          {retryable ? t('common.retry') : t(`${purpose}.farcaster.otherWay`)}
        </AnswerButton>
      </Footer>
    </>
  )
}

export const logoUrl =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 32 32%22%3E%3Crect width=%2232%22 height=%2232%22 rx=%228%22 fill=%22%235b5bd6%22/%3E%3Cpath d=%22M10 22V10l12 12V10%22 fill=%22none%22 stroke=%22white%22 stroke-width=%223%22/%3E%3C/svg%3E'
