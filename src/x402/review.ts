/** The review of a payment: the kit's own screen in compatible apps, and the vault's review of the signed transfer in strict ones. */
import { addWords } from '../copy/copy.ts'
import { x402 } from '../copy/en/x402.ts'
import { toKitError } from '../errors/kit-error.ts'
import { chainOf } from '../ethereum/chains.ts'
import type { ChainNode } from '../ethereum/rpc.ts'
import { parseTypedData } from '../ethereum/typed-data.ts'
import { minOf } from '../lib/bigint.ts'
import { createApprover } from '../signing/create-approver.ts'
import { signTypedData } from '../signing/index.ts'
import { formatAmount } from '../signing/preview.ts'
import { readHex } from '../signing/signature.ts'
import type { EmbeddedAccount } from '../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../wallets/flow-context.ts'
import { type ApprovePaymentProps, approvePayment } from './approve-payment.tsx'
import { formatDollars, toDollarValue } from './caps.ts'
import type { ChosenPayment, SignedByUser, SignPayment } from './pay.ts'

addWords(x402)

export interface ReviewOptions extends SignPayment {
  readonly wallet: EmbeddedAccount
  readonly payment: ChosenPayment
  /** Users may choose to pay the seller without a review. */
  readonly canSkipReview: boolean
  readonly node?: ChainNode | undefined
}

/**
 * Has the user approve a payment, and signs it.
 * @throws Closed if the user rejects it
 */
export async function reviewPayment(
  cx: WalletFlow,
  { wallet, payment, typedData, isReviewed, canSkipReview, node }: ReviewOptions,
): Promise<SignedByUser> {
  const { chainId } = payment.payable
  if (cx.config.vault === 'strict') {
    const typed = parseTypedData(typedData)
    return signTypedData(cx, { wallet, typed, chainId, node })
  }
  const approver = createApprover(cx, !isReviewed)
  const sum = canSkipReview ? unitsLeft(payment) : undefined
  let isChosen = false
  for (;;) {
    const decision = await approver.review<ApprovePaymentProps, undefined, string>({
      wallet,
      screen: approvePayment as never,
      async *previews() {
        yield {
          state: 'ready',
          props: {
            ...propsOf(cx, wallet, payment),
            ...(sum !== undefined && sum > 0n && { withoutReview: { isChosen, sum } }),
          },
          value: undefined,
          signature: {
            content: { kind: 'typedData', typedData: typedData as never, chainId },
            read: readHex,
          },
        }
      },
      toError: (cause) => toKitError(cause, 'unable_to_sign'),
    })
    if (decision.outcome === 'edited') isChosen = decision.edit.withoutReview === true
    if (decision.outcome !== 'approved') continue
    return { signature: decision.signed, ...(isChosen && sum !== undefined && { withoutReview: sum }) }
  }
}

function propsOf(
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  { payable, token, left }: ChosenPayment,
): ApprovePaymentProps {
  const { chainId, origin, description, amount, payTo } = payable
  const { symbol, decimals } = token
  const asset = { symbol, decimals }
  return {
    origin: cx.page.origin,
    address: wallet.address,
    seller: origin,
    description,
    amount,
    asset,
    token: payable.token,
    chain: `eip155:${chainId}`,
    network: chainOf(cx.config, chainId)?.name ?? String(chainId),
    recipient: payTo,
    left: left.map(({ limit, left: rest }) =>
      limit.unit === 'usd' ? formatDollars(rest) : formatAmount(rest, asset),
    ),
  }
}

/** The rest of the day's limits, in the token's smallest units. */
function unitsLeft({ token: { decimals }, left, price }: ChosenPayment): bigint {
  const unit = 10n ** BigInt(decimals)
  const units = left.map(({ limit, left: rest }) => {
    if (limit.unit === 'units') return rest
    const each = price === undefined ? 0n : toDollarValue(unit, decimals, price)
    return each > 0n ? (rest * unit) / each : 0n
  })
  return units.reduce((least, each) => minOf(least, each), units[0] ?? 0n)
}
