import { type ReactNode, useState } from 'react'
import { decimalSeparator, parseAmount } from '../../ethereum/amount-input.ts'
import { LinkButton } from '../../ui/actions/link-button.tsx'
import { Choices } from '../../ui/fields/choices.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Figure } from '../../ui/text/figure.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { type EditableAllowance, formatAmount } from '../preview.ts'

interface AllowanceChoiceProps {
  allowance: EditableAllowance
  /** Nothing can be changed now. */
  busy: boolean
  /** An own amount is typed, and is no part of the preview yet. */
  isOwnOpen: boolean
  onOpenOwn(isOpen: boolean): void
  /** The preview is to be made with this amount. */
  onChange(amount: bigint): void
}
type Choice = 'once' | 'maximum' | 'own'

/** How much of a token a spender may have: what the request needs first, then what it asks for, and an own amount. */
export function AllowanceChoice(props: AllowanceChoiceProps): ReactNode {
  const { allowance, busy, isOwnOpen, onOpenOwn, onChange } = props
  const { asked, amount, once, isMaximum, asset } = allowance
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
    if (found && found.amount !== amount) onChange(found.amount)
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
    if (own !== amount) onChange(own)
  }

  return (
    <>
      <Choices<Choice>
        label={t('allowance.label')}
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
    </>
  )
}
