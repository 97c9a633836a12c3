import { Closed } from '../../dialog/stage.ts'
import { Failed, Unsettled } from '../../lib/node-errors.ts'
import type { SolanaCluster } from '../../solana/clusters.ts'
import type { SolanaTransaction } from '../../solana/transaction.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import {
  approvedInVault,
  askVault,
  inVault,
  prepareVault,
  reportFailure,
  showDone,
  solanaSignature,
} from '../approved.ts'
import { type ApproveTransactionProps, approveTransaction } from '../transaction/approve-transaction.tsx'
import { failureOf, showFailure } from '../transaction/failure.ts'
import { sendSigned } from '../transaction/sending.ts'
import { toSolanaPreview } from './preview.ts'

export interface SolanaTransactionOptions {
  readonly wallet: EmbeddedAccount
  readonly transaction: SolanaTransaction
  readonly cluster: SolanaCluster
  /** Gives the signed transaction to the network; without it, it is only signed. */
  readonly broadcast?: ((signed: Signed) => Promise<void>) | undefined
  /** Called with the outcome of each broadcast, which continues even if the dialog is closed. */
  readonly onBroadcast: (outcome: Promise<Signed>) => void
}
export type Signed = ReturnType<SolanaTransaction['withSignature']>

/**
 * Shows what a Solana transaction does and costs, signs it once the person agrees, and sends it if asked to.
 * Resolves with the signed transaction. Throws `Closed` if they don't agree, or why it can't be done.
 */
export async function transactSolana(cx: WalletFlow, options: SolanaTransactionOptions): Promise<Signed> {
  const { broadcast, onBroadcast } = options
  const props = propsOf(cx, options)
  for (;;) {
    const signed = await approve(cx, options, props)
    try {
      if (broadcast)
        return await sendSigned(cx, props, {
          broadcast: () => broadcast(signed).then(() => signed),
          onBroadcast,
        })
      await showDone(cx, approveTransaction, props)
      return signed
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed || isUnsettled(cause)) throw cause
      await showFailure(cx, cause, { inVain: cause instanceof Failed })
    }
  }
}

/** The person approves and the vault signs. */
async function approve(
  cx: WalletFlow,
  { wallet, transaction, cluster }: SolanaTransactionOptions,
  props: ApproveTransactionProps,
): Promise<Signed> {
  const signature = solanaSignature(transaction.message)
  if (inVault(cx)) {
    const { signed } = await approvedInVault(cx, wallet, approveTransaction.id, async (show) =>
      show(signature.request, { action: props.action, ...testCluster(cluster) }),
    )
    return transaction.withSignature(signature.read(signed))
  }
  prepareVault(cx)
  let error: string | undefined
  for (;;) {
    if ((await cx.stage.ask(approveTransaction, { ...props, ...(error && { error }) })) === 'cancel')
      throw new Closed('The person cancelled')
    try {
      return transaction.withSignature(signature.read(await askVault(cx, wallet, signature.request)))
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed) throw cause
      error = reportFailure(cx, failureOf(cause))
    }
  }
}

/** For the vault, which takes it for what the page says. */
function testCluster({ chain }: SolanaCluster): { cluster?: 'devnet' | 'testnet' } {
  if (chain === 'solana:devnet') return { cluster: 'devnet' }
  return chain === 'solana:testnet' ? { cluster: 'testnet' } : {}
}

/**
 * The network takes the same transaction once, however often it is signed, so only an unknown outcome ends
 * this.
 */
const isUnsettled = (cause: unknown) => cause instanceof Unsettled

const propsOf = (
  cx: WalletFlow,
  { wallet, transaction, cluster, broadcast }: SolanaTransactionOptions,
): ApproveTransactionProps => ({
  preview: toSolanaPreview(transaction, {
    origin: cx.page.origin,
    wallet: wallet.address,
    network: { name: cluster.name },
  }),
  action: broadcast ? 'send' : 'sign',
})
