import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, isolated, mono, radius, text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Address } from '../../ui/address.tsx'
import { Amount } from '../../ui/amount.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Content } from '../../ui/content.tsx'
import { Details } from '../../ui/detail-row.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Body, Footer } from '../../ui/layout.tsx'
import { useAnnounced } from '../../ui/panel-context.tsx'
import { Decision, RequestedBy } from '../../ui/request.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useWords } from '../../ui/words.tsx'

export interface ApproveTransactionProps {
  /** Who asks, as the page itself says it; never the host's words. */
  origin: string
  /** The wallet that pays. */
  address: string
  /** The network, by name. */
  chain: string
  /** Without it, a contract is made. */
  to?: string | undefined
  /** With its symbol: `0.25 ETH`. */
  value: string
  fee?: string | undefined
  total?: string | undefined
  /** The call's data, in hex. */
  data?: string | undefined
  /** What a Solana transaction does. */
  instructions?: readonly { readonly program: string; readonly accounts: number }[] | undefined
  /** Fee and total are on their way; nothing can be approved before. */
  preparing?: boolean | undefined
  error?: string | undefined
  done?: boolean | undefined
  /** `sign`: the page gets it signed, and may send it itself. */
  action: 'sign' | 'send'
}
export type ApproveTransactionAnswer = 'approve' | 'cancel'

/** What a transaction does and costs, before it is signed. Spec §2 "EVM send transaction", look 12.8. */
export const approveTransaction = defineScreen<ApproveTransactionProps, ApproveTransactionAnswer>(
  'approve-transaction',
  { view: ApproveTransaction },
)

function ApproveTransaction(props: ApproveTransactionProps & Answering<ApproveTransactionAnswer>) {
  const { value, preparing, error, done, action, busy, answer } = props
  const t = useWords()
  const problem = busy || done ? undefined : error
  const busyLabel = t(action === 'send' ? 'transaction.sending' : 'sign.busy')
  useAnnounced(problem, 'alert')
  const working = busy === 'approve' ? busyLabel : preparing && t('transaction.preparing')
  useAnnounced(done ? t('sign.done') : working)
  return (
    <>
      <Body title={t('transaction.title')} subtitle={t(`transaction.${action}`)}>
        <Content gap={12}>
          {value && <Amount>{value}</Amount>}
          <Facts {...props} />
        </Content>
      </Body>
      <Footer>
        {problem && <Banner tone="danger">{problem}</Banner>}
        <Decision
          agree="approve"
          words={t('transaction.approve')}
          busyWords={busyLabel}
          notYet={preparing}
          {...{ busy, done, answer }}
        />
      </Footer>
    </>
  )
}

function Facts(props: ApproveTransactionProps & { busy: unknown }): ReactNode {
  const { origin, address, chain, to, fee, total, data = '0x', instructions, action, preparing, busy } = props
  const t = useWords()
  const calls = data !== '0x' && data !== ''
  const kind = instructions
    ? instructions.length > 0 && !to && ('call' as const)
    : !to
      ? 'creation'
      : calls
        ? 'call'
        : 'transfer'
  const rows: [string, ReactNode][] = []
  if (!instructions && kind) rows.push([t('transaction.action'), t(`transaction.${kind}`)])
  if (to) rows.push([t('transaction.to'), <Address key="to">{to}</Address>])
  rows.push([t('sign.network'), <bdi key="network">{chain}</bdi>])
  if (preparing) rows.push([t('transaction.fee'), <Skeleton key="fee" width={96} height={16} />])
  else if (fee || action === 'send') rows.push([t('transaction.fee'), <Figure key="fee">{fee}</Figure>])
  if (total) rows.push([t('transaction.total'), <Figure key="total">{total}</Figure>])
  return (
    <div>
      <Details rows={rows} />
      {calls && (
        <Disclosure label={t('transaction.data')} disabled={busy !== undefined}>
          <pre css={hex}>{data}</pre>
        </Disclosure>
      )}
      {instructions && instructions.length > 0 && (
        <Disclosure label={t('transaction.instructions')} disabled={busy !== undefined}>
          <Instructions list={instructions} />
        </Disclosure>
      )}
      <div css={apart}>
        <RequestedBy origin={origin} address={address} />
      </div>
    </div>
  )
}

