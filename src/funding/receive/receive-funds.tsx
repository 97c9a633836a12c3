import type { CSSObject } from '@emotion/react'
import { useState } from 'react'
import { color, hidden, text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { formatRounded, formatUnits } from '../../ethereum/amounts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { LinkButton } from '../../ui/actions/link-button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Pending } from '../../ui/feedback/pending.tsx'
import { Content } from '../../ui/layout/content.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { paragraph } from '../../ui/layout/paragraph.ts'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { QrPicture } from '../../ui/qr/qr-card.tsx'
import { Figure } from '../../ui/text/figure.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { AddressCard } from '../../ui/wallet/address-card.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { fundingLimits } from '../limits.ts'
import type { FundingTarget } from '../target.ts'

export interface ReceiveFundsProps {
  target: Pick<FundingTarget, 'address' | 'network' | 'chainType' | 'symbol' | 'decimals' | 'amount'>
  /** A payment request of EIP-681 or Solana Pay. */
  link: string
  /** `undefined` while it is unknown. */
  balance?: bigint | undefined
  /** By how much the balance has risen. */
  received?: bigint | undefined
  /** The latest reading has failed. */
  isUnreachable?: boolean | undefined
}
export type ReceiveFundsAnswer = 'continue' | 'back'

/** Address and QR code for a payment from elsewhere, until the balance rises. */
export const receiveFunds = defineScreen<ReceiveFundsProps, ReceiveFundsAnswer>('receive-funds', {
  view: ReceiveFunds,
  back: true,
})

function ReceiveFunds({
  target,
  link,
  balance,
  received,
  isUnreachable,
  busy,
  answer,
}: ReceiveFundsProps & Answering<ReceiveFundsAnswer>) {
  const { address, network, chainType, symbol, decimals, amount } = target
  const t = useWords()
  // Many wallets read neither the chain nor the token of a request.
  const [isPlain, setPlain] = useState(false)
  const isPart = received !== undefined && amount !== undefined && received < amount
  const arrived =
    received === undefined
      ? undefined
      : t(isPart ? 'funding.receive.partly' : 'funding.receive.arrived', {
          amount: formatRounded(received, decimals, fundingLimits.places),
          total: formatUnits(amount ?? 0n, decimals),
          symbol,
        })
  useAnnounced(arrived ?? (isUnreachable ? t('funding.receive.unreachable') : undefined))
  return (
    <>
      <Body
        title={
          amount === undefined
            ? t('funding.receive.any', { symbol })
            : t('funding.receive.title', { amount: formatUnits(amount, decimals), symbol })
        }
      >
        <Content gap={16}>
          <div css={place}>
            <span css={hidden}>{t('funding.receive.network')}</span>
            <bdi css={name}>{network}</bdi>
            <span css={label}>{t('funding.receive.only', { symbol, network })}</span>
          </div>
          <QrPicture
            value={isPlain ? address : link}
            name={t(isPlain ? 'funding.receive.qrAddress' : 'funding.receive.qr')}
          />
          <span css={{ textAlign: 'center' }}>
            <LinkButton disabled={busy !== undefined} onClick={() => setPlain(!isPlain)}>
              {t(isPlain ? 'funding.receive.showRequest' : 'funding.receive.showAddress')}
            </LinkButton>
          </span>
          <AddressCard address={address} />
          <Details
            rows={[
              [
                t('funding.balance'),
                balance === undefined ? (
                  <Pending key="balance">{t('common.loading')}</Pending>
                ) : (
                  <Figure key="balance">{`${formatRounded(balance, decimals, fundingLimits.places)} ${symbol}`}</Figure>
                ),
              ],
            ]}
          />
          <Disclosure label={t('funding.receive.wrong.title')} disabled={busy !== undefined}>
            <p css={paragraph}>{t(`funding.receive.wrong.${chainType}`)}</p>
          </Disclosure>
        </Content>
      </Body>
      <Footer>
        {isUnreachable && !arrived && <Banner>{t('funding.receive.unreachable')}</Banner>}
        {arrived && <Banner tone={isPart ? 'info' : 'success'}>{arrived}</Banner>}
        <Button
          disabled={received === undefined || busy === 'back'}
          busy={busy === 'continue'}
          onClick={() => answer('continue')}
        >
          {received === undefined ? t('funding.receive.waiting') : t('common.continue')}
        </Button>
      </Footer>
    </>
  )
}

const place: CSSObject = {
  position: 'relative',
  display: 'flex',
  flexDirection: 'column',
  gap: 4,
  textAlign: 'center',
}
const label: CSSObject = { ...text('detail'), color: color('text-muted') }
const name: CSSObject = { ...text('hero') }
