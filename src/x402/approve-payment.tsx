import { isolated } from '../../styles/tokens.ts'
import { type Answering, defineScreen } from '../dialog/screen.ts'
import { type Asset, formatAmount } from '../signing/preview.ts'
import { Banner } from '../ui/feedback/banner.tsx'
import { CheckBox } from '../ui/fields/check-box.tsx'
import { Content } from '../ui/layout/content.tsx'
import { Group } from '../ui/layout/group.tsx'
import { Body, Footer } from '../ui/layout/layout.tsx'
import { useAnnounced } from '../ui/panel/use-announced.ts'
import { breakable } from '../ui/text/breakable.tsx'
import { Marked } from '../ui/text/marked.tsx'
import { useWords } from '../ui/text/words.tsx'
import { Address } from '../ui/wallet/address.tsx'
import { Amount } from '../ui/wallet/amount.tsx'
import { Details, placeOf } from '../ui/wallet/detail-row.tsx'
import { networkRow } from '../ui/wallet/network-row.tsx'
import { Decision, RequestedBy } from '../ui/wallet/request.tsx'

export interface ApprovePaymentProps {
  /** The origin of the host page. */
  origin: string
  /** The address of the wallet that pays. */
  address: string
  /** The origin that is paid for its answer. */
  seller: string
  /** The seller's own words. */
  description?: string | undefined
  amount: bigint
  asset: Asset
  /** The token's contract. */
  token: string
  /** CAIP-2 */
  chain: string
  network: string
  recipient: string
  /** The rest of today's limits after it, formatted. */
  left: readonly string[]
  /** The next payments to the seller may go without a review, if the user wants that. */
  withoutReview?: { readonly isChosen: boolean; readonly sum: bigint } | undefined
  error?: string | undefined
}

export type ApprovePaymentAnswer =
  | 'sign'
  | 'cancel'
  | { readonly edited: { readonly withoutReview: boolean } }

/** A payment for a request: the seller, the amount, and what the day's limit leaves. */
export const approvePayment = defineScreen<ApprovePaymentProps, ApprovePaymentAnswer>('approve-payment', {
  view: ApprovePayment,
})

function ApprovePayment(props: ApprovePaymentProps & Answering<ApprovePaymentAnswer>) {
  const { origin, address, seller, description, amount, asset, token, chain, network, recipient } = props
  const { left, withoutReview, error, busy, answer } = props
  const t = useWords()
  const problem = busy ? undefined : error
  const isChanging = typeof busy === 'object'
  useAnnounced(problem, 'alert')
  useAnnounced(busy === 'sign' && t('x402.busy'))
  return (
    <>
      <Body title={t('x402.title')} subtitle={t('x402.description')} fit>
        <Content gap={12} fit>
          <Amount>{formatAmount(amount, asset)}</Amount>
          <div>
            <Group>
              <Details
                rows={[
                  [
                    t('x402.seller'),
                    <bdi key="seller" css={isolated}>
                      {breakable(seller)}
                    </bdi>,
                  ],
                  ...(description
                    ? [
                        [
                          t('x402.words'),
                          <bdi key="words" dir="auto">
                            <Marked>{description}</Marked>
                          </bdi>,
                          placeOf(description),
                        ] as const,
                      ]
                    : []),
                  [t('x402.recipient'), <Address key="recipient">{recipient}</Address>],
                  [t('x402.token'), <Address key="token">{token}</Address>],
                  networkRow(t('sign.network'), chain, network),
                  [t('x402.fee'), t('x402.noFee')],
                  ...left.map((rest) => [t('x402.left'), t('x402.leftAfter', { amount: rest })] as const),
                ]}
              />
            </Group>
            <Group>
              <RequestedBy origin={origin} address={address} />
            </Group>
          </div>
          {withoutReview && (
            <CheckBox
              checked={withoutReview.isChosen}
              busy={busy !== undefined}
              onChange={(isChosen) => answer({ edited: { withoutReview: isChosen } })}
            >
              {t('x402.withoutReview', {
                most: formatAmount(amount, asset),
                sum: formatAmount(withoutReview.sum, asset),
              })}
            </CheckBox>
          )}
        </Content>
      </Body>
      <Footer>
        {problem && <Banner tone="danger">{problem}</Banner>}
        <Decision<'sign'>
          agree="sign"
          words={t('x402.button')}
          busyWords={t('x402.busy')}
          inert={isChanging}
          busy={isChanging ? undefined : busy}
          answer={answer}
        />
      </Footer>
    </>
  )
}
