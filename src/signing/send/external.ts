/** Sending with an external wallet, which shows and signs the transaction itself. */
import type { ActivityEntry } from '../../activity/entry.ts'
import type { Settled } from '../../activity/tracker.ts'
import { Closed } from '../../dialog/stage.ts'
import type { KitError } from '../../errors/kit-error.ts'
import { explorerUrlOf } from '../../ethereum/chains.ts'
import type { WalletTransaction } from '../../ethereum/transaction.ts'
import { solanaClusters, solanaExplorerUrl } from '../../solana/clusters.ts'
import type { SolanaRequest } from '../../solana/prepare.ts'
import { awaitingConnection } from '../../wallets/connect/awaiting-connection.tsx'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import { toWalletError } from '../../wallets/external/wallet-error.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import type { Asset } from '../preview.ts'
import { type ActivityService, showOutcome } from '../transaction/outcome.ts'
import type { OnBroadcast, SendAsset } from './asset.ts'

/** What the wallet has sent, as far as it can be followed. */
export type SentExternally = Pick<ActivityEntry, 'hash' | 'raw' | 'lastValidBlockHeight'>

interface ExternalWallet {
  readonly id: string
  readonly name: string
  readonly icon?: string | undefined
}
/** An external wallet of one chain; it shows and signs what it is given. Throws what the wallet throws. */
export type ExternalSigner = ExternalWallet &
  (
    | { readonly chainType: 'ethereum'; submit(request: WalletTransaction): Promise<SentExternally> }
    | { readonly chainType: 'solana'; submit(request: SolanaRequest): Promise<SentExternally> }
  )
export const isExternal = (signer: EmbeddedAccount | ExternalSigner): signer is ExternalSigner =>
  'submit' in signer

export interface ExternalSend {
  readonly asset: SendAsset
  /** The network's own coin. */
  readonly coin: Asset
  readonly to: string
  readonly amount: bigint
  readonly signer: ExternalWallet
  readonly activity: ActivityService
  readonly onBroadcast: OnBroadcast
}

/** An external wallet didn't send the transaction. */
export class ExternalRefusal extends Error {
  override name = 'ExternalRefusal'
  constructor(
    readonly wallet: string,
    readonly error: KitError,
  ) {
    super(error.message, { cause: error })
  }
}

/**
 * Waits while the wallet asks the user, and displays what becomes of the transaction. A wallet that answers after the user turned back has
 * sent it all the same, so it is followed.
 * @param submit hands the transaction to the wallet
 * @throws ExternalRefusal for a wallet that doesn't send it, or Closed when the user turns back before it answers
 */
export async function sendExternally(
  cx: WalletFlow,
  options: ExternalSend,
  submit: () => Promise<SentExternally>,
): Promise<Settled> {
  const { asset, coin, signer, activity, onBroadcast } = options
  const { name } = signer
  const broadcast = submit().then((sent) => {
    const entry = entryOf(cx, options, sent)
    activity.add(entry)
    return entry
  })
  onBroadcast(broadcast)
  const entry = await untilSent(cx, signer, broadcast).catch((cause: unknown) => {
    cx.stage.signal.throwIfAborted()
    throw cause instanceof Closed ? cause : new ExternalRefusal(name, toWalletError(cause))
  })
  const outcome = await showOutcome(cx, {
    activity,
    entry,
    network: asset.network,
    coin,
    explorerUrl: explorerOf(cx, entry),
    isRetryable: false,
  })
  // Nothing is offered there that would lead to another attempt.
  if (!('settled' in outcome)) throw new Closed('The user turned back')
  return outcome.settled
}

async function untilSent(
  cx: WalletFlow,
  wallet: ExternalWallet,
  broadcast: Promise<ActivityEntry>,
): Promise<ActivityEntry> {
  const came = await cx.stage.askDuring(
    awaitingConnection,
    {
      wallet: { id: wallet.id, name: wallet.name, icon: wallet.icon },
      app: { name: cx.config.appName, logoUrl: cx.config.logoUrl },
      purpose: 'connect',
      state: 'signing',
      title: cx.t('send.external.title', { wallet: wallet.name }),
      detail: cx.t('send.external.detail', { wallet: wallet.name }),
    },
    () => broadcast,
  )
  if ('answer' in came) throw new Closed('The user turned back')
  return came.done
}

function entryOf(cx: WalletFlow, { asset, to, amount }: ExternalSend, sent: SentExternally): ActivityEntry {
  const { chain, wallet, symbol, decimals } = asset
  return {
    ...sent,
    chain,
    wallet: wallet.address,
    title: 'transfer',
    to,
    amount: String(amount),
    asset: { symbol, decimals },
    sentAt: cx.clock.now(),
    status: 'pending',
  }
}

function explorerOf({ config }: WalletFlow, { chain, hash }: ActivityEntry): string | undefined {
  if (chain.startsWith('eip155:')) return explorerUrlOf(config, Number(chain.split(':')[1]), hash)
  const cluster = solanaClusters(config).find((each) => each.chain === chain)
  return cluster && solanaExplorerUrl(cluster, hash)
}
