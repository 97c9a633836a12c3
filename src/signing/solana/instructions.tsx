import type { CSSObject } from '@emotion/react'
import { edge } from '../../../styles/edge.ts'
import { color, isolated, mono, radius, text } from '../../../styles/tokens.ts'
import type {
  FactLabel,
  InstructionAccount,
  InstructionDanger,
  InstructionName,
} from '../../solana/instructions.ts'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { Figure } from '../../ui/text/figure.tsx'
import { Marked } from '../../ui/text/marked.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'

/** One instruction of a Solana transaction, with everything that it consists of. */
export interface ShownInstruction {
  readonly program: string
  readonly accounts: readonly InstructionAccount[]
  /** In hex. */
  readonly data: string
  /** The action, where it can be named. */
  readonly action?:
    | {
        readonly name: InstructionName
        readonly danger?: InstructionDanger | undefined
        readonly facts: readonly ShownFact[]
      }
    | undefined
}
export type ShownFact =
  | { readonly label: FactLabel; readonly address: string }
  | { readonly label: FactLabel; readonly text: string }
  /** An amount in a token's smallest units. */
  | { readonly label: FactLabel; readonly units: string }

/** All instructions in their order: those that can be named by what they do, all others by everything that they consist of. */
export function Instructions({ list, busy }: { list: readonly ShownInstruction[]; busy: boolean }) {
  const t = useWords()
  return (
    <section aria-label={t('transaction.instructions')}>
      <h3 css={heading}>{t('transaction.instructions')}</h3>
      <ol css={steps}>
        {list.map((instruction, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same program may be called twice in the same way
          <li key={i} css={step}>
            <Instruction {...instruction} busy={busy} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Instruction({ program, accounts, data, action, busy }: ShownInstruction & { busy: boolean }) {
  const t = useWords()
  const raw = (
    <>
      <Details rows={[[t('transaction.program'), <Address key="program">{program}</Address>]]} />
      <Accounts list={accounts} />
      {data !== '0x' && <pre css={hex}>{data}</pre>}
    </>
  )
  return (
    <>
      <strong css={name}>{t(action ? `solana.${action.name}` : 'transaction.unknown')}</strong>
      {action && action.facts.length > 0 && <Facts list={action.facts} />}
      {action ? (
        <Disclosure label={t('transaction.raw')} disabled={busy}>
          {raw}
        </Disclosure>
      ) : (
        raw
      )}
    </>
  )
}

function Facts({ list }: { list: readonly ShownFact[] }) {
  const t = useWords()
  return (
    <Details
      rows={list.map((fact) => [
        t(`solana.${fact.label}`),
        'address' in fact ? (
          <Address key={fact.label}>{fact.address}</Address>
        ) : 'units' in fact ? (
          <Figure key={fact.label}>{t('call.units', { amount: fact.units })}</Figure>
        ) : fact.label !== 'text' ? (
          <Figure key={fact.label}>{fact.text}</Figure>
        ) : (
          <bdi key={fact.label}>{fact.text === '' ? t('sign.data.empty') : <Marked>{fact.text}</Marked>}</bdi>
        ),
      ])}
    />
  )
}

function Accounts({ list }: { list: readonly InstructionAccount[] }) {
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
