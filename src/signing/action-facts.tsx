import type { CSSObject } from '@emotion/react'
import { Fragment, type ReactNode } from 'react'
import { color, text } from '../../styles/tokens.ts'
import { Figure } from '../ui/text/figure.tsx'
import { Marked } from '../ui/text/marked.tsx'
import { useWords } from '../ui/text/words.tsx'
import { Address } from '../ui/wallet/address.tsx'
import { Details } from '../ui/wallet/detail-row.tsx'
import {
  type Action,
  type Asset,
  type Described,
  type DescribedField,
  formatAmount,
  type OrderItem,
} from './preview.ts'
import { expiryRow, type Row, TokenActionFacts } from './token-action-facts.tsx'

interface ActionFactsProps {
  action: Action
  /** The network's coin. */
  coin?: Asset | undefined
}

/** What one action does, as facts: its own amount, who gets it, and the account that it comes from where that isn't the wallet. */
export function ActionFacts({ action, coin }: ActionFactsProps): ReactNode {
  const t = useWords()
  const { coins, by } = action
  // A transfer and a call of a token name both themselves.
  const isNamed = action.kind === 'transfer' || (action.kind === 'token' && action.call.from !== undefined)
  const isOwnAccount = action.kind === 'account' && action.account?.toLowerCase() === by?.toLowerCase()
  const rows: readonly Row[] = [
    ...(coins === undefined || !coin
      ? []
      : [[t('transaction.coins'), <Figure key="coins">{formatAmount(coins, coin)}</Figure>] as const]),
    ...(by === undefined || isNamed || isOwnAccount
      ? []
      : [[t('call.by'), <Address key="by">{by}</Address>] as const]),
  ]
  return (
    <>
      <OwnFacts action={action} coin={coin} />
      {rows.length > 0 && <Details rows={rows} />}
    </>
  )
}

/** What an action does by itself. */
function OwnFacts({ action, coin }: ActionFactsProps): ReactNode {
  const t = useWords()
  const title = (words: string): Row => [t('transaction.action'), words]
  const address = (label: string, value: string | undefined): readonly Row[] =>
    value ? [[label, <Address key={label}>{value}</Address>]] : []
  switch (action.kind) {
    case 'token':
      return <TokenActionFacts action={action.call} asset={action.asset} />
    case 'described':
      return <DescribedFacts action={action} />
    case 'transfer':
      return (
        <Details
          rows={[
            ...(coin
              ? [
                  [
                    t('call.amount'),
                    <Figure key="amount">{formatAmount(action.amount, coin)}</Figure>,
                  ] as const,
                ]
              : []),
            ...address(t('transaction.to'), action.to),
            ...address(t('call.from'), action.by),
          ]}
        />
      )
    case 'refund': {
      const { account, token, asset, most, to } = action
      const figure = asset
        ? formatAmount(most, asset)
        : t('call.units', { amount: most.toLocaleString('en') })
      return (
        <Details
          rows={[
            title(t('transaction.refund')),
            [t('transaction.most'), <Figure key="most">{figure}</Figure>],
            ...address(t('call.contract'), token),
            ...(to
              ? address(t('transaction.to'), to)
              : [[t('transaction.to'), t('transaction.sender')] as const]),
            ...address(t('call.from'), account),
          ]}
        />
      )
    }
    case 'mint': {
      const { contract, to, ...figures } = action
      const numbers = (
        [
          ['call.amount', figures.amount],
          ['call.token', figures.token],
          ['call.amountOrToken', figures.amountOrToken],
        ] as const
      ).flatMap(([label, number]) =>
        number === undefined ? [] : [[t(label), <Figure key={label}>{String(number)}</Figure>] as const],
      )
      return (
        <Details
          rows={[
            title(t('transaction.mint')),
            ...address(t('call.contract'), contract),
            ...address(t('call.recipient'), to),
            ...numbers,
          ]}
        />
      )
    }
    case 'order': {
      const { gives, gets, expires, proceedsTo } = action
      const items = (label: string, list: readonly OrderItem[]): readonly Row[] =>
        list.length === 0
          ? [[label, t('call.nothing')]]
          : list.map((item) => [label, <Item key={label} item={item} />])
      return (
        <Details
          rows={[
            title(t('transaction.order')),
            ...items(t('call.gives'), gives),
            ...items(t('call.gets'), gets),
            ...address(t('call.proceeds'), proceedsTo),
            ...(expires === undefined ? [] : [expiryRow(t, expires)]),
          ]}
        />
      )
    }
    case 'delegation':
      return (
        <Details
          rows={[
            title(t(action.only ? `transaction.delegation.${action.only}` : 'transaction.delegation')),
            ...address(t('call.delegate'), action.delegate),
          ]}
        />
      )
    case 'payment': {
      const { to, amount, token } = action
      return (
        <Details
          rows={[
            title(t('transaction.payment')),
            [t('call.amount'), <Words key="amount">{amount}</Words>],
            ...(token === undefined
              ? []
              : [[t('call.tokenName'), <Words key="token">{token}</Words>] as const]),
            ...(ADDRESS.test(to)
              ? address(t('transaction.to'), to)
              : [[t('transaction.to'), <Words key="to">{to}</Words>] as const]),
          ]}
        />
      )
    }
    case 'control':
      return (
        <Details
          rows={[
            title(t('transaction.control')),
            [t('call.function'), <bdi key="function">{action.name}</bdi>],
            ...address(t('sign.data.contract'), action.contract),
            ...address(t('call.subject'), action.subject),
          ]}
        />
      )
    case 'account':
      return (
        <Details
          rows={[
            title(t(`transaction.${action.form}`)),
            ...address(t('call.account'), action.account),
            ...address(t('transaction.to'), action.to),
          ]}
        />
      )
    case 'revocation':
      return (
        <Details
          rows={[title(t('transaction.revocation')), ...address(t('call.contract'), action.contract)]}
        />
      )
    case 'call':
      return <Details rows={[title(t('transaction.call')), ...address(t('transaction.to'), action.to)]} />
    case 'code':
      return <CodeFacts action={action} />
    case 'deploy':
      return <Details rows={[title(t('transaction.creation'))]} />
    case 'instruction':
      return null
  }
}