function Figure({ children }: { children: string | undefined }) {
  const t = useWords()
  return children ? (
    <bdi css={isolated}>{children}</bdi>
  ) : (
    <span css={{ color: color('text-faint') }}>{t('transaction.unavailable')}</span>
  )
}

function Instructions({ list }: { list: NonNullable<ApproveTransactionProps['instructions']> }) {
  const t = useWords()
  return (
    <ol css={steps}>
      {list.map(({ program, accounts }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same program may be called twice in the same way
        <li key={i} css={step}>
          <Address>{program}</Address>
          <span css={{ color: color('text-muted') }}>
            {accounts === 1 ? t('transaction.account') : t('transaction.accounts', { count: accounts })}
          </span>
        </li>
      ))}
    </ol>
  )
}

const apart: CSSObject = {
  marginBlockStart: 4,
  paddingBlockStart: 4,
  borderBlockStart: `1px solid ${color('border')}`,
}
const sunken: CSSObject = {
  ...text('detail'),
  margin: '4px 0 8px',
  padding: 11,
  border: '1px solid transparent',
  borderRadius: radius(12),
  background: color('surface-sunken'),
}
const hex: CSSObject = {
  ...sunken,
  ...isolated,
  fontFamily: mono,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  userSelect: 'all',
}
const steps: CSSObject = { ...sunken, listStyle: 'none', display: 'flex', flexDirection: 'column', gap: 8 }
const step: CSSObject = { display: 'flex', flexDirection: 'column' }

const transfer: ApproveTransactionProps = {
  origin: 'https://harbor.example',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  chain: 'Base',
  to: '0xE592427A0AEce92De3Edee1F18E0157C05861564',
  value: '0.25 ETH',
  fee: '0.000012 ETH',
  total: '0.250012 ETH',
  action: 'send',
}
const call: ApproveTransactionProps = {
  ...transfer,
  value: '0 ETH',
  total: '0.000012 ETH',
  data: /* @__PURE__ */ `0xa9059cbb${'0'.repeat(24)}e592427a0aece92de3edee1f18e0157c05861564${'0'.repeat(58)}0f4240`,
}
const solana: ApproveTransactionProps = {
  ...transfer,
  address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
  chain: 'Solana',
  to: 'FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T',
  value: '1.5 SOL',
  fee: '0.000005 SOL',
  total: '1.500005 SOL',
  instructions: [
    { program: 'ComputeBudget111111111111111111111111111111', accounts: 0 },
    { program: '11111111111111111111111111111111', accounts: 2 },
    { program: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', accounts: 1 },
  ],
}
export const examples = {
  transfer: { props: transfer },
  'contract call': { props: call },
  'contract creation': { props: { ...call, to: undefined } },
  'to sign only': { props: { ...transfer, action: 'sign', fee: undefined, total: undefined } },
  'fee unavailable': { props: { ...transfer, fee: undefined, total: undefined } },
  Solana: { props: solana },
  'Solana, several programs': { props: { ...solana, to: undefined, value: '', total: undefined } },
  preparing: { props: { ...transfer, fee: undefined, total: undefined, preparing: true } },
  sending: { props: transfer, busy: 'approve' },
  signing: { props: { ...transfer, action: 'sign' }, busy: 'approve' },
  cancelling: { props: transfer, busy: 'cancel' },
  failed: { props: { ...transfer, error: 'Insufficient balance' } },
  done: { props: { ...transfer, done: true } },
  'longest figures': {
    props: {
      ...call,
      origin:
        'https://a-very-long-subdomain-for-members-only.accounts.energieversorgung-oberland.example:8443',
      chain: 'Hafenkette der Energieversorgung Oberland',
      value: '123456789.123456789123456789 HAFENGULDEN',
      fee: '0.000012345678912345 HAFENGULDEN',
      total: '123456789.123469134802369134 HAFENGULDEN',
    },
  },
} satisfies Examples<typeof approveTransaction>
