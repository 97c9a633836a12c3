import type { CSSObject } from '@emotion/react'
import { type ReactNode, useState } from 'react'
import { color, text } from '../../../styles/tokens.ts'
import { LinkButton } from '../../ui/actions/link-button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { Marked } from '../../ui/text/marked.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { shortAddress } from '../../ui/wallet/address-text.ts'
import { formatAmount, rankWarnings, roomCodes, type TransactionPreview, type Warning } from '../preview.ts'

type Funds = Pick<TransactionPreview, 'missing' | 'coin'>

interface WarningsProps {
  readonly warnings: readonly Warning[]
  /** What a transaction lacks. */
  readonly funds?: Funds | undefined
}

/** The gravest warning. The others are named by their number, and are displayed once the user asks for them. */
export function Warnings({ warnings, funds }: WarningsProps): ReactNode {
  const t = useWords()
  const [areAllOpen, setAllOpen] = useState(false)
  const ranked = rankWarnings(warnings)
  const words = useWarningWords(funds)
  const [first] = ranked
  useAnnounced(first && words(first), 'alert')
  if (!first) return null
  const more = ranked.length - 1
  return (
    <>
      {(areAllOpen ? ranked : [first]).map((warning) => (
        <Banner key={`${warning.code}${warning.spender ?? ''}`} tone={warning.severity}>
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

function useWarningWords(funds: Funds | undefined): (warning: Warning) => string {
  const t = useWords()
  return ({ code, spender = '' }) => {
    const short = shortAddress(spender)
    switch (code) {
      case 'insufficient-funds':
        return funds?.missing
          ? `${t('transaction.short')} ${t('warning.missing', { amount: formatAmount(funds.missing, funds.coin) })}`
          : t('transaction.short')
      case 'reverts':
        return t('transaction.reverts')
      case 'may-fail':
        return t('transaction.unprepared')
      case 'unlimited-allowance':
        return t('sign.data.unlimited', { spender: short })
      case 'allowance':
        return t('sign.data.spender', { spender: short })
      case 'unlimited-somebody':
        return t('sign.data.unlimitedSomebody')
      case 'allowance-somebody':
        return t('sign.data.spenderSomebody')
      case 'gives-key':
        return t('sign.concern.key')
      case 'unreadable':
        return t('sign.data.unreadable')
      default:
        if (isOfRoom(code)) return t(`warning.${code}`)
        return t(`solana.danger.${code.slice('solana-'.length) as 'nonce'}`)
    }
  }
}

const isOfRoom = (code: Warning['code']): code is (typeof roomCodes)[number] =>
  (roomCodes as readonly string[]).includes(code)

const reason: CSSObject = { ...text('caption'), color: color('text-muted'), marginBlockStart: 4 }