/** Code for the wallet's own address: what it means, and how it is taken back. */
function CodeFacts({ action: { delegate, name } }: { action: Extract<Action, { kind: 'code' }> }) {
  const t = useWords()
  if (delegate === undefined)
    return (
      <>
        <p css={plain} data-essential>
          {t('code.removed')}
        </p>
        <Details rows={[[t('transaction.action'), t('code.remove')]]} />
      </>
    )
  return (
    <>
      <p css={plain} data-essential>
        {t('code.means', { name: name ?? t('code.unnamed') })}
      </p>
      <p css={plain} data-essential>
        {t('code.can')}
      </p>
      <p css={plain} data-essential>
        {t('code.back')}
      </p>
      <Details
        rows={[
          [t('transaction.action'), t('code.add')],
          ...(name === undefined ? [] : [[t('code.of'), <bdi key="name">{name}</bdi>] as const]),
          [t('sign.data.contract'), <Address key="delegate">{delegate}</Address>],
        ]}
      />
    </>
  )
}

const ZERO = /^0x0{40}$/
const ADDRESS = /^0x[\da-f]{40}$/i

function Item({ item: { token, amount, number } }: { item: OrderItem }): ReactNode {
  const t = useWords()
  const units = t('call.units', { amount: amount.toLocaleString('en') })
  return (
    <>
      <Figure>{number === undefined ? units : `${t('call.token')} ${number}`}</Figure>
      <div>{ZERO.test(token) ? t('call.coin') : <Address>{token}</Address>}</div>
    </>
  )
}

/** The words of a descriptor, and whose they are. */
function DescribedFacts({ action }: { action: Described }): ReactNode {
  const t = useWords()
  const { intent, sentence, owner, trust, auditors, contract, fields } = action
  const source = {
    'built-in': () => t('described.builtIn'),
    audited: () => t('described.audited', { auditors: auditors.join(', ') }),
    registry: () => t('described.registry'),
    app: () => t('described.app'),
  }[trust]()
  const said = owner ? t('described.source', { owner }) : t('described.source.unnamed')
  return (
    <>
      {sentence && <Sentence>{sentence}</Sentence>}
      <Details
        rows={[
          [t('transaction.action'), <Words key="intent">{intent || t('transaction.call')}</Words>],
          ...fields.map((field, i): Row => {
            const before = fields[i - 1]
            const isFirst = field.group !== undefined && field.group !== before?.group
            const isFirstUnsaid = field.isUnsaid && !(before?.isUnsaid && before.group === field.group)
            return [
              field.label,
              // biome-ignore lint/suspicious/noArrayIndexKey: a descriptor may display the same value twice
              <Fragment key={i}>
                {isFirst && <div css={note}>{field.group}</div>}
                {isFirstUnsaid && <div css={note}>{t('described.unsaid')}</div>}
                <Value field={field} />
              </Fragment>,
            ]
          }),
          ...(contract
            ? [[t('sign.data.contract'), <Address key="contract">{contract}</Address>] as const]
            : []),
          [said, source],
        ]}
      />
    </>
  )
}

/** What happens in one sentence, in the words of descriptors. */
export const Sentence = ({ children }: { children: string }) => (
  <p css={words} data-essential>
    <bdi dir="auto">
      <Marked>{children}</Marked>
    </bdi>
  </p>
)

/** A value, and the address beside a name: whose name it is may be wrong, the address is not. */
function Value({
  field: { value, address, source, token, isMaximum },
}: {
  field: DescribedField
}): ReactNode {
  const t = useWords()
  if (address !== undefined && value === address) return <Address>{address}</Address>
  return (
    <>
      <Words>{isMaximum ? t('call.maximum') : value}</Words>
      {source && <div css={note}>{t(`described.name.${source}`)}</div>}
      {address !== undefined && (
        <div>
          <Address>{address}</Address>
        </div>
      )}
      {token !== undefined && (
        <div>
          <Address>{token}</Address>
        </div>
      )}
    </>
  )
}

const Words = ({ children }: { children: string }) => (
  <bdi dir="auto">
    <Marked>{children}</Marked>
  </bdi>
)

const plain: CSSObject = { ...text('body'), margin: '8px 0' }
const words: CSSObject = { ...text('body'), margin: '8px 0', fontWeight: 600 }
const note: CSSObject = { ...text('caption'), color: color('text-muted') }
