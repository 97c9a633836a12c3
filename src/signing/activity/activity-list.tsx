import { hidden } from '../../../styles/tokens.ts'
import type { ActivityEntry } from '../../activity/entry.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { LinkButton } from '../../ui/actions/link-button.tsx'
import { Row } from '../../ui/actions/row.tsx'
import { Icon } from '../../ui/brand/icon.tsx'
import { Chip } from '../../ui/feedback/chip.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { arrowDownLeft, history, layers } from '../../ui/icons/sending.ts'
import { Body } from '../../ui/layout/layout.tsx'
import { Card, Section } from '../../ui/layout/section.tsx'
import { Dotted } from '../../ui/text/dotted.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Holding } from '../../ui/wallet/holding.tsx'
import { kindIcon } from './entry-look.ts'

export interface ActivityRow {
  /** Names it in an answer. */
  readonly key: string
  /** `batch`: several calls that were approved together. */
  readonly kind: ActivityEntry['title'] | 'batch'
  /** `partly`: only some of a batch had an effect. */
  readonly status: ActivityEntry['status'] | 'partly'
  /** How many calls a batch has. */
  readonly count?: number | undefined
  /** The amount that leaves, with its symbol. */
  readonly amount?: string | undefined
  readonly network: string
  /** How long ago it was sent. */
  readonly when: string
}

/** Something that was bought for a wallet, ready to be read. */
export interface ActivityPurchase {
  readonly id: string
  /** With its symbol. */
  readonly amount: string
  readonly provider: string
  readonly network: string
  readonly when: string
  readonly state: string
  readonly tone: 'accent' | 'success' | 'plain'
}

/** A transfer to one of the user's wallets from another network, ready to be read. */
export interface ActivityTransfer {
  readonly id: string
  /** The amount that arrives, with its symbol. */
  readonly amount: string
  /** The network that pays, and the one of the wallet. */
  readonly from: string
  readonly to: string
  readonly when: string
  readonly state: string
  readonly tone: 'accent' | 'success' | 'plain'
}

export interface ActivityListProps {
  /** Those that the network has not decided about, newest first. */
  pending: readonly ActivityRow[]
  /** The others, newest first. */
  done: readonly ActivityRow[]
  /** Purchases from any device, newest first. */
  purchases?: readonly ActivityPurchase[] | undefined
  /** There are older ones. */
  hasMorePurchases?: boolean | undefined
  /** Transfers by the bridge from any device, newest first. */
  transfers?: readonly ActivityTransfer[] | undefined
  /** It was opened from another screen. */
  canGoBack: boolean
  /** The key of the row that the user comes back from. */
  at?: string | undefined
}
export type ActivityListAnswer =
  | { readonly entry: string }
  | { readonly purchase: string }
  | { readonly transfer: string }
  | 'more-purchases'
  | 'back'

/** What the user's wallets sent from this browser. A row leads to what became of it. */
export const activityList = defineScreen<ActivityListProps, ActivityListAnswer>('activity-list', {
  view: ActivityList,
  back: ({ canGoBack }) => canGoBack,
})

