import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { parseAmount } from '../../ethereum/amount-input.ts'
import { formatDollars } from '../../ethereum/amounts.ts'
import { isFresh, type Price, worthOf } from '../../lib/price.ts'
import { Button } from '../../ui/actions/button.tsx'
import { LinkButton } from '../../ui/actions/link-button.tsx'
import { Pair } from '../../ui/actions/pair.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { AmountField } from '../../ui/fields/amount-field.tsx'
import { useFilled } from '../../ui/fields/use-filled.ts'
import { Content } from '../../ui/layout/content.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { Figure } from '../../ui/text/figure.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { shortAddress } from '../../ui/wallet/address-text.ts'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { networkRow } from '../../ui/wallet/network-row.tsx'
import { formatAmount } from '../preview.ts'
import { sendLimits } from './limits.ts'

export interface SendAmountProps {
  asset: {
    readonly symbol: string
    readonly decimals: number
    /** CAIP-2 */
    readonly chain: string
    readonly network: string
    readonly balance?: bigint | undefined
    readonly price?: Price | undefined
  }
  /** The address of the wallet that sends. */
  from: string
  /** The name of an external wallet. */
  fromName?: string | undefined
  to: string
  /** The name that stands for the recipient. */
  toName?: string | undefined
  /** Value of the field; another object puts its text there. */
  filled: { readonly text: string; readonly isMaximum: boolean }
  /** Rent that the wallet pays for the recipient's account, with its symbol. */
  rent?: string | undefined
  error?: string | undefined
  /** The wallet has too little, and the user can add it. */
  isFundable?: boolean | undefined
  notice?: string | undefined
  /** A BCP 47 tag, whose decimal separator is used. */
  locale: string
  /** Milliseconds since 1970: an older price is left out. */
  now: number
}
export type SendAmountAnswer =
  | { readonly amount: string; readonly isMaximum: boolean }
  /** Asks for the most that can be sent, in place of what was typed. */
  | { readonly maximum: string }
  /** Adds what the wallet lacks for what was typed. */
  | { readonly fund: string }
  /** Typed text is kept. */
  | { readonly back: string; readonly isMaximum: boolean }

/** The second step of sending: how much. */
export const sendAmount = defineScreen<SendAmountProps, SendAmountAnswer>('send-amount', {
  view: SendAmount,
})

function SendAmount(props: SendAmountProps & Answering<SendAmountAnswer>) {
  const { asset, from, fromName, to, toName, filled, rent, error, notice, locale, now, busy, answer } = props
  const t = useWords()
  const { typed, setTyped, shown, isUntouched } = useFilled(filled)
  const isMaximum = shown.isMaximum && isUntouched
  const isBusy = busy !== undefined
  const isFundable = props.isFundable === true && isUntouched
  const is = (name: 'amount' | 'maximum' | 'fund' | 'back') => isBusy && name in busy
  const { amount } = parseAmount(typed, asset.decimals, locale)
  const { price, balance } = asset
  const worth =
    amount !== undefined && price && isFresh(price, now) ? worthOf(amount, asset.decimals, price) : undefined
  useAnnounced(notice)
  const submit = () => {
    if (!isBusy) answer({ amount: typed, isMaximum })
  }
  return (
    <>
      <Body title={t('send.amount.title')}>
        <Content gap={16}>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              submit()
            }}
          >
            <AmountField
              label={t('send.amount', { symbol: asset.symbol })}
              symbol={asset.symbol}
              maxLength={sendLimits.amountLength}
              value={typed}
              error={isUntouched ? error : undefined}
              readOnly={isBusy}
              onChange={(event) => setTyped(event.currentTarget.value)}
              below={worth && t('send.worth', { dollars: formatDollars(worth.amount, worth.decimals) })}
              trailing={
                <LinkButton disabled={isBusy} busy={is('maximum')} onClick={() => answer({ maximum: typed })}>
                  {t('send.maximum')}
                </LinkButton>
              }
            />
          </form>
          {notice && <Banner tone="warning">{notice}</Banner>}
          <Details
            rows={[
              [
                t('send.to'),
                <span key="to">
                  {toName && <bdi css={{ display: 'block' }}>{toName}</bdi>}
                  <Address>{to}</Address>
                </span>,
              ],
              [t('solana.from'), <bdi key="from">{fromName ?? shortAddress(from)}</bdi>],
              networkRow(t('send.network'), asset.chain, asset.network),
              ...(balance === undefined
                ? []
                : [
                    [
                      t('send.balance'),
                      <Figure key="balance">{formatAmount(balance, asset)}</Figure>,
                    ] as const,
                  ]),
              ...(rent === undefined ? [] : [[t('send.rent'), <Figure key="rent">{rent}</Figure>] as const]),
            ]}
          />
        </Content>
      </Body>
      <Footer>
        <Pair>
          <Button
            kind="secondary"
            busy={is('back')}
            disabled={isBusy && !is('back')}
            onClick={() => answer({ back: typed, isMaximum })}
          >
            {t('common.back')}
          </Button>
          {isFundable ? (
            <Button
              busy={is('fund')}
              disabled={isBusy && !is('fund')}
              onClick={() => answer({ fund: typed })}
            >
              {t('transaction.addFunds')}
            </Button>
          ) : (
            <Button busy={is('amount')} disabled={isBusy && !is('amount')} onClick={submit}>
              {t('common.continue')}
            </Button>
          )}
        </Pair>
      </Footer>
    </>
  )
}
