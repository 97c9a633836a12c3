import type { CSSObject } from '@emotion/react'
import { type ReactNode, useState } from 'react'
import { color, text } from '../../styles/tokens.ts'
import { decimalSeparator, parseAmount } from '../ethereum/amount-input.ts'
import type { AllowanceEdit } from '../ethereum/edit-allowance.ts'
import { LinkButton } from '../ui/actions/link-button.tsx'
import { Choices } from '../ui/fields/choices.tsx'
import { Field } from '../ui/fields/field.tsx'
import { Figure } from '../ui/text/figure.tsx'
import { useWords } from '../ui/text/words.tsx'
import { shortAddress } from '../ui/wallet/address-text.ts'
import { type EditableAllowance, formatAmount } from './preview.ts'
import { formatDate } from './token-action-facts.tsx'

interface AllowanceChoicesProps {
  allowances: readonly EditableAllowance[]
  /** Nothing can be changed now. */
  busy: boolean
  /** The allowance whose own amount is being typed; it is no part of the preview yet. */
  ownOpen: number | undefined
  onOpenOwn(at: number | undefined): void
  /** The preview is to be made with this change. */
  onChange(edit: AllowanceEdit): void
}

/** How much of each token its spender may have, and until when. */
export function AllowanceChoices({
  allowances,
  busy,
  ownOpen,
  onOpenOwn,
  onChange,
}: AllowanceChoicesProps): ReactNode {
  return allowances.map((allowance) => (
    <AllowanceChoice
      key={allowance.at}
      allowance={allowance}
      isOnly={allowances.length === 1}
      busy={busy}
      isOwnOpen={ownOpen === allowance.at}
      onOpenOwn={(isOpen) => onOpenOwn(isOpen ? allowance.at : undefined)}
      onChange={(change) => onChange({ at: allowance.at, ...change })}
    />
  ))
}

interface AllowanceChoiceProps {
  allowance: EditableAllowance
  /** There is no other that it could be taken for. */
  isOnly: boolean
  busy: boolean
  isOwnOpen: boolean
  onOpenOwn(isOpen: boolean): void
  onChange(change: Omit<AllowanceEdit, 'at'>): void
}
type Choice = 'once' | 'maximum' | 'own'

/** How much of a token a spender may have: what the request needs first, then what it asks for, and an own amount. */
function AllowanceChoice(props: AllowanceChoiceProps): ReactNode {
  const { allowance, isOnly, busy, isOwnOpen, onOpenOwn, onChange } = props
  const { asked, amount, once, isMaximum, asset, end, spender } = allowance
  const t = useWords()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const maximum = isMaximum ? [{ value: 'maximum', label: t('call.maximum'), amount: asked } as const] : []
  const fixed = [
    ...(once === undefined ? [] : [{ value: 'once', label: t('allowance.once'), amount: once } as const]),
    ...maximum,
  ]
  const applied = fixed.find((each) => each.amount === amount)?.value ?? 'own'
  const chosen: Choice = isOwnOpen ? 'own' : applied
  const ownDetail =
    applied === 'own' && !isOwnOpen ? <Figure>{formatAmount(amount, asset)}</Figure> : undefined

  function choose(value: Choice) {
    setProblem(undefined)
    if (value === 'own') return onOpenOwn(true)
    onOpenOwn(false)
    const found = fixed.find((each) => each.value === value)
    if (found && found.amount !== amount) onChange({ amount: found.amount })
  }

  function applyOwn() {
    const locale = navigator.language
    const { amount: own, problem: wrong } = parseAmount(typed, asset.decimals, locale)
    if (wrong === 'ambiguous')
      return setProblem(t('allowance.separator', { separator: decimalSeparator(locale) }))
    if (wrong === 'too-many-decimals') return setProblem(t('allowance.decimals', { count: asset.decimals }))
    if (wrong === 'too-large' || (own !== undefined && own > asked)) return setProblem(t('allowance.tooMuch'))
    if (own === undefined || own === 0n) return setProblem(t('allowance.invalid'))
    onOpenOwn(false)
    if (own !== amount) onChange({ amount: own })
  }

  return (
    <>
      <Choices<Choice>
        label={
          isOnly
            ? t('allowance.label')
            : t('allowance.labelOf', { symbol: asset.symbol, spender: shortAddress(spender) })
        }
        chosen={chosen}
        busy={busy}
        onChoose={choose}
        options={[
          ...fixed.map(({ value, label, amount: each }) => ({
            value,
            label,
            ...(value === 'once' && { detail: <Figure>{formatAmount(each, asset)}</Figure> }),
          })),
          { value: 'own', label: t('allowance.own'), detail: ownDetail },
        ]}
      />
      {isOwnOpen && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (!busy) applyOwn()
          }}
        >
          <Field
            label={t('allowance.amount', { symbol: asset.symbol })}
            labelShown
            inputMode="decimal"
            autoComplete="off"
            value={typed}
            error={problem}
            readOnly={busy}
            onChange={(event) => {
              setTyped(event.currentTarget.value)
              setProblem(undefined)
            }}
            trailing={
              <LinkButton disabled={busy} onClick={applyOwn}>
                {t('allowance.use')}
              </LinkButton>
            }
          />
        </form>
      )}
      {end && <EndChoice end={end} busy={busy} onChange={(expires) => onChange({ expires })} />}
    </>
  )
}

/** Until when an allowance may be used: the ends that are sooner first, then the one that is asked for. */
function EndChoice({
  end: { asked, now, sooner },
  busy,
  onChange,
}: {
  end: NonNullable<EditableAllowance['end']>
  busy: boolean
  onChange(expires: bigint): void
}): ReactNode {
  const t = useWords()
  const all = [...new Set([...sooner, now, asked])].sort((one, other) => (one < other ? -1 : 1))
  return (
    <Choices<string>
      label={t('allowance.end')}
      chosen={String(now)}
      busy={busy}
      onChoose={(value) => value !== String(now) && onChange(BigInt(value))}
      options={all.map((seconds) => ({ value: String(seconds), label: formatDate(t, seconds) }))}
    />
  )
}

/** Why an allowance can't be lowered here. */
export type AllowanceNote = 'noAmount' | 'sentAlong'

/** Says why an allowance has nothing to choose. */
export function AllowanceNoteLine({ note }: { note: AllowanceNote }): ReactNode {
  const t = useWords()
  return <p css={line}>{t(`allowance.note.${note}`)}</p>
}

const line: CSSObject = { ...text('caption'), margin: '4px 0 8px', color: color('text-muted') }