function ActivityList({
  pending,
  done,
  purchases = [],
  hasMorePurchases,
  transfers = [],
  at,
  busy,
  answer,
}: ActivityListProps & Answering<ActivityListAnswer>) {
  const t = useWords()
  const chosen = typeof busy === 'object' && 'entry' in busy ? busy.entry : undefined
  const bought = typeof busy === 'object' && 'purchase' in busy ? busy.purchase : undefined
  const moved = typeof busy === 'object' && 'transfer' in busy ? busy.transfer : undefined
  const card = (title: string, rows: readonly ActivityRow[]) =>
    rows.length > 0 && (
      <Section title={title}>
        <Card>
          {rows.map((row) => (
            <div key={row.key} ref={row.key === at ? intoView : undefined}>
              <EntryRow
                row={row}
                busy={chosen === row.key}
                inert={busy !== undefined && chosen !== row.key}
                onClick={() => answer({ entry: row.key })}
              />
            </div>
          ))}
        </Card>
      </Section>
    )
  return (
    <Body title={t('activity.title')}>
      {pending.length + done.length + purchases.length + transfers.length === 0 && (
        <Empty icon={history} text={t('activity.none')} />
      )}
      {card(t('activity.pending'), pending)}
      {card(t('activity.done'), done)}
      {purchases.length > 0 && (
        <Section title={t('activity.purchases')}>
          <Card>
            {purchases.map(({ id, amount, provider, network, when, state, tone }) => (
              <div key={id} ref={id === at ? intoView : undefined}>
                <ArrivalRow
                  {...{ amount, network, when, state, tone }}
                  label={t('activity.purchase', { provider })}
                  busy={bought === id}
                  inert={busy !== undefined && bought !== id}
                  onClick={() => answer({ purchase: id })}
                />
              </div>
            ))}
          </Card>
          {hasMorePurchases && (
            <LinkButton
              onward="below"
              busy={busy === 'more-purchases'}
              disabled={busy !== undefined}
              onClick={() => answer('more-purchases')}
            >
              {t('activity.morePurchases')}
            </LinkButton>
          )}
        </Section>
      )}
      {transfers.length > 0 && (
        <Section title={t('activity.transfers')}>
          <Card>
            {transfers.map(({ id, amount, from, to, when, state, tone }) => (
              <div key={id} ref={id === at ? intoView : undefined}>
                <ArrivalRow
                  {...{ amount, network: to, when, state, tone }}
                  label={t('activity.transfer', { network: from })}
                  busy={moved === id}
                  inert={busy !== undefined && moved !== id}
                  onClick={() => answer({ transfer: id })}
                />
              </div>
            ))}
          </Card>
        </Section>
      )}
    </Body>
  )
}

interface ArrivalRowProps extends Pick<ActivityPurchase, 'amount' | 'network' | 'when' | 'state' | 'tone'> {
  label: string
  busy: boolean
  inert: boolean
  onClick(): void
}

function ArrivalRow({ amount, network, when, state, tone, ...row }: ArrivalRowProps) {
  return (
    <Row
      {...row}
      stacked
      icon={<Icon path={arrowDownLeft} size={24} stroke={1.75} />}
      detail={<Place network={network} when={when} />}
      figure={<Holding amount={amount} />}
      chip={<State tone={tone}>{state}</State>}
    />
  )
}

interface EntryRowProps {
  row: ActivityRow
  busy: boolean
  inert: boolean
  onClick(): void
}

function EntryRow({ row: { kind, status, count = 0, amount, network, when }, ...row }: EntryRowProps) {
  const t = useWords()
  return (
    <Row
      {...row}
      stacked
      icon={<Icon path={kind === 'batch' ? layers : kindIcon[kind]} size={24} stroke={1.75} />}
      label={kind === 'batch' ? t('activity.kind.batch', { count }) : t(`activity.kind.${kind}`)}
      detail={<Place network={network} when={when} />}
      figure={amount && <Holding amount={amount} />}
      chip={
        <State tone={status === 'confirmed' ? 'success' : status === 'pending' ? 'accent' : 'plain'}>
          {t(`activity.status.${status}`)}
        </State>
      }
    />
  )
}

const Place = ({ network, when }: { network: string; when: string }) => (
  <Dotted parts={[<bdi key="network">{network}</bdi>, <bdi key="when">{when}</bdi>]} />
)

/** How it stands. As expected, it needs no sign of its own: only the others stand out. */
const State = ({ tone, children }: { tone: ActivityPurchase['tone']; children: string }) =>
  tone === 'success' ? <span css={hidden}>{children}</span> : <Chip tone={tone}>{children}</Chip>

const intoView = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'nearest' })
