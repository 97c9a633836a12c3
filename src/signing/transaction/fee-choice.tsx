import { type FormEvent, type ReactNode, useState } from 'react'
import { decimalSeparator, parseAmount } from '../../ethereum/amount-input.ts'
import { formatUnits, formatWorth } from '../../ethereum/amounts.ts'
import { LinkButton } from '../../ui/actions/link-button.tsx'
import { Choices } from '../../ui/fields/choices.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { Figure } from '../../ui/text/figure.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Worth } from '../../ui/wallet/worth.tsx'
import { type Asset, type ChosenFees, type EditableFees, formatAmount, type OwnFees } from '../preview.ts'

type Choice = EditableFees['chosen']
/** A fee per gas is typed in billionths of the coin. */
const GWEI_DECIMALS = 9

interface FeeChoiceProps {
  fees: EditableFees
  coin: Asset
  /** US dollars for one coin. */
  price: number | undefined
  /** Nothing can be changed now. */
  busy: boolean
  /** Own fees are typed, and are no part of the preview yet. */
  isOwnOpen: boolean
  onOpenOwn(isOpen: boolean): void
  /** The preview is to be made with these fees. */
  onChange(fees: ChosenFees): void
}

/** How fast a transaction is to be taken, and what that costs at most; or fees of the user's own. */
export function FeeChoice(props: FeeChoiceProps): ReactNode {
  const { fees, coin, price, busy, isOwnOpen, onOpenOwn, onChange } = props
  const t = useWords()

  function choose(value: Choice) {
    if (value === 'own') return onOpenOwn(true)
    onOpenOwn(false)
    if (value !== fees.chosen && value !== 'asked') onChange(value)
  }

  return (
    <Disclosure label={t('fees.change')} disabled={busy}>
      <Choices<Choice>
        label={t('fees.label')}
        chosen={isOwnOpen ? 'own' : fees.chosen}
        busy={busy}
        onChoose={choose}
        options={[
          ...(fees.chosen === 'asked' ? [{ value: 'asked' as const, label: t('fees.asked') }] : []),
          ...fees.levels.map(({ speed, fee }) => ({
            value: speed,
            label: t(`fees.${speed}`),
            detail: (
              <Worth worth={price === undefined ? undefined : formatWorth(fee, coin.decimals, price)}>
                <Figure>{formatAmount(fee, coin)}</Figure>
              </Worth>
            ),
          })),
          { value: 'own', label: t('fees.own') },
        ]}
      />
      {isOwnOpen && (
        <OwnFeesForm
          own={fees.own}
          coin={coin}
          busy={busy}
          onUse={(own) => {
            onOpenOwn(false)
            onChange(own)
          }}
        />
      )}
    </Disclosure>
  )
}

type Name = 'maxFeePerGas' | 'maxPriorityFeePerGas' | 'gasPrice' | 'priority'

interface OwnFeesFormProps {
  own: OwnFees
  coin: Asset
  busy: boolean
  onUse(own: OwnFees): void
}

function OwnFeesForm({ own, coin, busy, onUse }: OwnFeesFormProps): ReactNode {
  const t = useWords()
  const locale = navigator.language
  const decimals = 'priority' in own ? coin.decimals : GWEI_DECIMALS
  const given = Object.entries(own) as [Name, bigint][]
  const [typed, setTyped] = useState<Partial<Record<Name, string>>>(() =>
    Object.fromEntries(given.map(([name, amount]) => [name, typeable(amount, decimals, locale)])),
  )
  const [problem, setProblem] = useState<{ readonly name: Name; readonly words: string }>()

  function use(event?: FormEvent) {
    event?.preventDefault()
    if (busy) return
    const read = new Map<Name, bigint>()
    for (const [name] of given) {
      const { amount, problem: wrong } = parseAmount(typed[name] ?? '', decimals, locale)
      if (amount === undefined) return setProblem({ name, words: wordsFor(wrong) })
      read.set(name, amount)
    }
    const [most, tip] = [read.get('maxFeePerGas'), read.get('maxPriorityFeePerGas')]
    if (most !== undefined && tip !== undefined && tip > most)
      return setProblem({ name: 'maxPriorityFeePerGas', words: t('fees.tipTooHigh') })
    onUse(Object.fromEntries(read) as unknown as OwnFees)
  }

  function wordsFor(wrong: string): string {
    if (wrong === 'ambiguous') return t('allowance.separator', { separator: decimalSeparator(locale) })
    return wrong === 'too-many-decimals' ? t('allowance.decimals', { count: decimals }) : t('fees.invalid')
  }

  return (
    <form onSubmit={use}>
      {given.map(([name], at) => (
        <Field
          key={name}
          label={t(`fees.${name}`, { symbol: coin.symbol })}
          labelShown
          inputMode="decimal"
          autoComplete="off"
          value={typed[name] ?? ''}
          error={problem?.name === name ? problem.words : undefined}
          readOnly={busy}
          onChange={(event) => {
            setTyped({ ...typed, [name]: event.currentTarget.value })
            setProblem(undefined)
          }}
          trailing={
            at === given.length - 1 && (
              <LinkButton disabled={busy} onClick={() => use()}>
                {t('fees.use')}
              </LinkButton>
            )
          }
        />
      ))}
    </form>
  )
}

/** An amount as the user would type it. */
const typeable = (amount: bigint, decimals: number, locale: string): string =>
  formatUnits(amount, decimals).replaceAll(',', '').replace('.', decimalSeparator(locale))
