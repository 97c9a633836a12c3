import { base64 } from '@scure/base'
import type { ActivityEntry } from '../../activity/activity.ts'
import type { Settled } from '../../activity/tracker.ts'
import { Closed } from '../../dialog/stage.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { Failed, NodeError, Unsettled } from '../../lib/node-errors.ts'
import { formatBase58 } from '../../solana/base58.ts'
import { type SolanaCluster, solanaExplorerUrl } from '../../solana/clusters.ts'
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
import { type TransactionPreview, titleOf } from '../preview.ts'
import { type ApproveTransactionProps, approveTransaction } from '../transaction/approve-transaction.tsx'
import { failureOf, showFailure } from '../transaction/failure.ts'
import { type ActivityService, showOutcome } from '../transaction/outcome.ts'
import { sendSigned } from '../transaction/sending.ts'
import { type TransactionUi, wordsOf } from '../transaction/transaction-ui.ts'
import { toSolanaPreview } from './preview.ts'

export interface SolanaTransactionOptions {
  readonly wallet: EmbeddedAccount
  readonly transaction: SolanaTransaction
  readonly cluster: SolanaCluster
  /** The host's own words, which the vault never displays. */
  readonly ui?: TransactionUi | undefined
}
export type Signed = ReturnType<SolanaTransaction['withSignature']>

export interface SolanaSendRequest extends SolanaTransactionOptions {
  readonly activity: ActivityService
  /** Gives the signed transaction to the network. */
  readonly broadcast: (signed: Signed & { readonly name: Uint8Array }) => Promise<void>
  /** Called with the outcome of each broadcast, which continues even if the dialog is closed. */
  readonly onBroadcast: (outcome: Promise<Signed>) => void
  /** The last block height at which the network may take it, if the requester knows it. */
  readonly lastValidBlockHeight?: bigint | undefined
}

/**
 * Reviews a Solana transaction with the user, and signs it.
 * @throws Closed if the user declines, or the error that keeps it from being signed
 */
export async function signSolanaTransaction(
  cx: WalletFlow,
  options: SolanaTransactionOptions,
): Promise<Signed> {
  const props = propsOf(cx, options, 'sign')
  const signed = await approve(cx, options, props)
  await showDone(cx, approveTransaction, props)
  return signed
}

/**
 * Reviews a Solana transaction with the user, signs and sends it, and displays what becomes of it.
 * @throws Closed if the user declines or closes the dialog, or the error that keeps it from being sent
 */
export async function sendSolanaTransaction(cx: WalletFlow, options: SolanaSendRequest): Promise<Settled> {
  const { broadcast, onBroadcast, activity, ui, cluster } = options
  const props = propsOf(cx, options, 'send')
  for (;;) {
    const { bytes, name } = await approve(cx, options, props)
    // A transaction without its fee payer's signature has no name yet, and no network takes it.
    if (!name) throw new InvalidRequest('The transaction is not signed by its fee payer')
    const entry = entryOf(cx, options, props.preview, bytes, name)
    const explorerUrl = solanaExplorerUrl(cluster, entry.hash)
    try {
      activity.add(entry)
      await sendSigned(cx, {
        broadcast: () => broadcast({ bytes, name }).then(() => ({ bytes, name })),
        onBroadcast,
        explorerUrl: () => explorerUrl,
      })
    } catch (cause) {
      if (cause instanceof NodeError) activity.remove(entry)
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed || isUnsettled(cause)) throw cause
      await showFailure(cx, cause, { inVain: cause instanceof Failed })
      continue
    }
    const outcome = await showOutcome(cx, {
      activity,
      entry,
      network: cluster.name,
      coin: props.preview.coin,
      explorerUrl,
      successHeader: ui?.successHeader,
      successDescription: ui?.successDescription,
      // The network takes the same message once, so only the requester can make another one.
      isRetryable: false,
    })
    if (outcome !== 'retry') return outcome.settled
  }
}

/** The entry of a signed transaction, before it is broadcast. */
function entryOf(
  cx: WalletFlow,
  { cluster, lastValidBlockHeight }: SolanaSendRequest,
  preview: TransactionPreview,
  bytes: Uint8Array,
  name: Uint8Array,
): ActivityEntry {
  const transfer = preview.actions.find((action) => action.kind === 'transfer')
  return {
    chain: cluster.chain,
    wallet: preview.wallet,
    hash: formatBase58(name),
    title: titleOf(preview),
    ...(transfer?.kind === 'transfer' && { to: transfer.to }),
    ...(preview.value > 0n && { amount: String(preview.value), asset: preview.coin }),
    sentAt: cx.clock.now(),
    status: 'pending',
    raw: base64.encode(bytes),
    ...(lastValidBlockHeight !== undefined && { lastValidBlockHeight: String(lastValidBlockHeight) }),
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
  { wallet, transaction, cluster, ui }: SolanaTransactionOptions,
  action: 'sign' | 'send',
): ApproveTransactionProps => ({
  preview: toSolanaPreview(transaction, {
    origin: cx.page.origin,
    wallet: wallet.address,
    network: { name: cluster.name },
  }),
  action,
  ...wordsOf(ui),
})
