import type { ActivityEntry } from '../../activity/entry.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Button } from '../../ui/actions/button.tsx'
import { FixedRow } from '../../ui/actions/fixed-row.tsx'
import { Link } from '../../ui/actions/link.tsx'
import { Row } from '../../ui/actions/row.tsx'
import { Icon } from '../../ui/brand/icon.tsx'
import { Chip } from '../../ui/feedback/chip.tsx'
import { StatusLine } from '../../ui/feedback/status-line.tsx'
import { check } from '../../ui/icons/notices.ts'
import { send } from '../../ui/icons/sending.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle, Outcome } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { Card } from '../../ui/layout/section.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { Dotted } from '../../ui/text/dotted.tsx'
import { Figure } from '../../ui/text/figure.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { networkRow } from '../../ui/wallet/network-row.tsx'
import { kindIcon } from '../activity/entry-look.ts'
import type { CallState, CallsStatusCode } from './batch.ts'

export interface CallsDetailProps {
  /** By EIP-5792. */
  status: CallsStatusCode
  calls: readonly {
    readonly kind: ActivityEntry['title']
    readonly state: CallState
    /** The amount that leaves, with its symbol. */
    readonly amount?: string | undefined
    /** `undefined` as long as the network doesn't have it. */
    readonly hash?: string | undefined
    readonly explorerUrl?: string | undefined
  }[]
  /** One transaction carries all of them. */
  isAtomic?: boolean | undefined
  /** CAIP-2 */
  chain: string
  network: string
  /** When they were approved. */
  when: string
  /** It was opened from the activity, to which it leads back, and whose transactions its rows open. */
  canGoBack?: boolean | undefined
}
/** `call`: the place of a call, whose transaction the user opens. */
export type CallsDetailAnswer = 'close' | 'back' | { readonly call: number }

/** The progress of calls that were approved together. Closing it stops none of them. */
export const callsDetail = defineScreen<CallsDetailProps, CallsDetailAnswer>('calls-detail', {
  view: CallsDetail,
  back: ({ canGoBack = false }) => canGoBack,
})

function CallsDetail(props: CallsDetailProps & Answering<CallsDetailAnswer>) {
  const {
    status,
    calls,
    isAtomic = calls.length === 1,
    chain,
    network,
    when,
    canGoBack,
    busy,
    answer,
  } = props
  const opened = typeof busy === 'object' ? busy.call : undefined
  const t = useWords()
  const title = t(titles[status])
  const state = t(status === 100 && isAtomic ? 'calls.status.100.atomic' : `calls.status.${status}`)
  useAnnounced(`${title} ${state}`)
  return (
    <>
      <Body>
        <Hero art={<Art status={status} />} title={title}>
          {state}
        </Hero>
        <Card>
          {calls.map((call, i) => (
            <CallRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a batch may do the same twice
              key={i}
              call={call}
              busy={opened === i}
              inert={busy !== undefined && opened !== i}
              onOpen={canGoBack && call.hash ? () => answer({ call: i }) : undefined}
            />
          ))}
        </Card>
        <Details
          rows={[
            networkRow(t('sign.network'), chain, network),
            [t('activity.sent'), <bdi key="when">{when}</bdi>],
          ]}
        />
        {status === 100 && <StatusLine busy>{t('transaction.sent.waiting')}</StatusLine>}
      </Body>
      {!canGoBack && (
        <Footer>
          <Button
            kind={status === 100 ? 'secondary' : 'primary'}
            busy={busy === 'close'}
            onClick={() => answer('close')}
          >
            {t(status === 200 ? 'transaction.complete.close' : 'common.close')}
          </Button>
        </Footer>
      )}
    </>
  )
}

const titles = {
  100: 'calls.sent.title',
  200: 'calls.complete.title',
  400: 'calls.failed.title',
  500: 'calls.failed.title',
  600: 'calls.partly.title',
} as const

function Art({ status }: Pick<CallsDetailProps, 'status'>) {
  if (status === 200) return <Outcome is="success" />
  if (status === 100) return <Circle icon={send} />
  return status === 600 ? <Circle icon={send} tone="warning" /> : <Outcome is="failure" />
}

interface CallRowProps {
  call: CallsDetailProps['calls'][number]
  busy: boolean
  inert: boolean
  /** Opens its transaction; without it the row only says what is so. */
  onOpen: (() => void) | undefined
}

function CallRow({ call: { kind, state, amount, hash, explorerUrl }, busy, inert, onOpen }: CallRowProps) {
  const t = useWords()
  const words = {
    icon: <Icon path={kindIcon[kind]} size={24} stroke={1.75} />,
    label: t(`activity.kind.${kind}`),
    chip: (
      <Chip
        tone={state === 'confirmed' ? 'success' : state === 'sent' ? 'accent' : 'plain'}
        mark={state === 'confirmed' && <Icon path={check} size={12} />}
      >
        {t(`calls.state.${state}`)}
      </Chip>
    ),
  }
  const figure = amount && <Figure>{amount}</Figure>
  if (onOpen) return <Row {...words} stacked detail={figure} busy={busy} inert={inert} onClick={onOpen} />
  return (
    <FixedRow
      {...words}
      detail={
        (amount || hash) && (
          <Dotted
            parts={[
              figure,
              hash && (
                <Link key="hash" href={explorerUrl}>
                  <Address short>{hash}</Address>
                </Link>
              ),
            ]}
          />
        )
      }
    />
  )
}
