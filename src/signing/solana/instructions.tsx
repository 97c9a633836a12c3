import type { CSSObject } from '@emotion/react'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { ReactNode } from 'react'
import { edge } from '../../../styles/edge.ts'
import { color, isolated, mono, radius, text } from '../../../styles/tokens.ts'
import type { SolanaAction } from '../../solana/actions.ts'
import type { MessageAccount } from '../../solana/message.ts'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { Figure } from '../../ui/text/figure.tsx'
import { Marked } from '../../ui/text/marked.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { shortAddress } from '../../ui/wallet/address-text.ts'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { formatAmount } from '../preview.ts'
import { formatDate } from '../token-action-facts.tsx'
import { describeInstruction, type InstructionFact } from './describe.ts'

/** All instructions in their order: those that can be named by what they do, all others by everything that they consist of. */
export function Instructions({ list, busy }: { list: readonly SolanaAction[]; busy: boolean }) {
  const t = useWords()
  return (
    <section aria-label={t('transaction.instructions')}>
      <h3 css={heading}>{t('transaction.instructions')}</h3>
      <ol css={steps}>
        {list.map((instruction, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same program may be called twice in the same way
          <li key={i} css={step}>
            <Instruction action={instruction} busy={busy} />
          </li>
        ))}
      </ol>
    </section>
  )
}

/** One instruction: what it does, or everything that it consists of. */
export function Instruction({ action, busy }: { action: SolanaAction; busy: boolean }) {
  const t = useWords()
  const { program, accounts, data } = action
  const description = describeInstruction(action)
  const raw = (
    <>
      <Details rows={[[t('transaction.program'), <Address key="program">{program}</Address>]]} />
      <Accounts list={accounts} />
      {data.length > 0 && <pre css={hex}>{`0x${bytesToHex(data)}`}</pre>}
    </>
  )
  return (
    <>
      <strong css={name}>{t(description ? `solana.${description.name}` : 'transaction.unknown')}</strong>
      {description && description.facts.length > 0 && (
        <Details
          rows={description.facts.map((fact) => [
            fact.label === 'arrives'
              ? t('solana.arrives', { receiver: shortAddress(fact.receiver) })
              : t(`solana.${fact.label}`),
            <Fact key={fact.label} {...fact} />,
          ])}
        />
      )}
      {description ? (
        <Disclosure label={t('transaction.raw')} disabled={busy}>
          {raw}
        </Disclosure>
      ) : (
        raw
      )}
    </>
  )
}

function Fact(fact: InstructionFact): ReactNode {
  const t = useWords()
  if ('address' in fact) return <Address>{fact.address}</Address>
  if ('asset' in fact) return <Figure>{formatAmount(fact.amount, fact.asset)}</Figure>
  if ('units' in fact)
    return (
      <>
        <Figure>{t('call.units', { amount: fact.units.toLocaleString('en') })}</Figure>
        <div css={note}>{t('solana.unitsNote')}</div>
      </>
    )
  if ('count' in fact) return <Figure>{fact.count.toLocaleString('en')}</Figure>
  if ('time' in fact) return <bdi>{formatDate(t, fact.time)}</bdi>
  if ('role' in fact) return <span>{t(`solana.role.${fact.role}`)}</span>
  if ('nobody' in fact) return <span>{t('solana.nobody')}</span>
  return <bdi>{fact.text === '' ? t('sign.data.empty') : <Marked>{fact.text}</Marked>}</bdi>
}

function Accounts({ list }: { list: readonly MessageAccount[] }) {
  const t = useWords()
  return (
    <ol css={accountList}>
      {list.map(({ address, signer, writable }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an instruction may name an account twice
        <li key={i}>
          <Address>{address}</Address>
          {(signer || writable) && (
            <div css={note}>
              {[signer && t('transaction.signer'), writable && t('transaction.writable')]
                .filter((flag) => flag !== false)
                .join(', ')}
            </div>
          )}
        </li>
      ))}
    </ol>
  )
}

const heading: CSSObject = { ...text('detail'), margin: 0, fontWeight: 600 }
const name: CSSObject = { ...text('detail'), fontWeight: 600 }
const note: CSSObject = { ...text('caption'), color: color('text-muted') }
const steps: CSSObject = {
  listStyle: 'none',
  display: 'flex',
  flexDirection: 'column',
  gap: 8,
  margin: '8px 0',
  padding: 0,
}
const step: CSSObject = {
  ...text('detail'),
  padding: 11,
  border: edge,
  borderRadius: radius(12),
  background: color('surface-sunken'),
}
const accountList: CSSObject = {
  display: 'flex',
  flexDirection: 'column',
  gap: 4,
  margin: '4px 0',
  // Beside a number an address would not fit into two lines on the narrowest screen.
  listStyle: 'none',
  paddingInlineStart: 0,
}
const hex: CSSObject = {
  ...text('detail'),
  ...isolated,
  margin: '4px 0 0',
  fontFamily: mono,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  userSelect: 'all',
}
