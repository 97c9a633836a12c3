import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { formatDollars } from '../../ethereum/amounts.ts'
import { isFresh, type Price, worthOf } from '../../lib/price.ts'
import { Button } from '../../ui/actions/button.tsx'
import { AmountField } from '../../ui/fields/amount-field.tsx'
import { useFilled } from '../../ui/fields/use-filled.ts'
import { Content } from '../../ui/layout/content.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { networkRow } from '../../ui/wallet/network-row.tsx'
import type { FundingTarget } from '../target.ts'
import { readAmountText, toAmountText } from './amount-text.ts'

export interface EditAmountProps {
  target: Pick<FundingTarget, 'address' | 'chain' | 'network' | 'symbol' | 'decimals'>
  /** Value of the field; another object puts its text there. */
  filled: { readonly text: string }
  /** The price of one whole unit. */
  price?: Price | undefined
  /** Milliseconds since 1970: an older price is left out. */
  now: number
  /** A BCP 47 tag, whose decimal separator may be typed for the point. */
  locale: string
  /** A reason why the filled amount can't be used. */
  error?: string | undefined
}
export type EditAmountAnswer = { readonly amount: string } | 'back'

/** The amount with which a wallet is funded. */
export const editAmount = defineScreen<EditAmountProps, EditAmountAnswer>('funding-amount', {
  view: EditAmount,
  back: true,
})

function EditAmount({
  target,
  filled,
  price,
  now,
  locale,
  error,
  busy,
  answer,
}: EditAmountProps & Answering<EditAmountAnswer>) {
  const { address, chain, network, symbol, decimals } = target
  const t = useWords()
  const { typed, setTyped, isUntouched } = useFilled(filled)
  const isBusy = busy !== undefined
  const read = readAmountText(typed, decimals)
  const worth =
    read.problem === undefined && price && isFresh(price, now)
      ? worthOf(read.amount, decimals, price)
      : undefined
  const problem = read.problem === 'decimals' || read.problem === 'too-large' ? read.problem : undefined
  const submit = () => {
    if (!isBusy && read.problem === undefined) answer({ amount: typed })
  }
  return (
    <>
      <Body title={t('funding.amount.title')}>
        <Content gap={16}>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              submit()
            }}
          >
            <AmountField
              label={t('funding.amount.label', { symbol })}
              symbol={symbol}
              value={typed}
              readOnly={isBusy}
              error={
                problem
                  ? t(`funding.amount.problem.${problem}`, { symbol, count: decimals })
                  : isUntouched
                    ? error
                    : undefined
              }
              onChange={({ currentTarget: { value } }) => setTyped(toAmountText(value, locale) ?? typed)}
              below={
                worth
                  ? t('funding.amount.worth', { dollars: formatDollars(worth.amount, worth.decimals) })
                  : read.problem !== undefined && !problem && t('funding.amount.hint')
              }
            />
          </form>
          <Details
            rows={[
              [t('funding.wallet'), <Address key="address">{address}</Address>],
              networkRow(t('funding.receive.network'), chain, network),
            ]}
          />
        </Content>
      </Body>
      <Footer>
        <Button
          busy={isBusy && busy !== 'back'}
          disabled={busy === 'back' || read.problem !== undefined}
          onClick={submit}
        >
          {t('common.continue')}
        </Button>
      </Footer>
    </>
  )
}
