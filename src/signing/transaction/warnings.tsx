import type { CSSObject } from '@emotion/react'
import { type ReactNode, useState } from 'react'
import { color, text } from '../../../styles/tokens.ts'
import { LinkButton } from '../../ui/actions/link-button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { Marked } from '../../ui/text/marked.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { shortAddress } from '../../ui/wallet/address-text.ts'
import {
  formatAmount,
  rankWarnings,
  roomCodes,
  type TransactionPreview,
  trialCodes,
  type Warning,
} from '../preview.ts'

type Funds = Pick<
  TransactionPreview,
  'missing' | 'total' | 'coin' | 'wallet' | 'network' | 'isUnderfunded' | 'tokenShortage'
>

interface WarningsProps {
  readonly warnings: readonly Warning[]
  /** What a transaction lacks. */
  readonly funds?: Funds | undefined
  /** The user can add what is missing. */
  readonly isFundable?: boolean | undefined
}

/** The gravest warning. The others are named by their number, and are displayed once the user asks for them. */
export function Warnings({ warnings, funds, isFundable = false }: WarningsProps): ReactNode {
  const t = useWords()
  const [areAllOpen, setAllOpen] = useState(false)
  const ranked = rankWarnings(warnings)
  const words = useWarningWords(funds, isFundable)
  const [first] = ranked
  useAnnounced(first && words(first), 'alert')
  if (!first) return null
  const more = ranked.length - 1
  return (
    <>
      {(areAllOpen ? ranked : [first]).map((warning) => (
        <Banner key={`${warning.code}${warning.spender ?? warning.address ?? ''}`} tone={warning.severity}>
          {words(warning)}
          {warning.reason && (
            <div css={reason}>
              <bdi dir="auto">
                <Marked>{warning.reason}</Marked>
              </bdi>
            </div>
          )}
        </Banner>
      ))}
      {more > 0 && !areAllOpen && (
        <div css={{ alignSelf: 'center' }}>
          <LinkButton onClick={() => setAllOpen(true)}>{t('warning.more', { count: more })}</LinkButton>
        </div>
      )}
    </>
  )
}

function useWarningWords(funds: Funds | undefined, isFundable: boolean): (warning: Warning) => string {
  const t = useWords()
  const missing =
    funds?.tokenShortage && !funds.isUnderfunded
      ? formatAmount(funds.tokenShortage.missing, funds.tokenShortage.asset)
      : funds?.missing && formatAmount(funds.missing, funds.coin)
  const short = (words: string) => (missing ? `${words} ${t('warning.missing', { amount: missing })}` : words)
  return ({ code, spender = '', address = '' }) => {
    const party = shortAddress(spender)
    switch (code) {
      case 'insufficient-funds':
        return short(
          isFundable && funds
            ? t('transaction.addFunds.detail', { chain: funds.network.name })
            : funds
              ? t('transaction.short.wallet', { address: shortAddress(funds.wallet) })
              : t('transaction.short'),
        )
      case 'nodes-differ':
        return t('warning.nodesDiffer')
      case 'low-fee':
        return t('warning.lowFee')
      case 'charging-paymaster':
        return t('warning.charging-paymaster', { spender: party })
      case 'foreign-code':
        return t('warning.foreign-code')
      case 'later-code':
        return t('warning.later-code')
      case 'reverts':
        return t('transaction.reverts')
      case 'may-fail':
        return t('transaction.unprepared')
      case 'unlimited-allowance':
        return t('sign.data.unlimited', { spender: party })
      case 'allowance':
        return t('sign.data.spender', { spender: party })
      case 'solana-insufficientFunds': {
        if (isFundable && funds) return short(t('transaction.addFunds.detail', { chain: funds.network.name }))
        if (address) return t('transaction.short.wallet', { address: shortAddress(address) })
        if (funds?.missing === undefined || funds.total === undefined) return t('transaction.short.solana')
        return [
          t('transaction.short.wallet', { address: shortAddress(funds.wallet) }),
          t('transaction.short.needed', { amount: formatAmount(funds.total, funds.coin) }),
          t('warning.missing', { amount: formatAmount(funds.missing, funds.coin) }),
        ].join(' ')
      }
      case 'solana-approval':
        return t('solana.warning.approval', { spender: party })
      case 'solana-control':
        return t('solana.warning.control', { spender: party })
      case 'solana-knownProgram':
        return t('solana.warning.knownProgram', { program: shortAddress(address) })
      case 'solana-unknownProgram':
        return t('solana.warning.unknownProgram', { program: shortAddress(address) })
      case 'undescribed':
        return t('warning.undescribed')
      case 'unlimited-somebody':
        return t('sign.data.unlimitedSomebody')
      case 'allowance-somebody':
        return t('sign.data.spenderSomebody')
      case 'gives-key':
        return t('sign.concern.key')
      case 'unreadable':
        return t('sign.data.unreadable')
      default:
        return isOfRoom(code) ? t(`warning.${code}`) : t(`solana.warning.${solanaCode(code)}`)
    }
  }
}

type CodeOf<Code extends string> = Code extends `solana-${infer Rest}` ? Rest : never
const solanaCode = <Code extends string>(code: Code) => code.slice('solana-'.length) as CodeOf<Code>
const isOfRoom = (code: Warning['code']): code is (typeof roomCodes | typeof trialCodes)[number] =>
  ([...roomCodes, ...trialCodes] as readonly string[]).includes(code)

const reason: CSSObject = { ...text('caption'), color: color('text-muted'), marginBlockStart: 4 }
