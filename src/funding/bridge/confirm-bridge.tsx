import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Content } from '../../ui/layout/content.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { Figure } from '../../ui/text/figure.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { PayWith, type PayWithProps } from './pay-with.tsx'

export interface ConfirmBridgeProps {
  wallet: PayWithProps['wallet']
  /** The wallet that pays, and what it has of the asset that pays. */
  address: string
  balance: string
  /** The wallet that is paid. */
  recipient: string
  /** The amount that leaves the wallet, fees of the bridge included, and the one that arrives: `0.02 ETH`. */
  pays: string
  receives: string
  fee?: string | undefined
  symbol: string
  from: string
  to: string
  /** Time that the bridge usually takes. */
  seconds?: number | undefined
  /** The wallet asks twice: for the allowance first. */
  hasAllowance: boolean
  /** `changed`: the figures are others than before. `unquoted`: they have expired, and no new ones came. */
  notice?: 'changed' | 'unquoted' | undefined
}
export type ConfirmBridgeAnswer = 'confirm' | 'back'

/** Costs and time of a bridge, which the user reads before the wallet is asked for anything. */
export const confirmBridge = defineScreen<ConfirmBridgeProps, ConfirmBridgeAnswer>('bridge-confirm', {
  view: ConfirmBridge,
  back: true,
})

function ConfirmBridge({
  wallet,
  address,
  balance,
  recipient,
  pays,
  receives,
  fee,
  symbol,
  from,
  to,
  seconds,
  hasAllowance,
  notice,
  busy,
  answer,
}: ConfirmBridgeProps & Answering<ConfirmBridgeAnswer>) {
  const t = useWords()
  const note = notice && t(`funding.bridge.${notice}`)
  useAnnounced(note, 'alert')
  const time = seconds === undefined ? undefined : timeOf(seconds)
  return (
    <>
      <Body
        title={t('funding.bridge.confirm.title')}
        subtitle={t(from === to ? 'funding.bridge.confirm.exchange' : 'funding.bridge.confirm.detail', {
          symbol,
          from,
          to,
        })}
      >
        <Content gap={12}>
          <Details
            rows={[
              [t('funding.bridge.pay'), <Figure key="pays">{pays}</Figure>],
              [t('funding.bridge.receive'), <Figure key="receives">{receives}</Figure>],
              ...(fee === undefined
                ? []
                : [[t('funding.bridge.fee'), <Figure key="fee">{fee}</Figure>] as const]),
              [
                t('funding.bridge.network'),
                t('funding.bridge.network.shown', { wallet: wallet.name }),
              ] as const,
              ...(time === undefined
                ? []
                : [[t('funding.bridge.time'), t(time.key, { count: time.count })] as const]),
              [t('funding.transfer.fundsTo'), <Address key="recipient">{recipient}</Address>],
            ]}
          />
          {hasAllowance && <Banner>{t('funding.bridge.signatures', { wallet: wallet.name })}</Banner>}
        </Content>
      </Body>
      <Footer>
        <PayWith wallet={wallet} address={address} balance={balance} />
        {note && <Banner tone="warning">{note}</Banner>}
        <AnswerButton gives="confirm" busy={busy} answer={answer}>
          {t('common.continue')}
        </AnswerButton>
      </Footer>
    </>
  )
}

function timeOf(seconds: number) {
  return seconds < 120
    ? ({ key: 'funding.bridge.time.seconds', count: Math.max(1, Math.ceil(seconds)) } as const)
    : ({ key: 'funding.bridge.time.minutes', count: Math.ceil(seconds / 60) } as const)
}
