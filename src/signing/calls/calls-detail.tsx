import type { ActivityEntry } from '../../activity/entry.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Button } from '../../ui/actions/button.tsx'
import { FixedRow } from '../../ui/actions/fixed-row.tsx'
import { Link } from '../../ui/actions/link.tsx'
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
import { Figure } from '../../ui/text/figure.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'
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
  network: string
  /** When they were approved. */
  when: string
}

/** The progress of calls that were approved together. Closing it stops none of them. */
export const callsDetail = defineScreen<CallsDetailProps, 'close'>('calls-detail', { view: CallsDetail })

function CallsDetail(props: CallsDetailProps & Answering<'close'>) {
  const { status, calls, isAtomic = calls.length === 1, network, when, busy, answer } = props
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
            // biome-ignore lint/suspicious/noArrayIndexKey: a batch may do the same twice
            <CallRow key={i} call={call} />
          ))}
        </Card>
        <Details
          rows={[
            [t('sign.network'), <bdi key="network">{network}</bdi>],
            [t('activity.sent'), <bdi key="when">{when}</bdi>],
          ]}
        />
        {status === 100 && <StatusLine busy>{t('transaction.sent.waiting')}</StatusLine>}
      </Body>
      <Footer>
        <Button
          kind={status === 100 ? 'secondary' : 'primary'}
          busy={busy === 'close'}
          onClick={() => answer('close')}
        >
          {t(status === 200 ? 'transaction.complete.close' : 'common.close')}
        </Button>
      </Footer>
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

function CallRow({ call }: { call: CallsDetailProps['calls'][number] }) {
  const { kind, state, amount, hash, explorerUrl } = call
  const t = useWords()
  return (
    <FixedRow
      icon={<Icon path={kindIcon[kind]} size={24} stroke={1.75} />}
      label={t(`activity.kind.${kind}`)}
      detail={
        (amount || hash) && (
          <>
            {amount && <Figure>{amount}</Figure>}
            {amount && hash && ' · '}
            {hash && (
              <Link href={explorerUrl}>
                <Address short>{hash}</Address>
              </Link>
            )}
          </>
        )
      }
      chip={
        <Chip
          tone={state === 'confirmed' ? 'success' : state === 'sent' ? 'accent' : 'plain'}
          mark={state === 'confirmed' && <Icon path={check} size={12} />}
        >
          {t(`calls.state.${state}`)}
        </Chip>
      }
    />
  )
}
