import { base64 } from '@scure/base'
import { atMost, formatUnits } from '../../chains/amounts.ts'
import type { ChainNode } from '../../chains/rpc.ts'
import { Unsettled } from '../../chains/rpc.ts'
import { LAMPORT_DECIMALS, SOL, type SolanaCluster } from '../../chains/solana.ts'
import type { SolanaTransaction } from '../../chains/solana-transaction.ts'
import { Closed } from '../../core/stage.ts'
import { type ApproveTransactionProps, approveTransaction } from '../../screens/sign/approve-transaction.tsx'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import { unlessAnswered } from '../leavable.ts'
import type { WalletFlow } from '../wallet/context.ts'
import { prepareVault, showDone, tellFailure } from './approved.ts'
import { askSolanaVault } from './message.ts'
import { sendSigned } from './sending.ts'
import { failureOf } from './transaction-failure.ts'

export interface SolanaWish {
  readonly wallet: EmbeddedAccount
  readonly transaction: SolanaTransaction
  readonly cluster: SolanaCluster
  readonly node: ChainNode
  /** Gives the signed transaction to the network; without it, it is only signed. */
  readonly broadcast?: ((signed: Signed) => Promise<void>) | undefined
  /** Told of each sending: it can't be called off, whatever becomes of the dialog. */
  readonly onSending: (sending: Promise<Signed>) => void
}
export type Signed = ReturnType<SolanaTransaction['withSignature']>

/**
 * Shows what a Solana transaction does and costs, signs it once the person says so, and sends it where that is wished
 * for. Resolves with the signed transaction. Throws `Closed` when they don't agree, or why it can't be done.
 */
export async function transactSolana(cx: WalletFlow, wish: SolanaWish): Promise<Signed> {
  prepareVault(cx)
  const { wallet, transaction, broadcast, onSending } = wish
  const props = { ...shown(cx, wish), ...(await feeOf(cx, wish)) }
  let refusal: unknown
  for (;;) {
    const error = refusal === undefined ? undefined : tellFailure(cx, failureOf(refusal))
    if ((await cx.stage.ask(approveTransaction, { ...props, ...(error && { error }) })) === 'cancel')
      throw refusal ?? new Closed('The person cancelled')
    try {
      const signed = transaction.withSignature(await askSolanaVault(cx, wallet, transaction.message))
      if (broadcast)
        return await sendSigned(cx, props, {
          broadcast: () => broadcast(signed).then(() => signed),
          onSending,
        })
      await showDone(cx, approveTransaction, props)
      return signed
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed || isUnsettled(cause)) throw cause
      refusal = cause
    }
  }
}

/** The same transaction is the same one to the network, however often it is signed: only what nobody knows ends it. */
const isUnsettled = (cause: unknown) => cause instanceof Unsettled

/** What the network takes for it, where the node says so; the person sees the rest meanwhile. */
async function feeOf(cx: WalletFlow, wish: SolanaWish): Promise<Partial<ApproveTransactionProps>> {
  const { isPayer, message, lamports } = wish.transaction
  if (!isPayer) return {}
  const ask = async (signal: AbortSignal) => {
    const params = [base64.encode(message), { commitment: 'confirmed' }]
    const answer = await wish.node.ask('getFeeForMessage', params, { signal, retries: false })
    const fee = (answer as { value?: unknown } | null)?.value
    return typeof fee === 'number' && Number.isSafeInteger(fee) && fee >= 0 ? BigInt(fee) : undefined
  }
  const props = { ...shown(cx, wish), preparing: true }
  for (;;) {
    const came = await unlessAnswered(cx.stage, approveTransaction, props, (signal) =>
      ask(signal).catch(() => undefined),
    )
    if ('done' in came) {
      if (came.done === undefined) return {}
      const fee = atMost(came.done)
      return { fee: amount(fee), total: amount(lamports + fee) }
    }
    if (came.answer === 'cancel') throw new Closed('The person cancelled')
  }
}

const shown = (
  cx: WalletFlow,
  { wallet, transaction, cluster, broadcast }: SolanaWish,
): ApproveTransactionProps => ({
  ...{ origin: cx.page.origin, address: wallet.address, chain: cluster.name },
  // What programs take is not for us to know: without a plain transfer there is no amount to show.
  value: transaction.lamports > 0n ? amount(transaction.lamports) : '',
  ...(transaction.to && { to: transaction.to }),
  instructions: transaction.instructions,
  action: broadcast ? 'send' : 'sign',
})

const amount = (lamports: bigint) => `${formatUnits(lamports, LAMPORT_DECIMALS)} ${SOL}`
