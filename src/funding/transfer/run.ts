/** One transfer from another wallet: what all of its steps know, and the screens on which they wait. */
import type { FlowContext } from '../../app/flow-context.ts'
import type { Screen } from '../../dialog/screen.ts'
import { KitError, reworded } from '../../errors/kit-error.ts'
import { formatUnits } from '../../ethereum/amounts.ts'
import { explorerUrlOf } from '../../ethereum/chains.ts'
import { solanaClusters, solanaExplorerUrl } from '../../solana/clusters.ts'
import type { ConnectedAccount } from '../../wallets/external/connector.ts'
import { toWalletError } from '../../wallets/external/wallet-error.ts'
import { chainIdOf, type Source } from '../bridge/networks.ts'
import type { FundingTarget } from '../target.ts'
import {
  type AwaitingTransferAnswer,
  type AwaitingTransferProps,
  awaitingEthereum,
  awaitingEthereumBridge,
  awaitingEthereumToSolana,
  awaitingSolana,
  awaitingSolanaBridge,
  awaitingSolanaToEthereum,
} from './awaiting-transfer.tsx'
import type { Payment } from './payments.ts'
import type { TransferServices } from './services.ts'

export interface TransferRun {
  readonly cx: FlowContext
  readonly target: FundingTarget
  readonly services: TransferServices
}

/** A payment that did not come about: the user reads `words`, and may choose again. `error` is the host's. */
export class NotPaid extends Error {
  override name = 'NotPaid'
  constructor(
    readonly words: string,
    readonly error?: KitError | undefined,
  ) {
    super(words, { cause: error })
  }
}
/** The user turned back before anything was sent. */
export class TurnedBack extends Error {
  override name = 'TurnedBack'
}
/** Another payment for the same wallet was started meanwhile, in this tab or another. */
export class AlreadyStarted extends Error {
  override name = 'AlreadyStarted'
}

/** Words and figures of the screens on which a payment is waited for. */
export type Shown = Omit<
  AwaitingTransferProps,
  'state' | 'hash' | 'explorerUrl' | 'isLate' | 'isAllowance'
> & {
  readonly screen: Screen<AwaitingTransferProps, AwaitingTransferAnswer>
}

export function shownFor(
  { cx: { config }, target }: TransferRun,
  {
    wallet,
    source,
    pays,
    amount,
    isBridge,
  }: {
    readonly wallet: AwaitingTransferProps['wallet']
    readonly source: Pick<Source, 'chainType' | 'network' | 'symbol' | 'decimals'>
    readonly pays: bigint
    readonly amount: bigint
    readonly isBridge: boolean
  },
): Shown {
  return {
    screen: screenOf(source.chainType, target.chainType, isBridge),
    wallet: { id: wallet.id, name: wallet.name, icon: wallet.icon },
    app: { name: config.appName, logoUrl: config.logoUrl },
    pays: amountText(pays, source),
    receives: amountText(amount, target),
    from: source.network,
    to: target.network,
    symbol: source.symbol,
  }
}

function screenOf(from: Source['chainType'], to: Source['chainType'], isBridge: boolean): Shown['screen'] {
  if (!isBridge) return from === 'solana' ? awaitingSolana : awaitingEthereum
  if (from === 'solana') return to === 'solana' ? awaitingSolanaBridge : awaitingSolanaToEthereum
  return to === 'solana' ? awaitingEthereumToSolana : awaitingEthereumBridge
}

export const amountText = (
  amount: bigint,
  { symbol, decimals }: { readonly symbol: string; readonly decimals: number },
): string => `${formatUnits(amount, decimals)} ${symbol}`

/**
 * Waits on a screen from which the user may turn back.
 * @throws TurnedBack
 */
export async function waitFor<T>(
  { cx }: Pick<TransferRun, 'cx'>,
  { screen, ...props }: Shown,
  more: Pick<AwaitingTransferProps, 'state' | 'hash' | 'explorerUrl' | 'isLate' | 'isAllowance'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const came = await cx.stage.askDuring(screen, { ...props, ...more }, work)
  if ('answer' in came) throw new TurnedBack()
  return came.done
}

export function explorerOf({ config }: FlowContext, chain: string, hash: string): string | undefined {
  if (chain.startsWith('eip155:')) return explorerUrlOf(config, chainIdOf(chain), hash)
  const cluster = solanaClusters(config).find((each) => each.chain === chain)
  return cluster && solanaExplorerUrl(cluster, hash)
}

/** Words for a wallet that didn't send. */
export function refusalOf({ cx: { t } }: TransferRun, { name }: { name: string }, cause: unknown): NotPaid {
  const error = toWalletError(cause)
  return error.code === 'wallet_rejected'
    ? new NotPaid(
        t('funding.transfer.rejected', { wallet: name }),
        reworded(error, 'Transaction was rejected by the user'),
      )
    : new NotPaid(t('funding.transfer.refused', { wallet: name }), error)
}

/** Codes with which a wallet says for certain that it has sent nothing. */
const certain: ReadonlySet<string> = new Set([
  ...['wallet_rejected', 'unsupported_method', 'wallet_unauthorized', 'unsupported_chain_id'],
])
export const hasSentNothing = (cause: unknown): boolean => certain.has(toWalletError(cause).code)

export const unreachable = ({ cx: { t } }: TransferRun, network: string, cause?: unknown): NotPaid =>
  new NotPaid(
    t('funding.transfer.unreachable', { network }),
    new KitError('network_unavailable', 'Disconnected', { cause, retryable: true }),
  )

/** A payment as it is written down, without what is known only later. */
export function paymentOf(
  { cx, target }: TransferRun,
  {
    account,
    source,
    pays,
    amount,
    ...more
  }: {
    readonly account: ConnectedAccount
    readonly source: Source
    readonly pays: bigint
    readonly amount: bigint
  } & Pick<Payment, 'requestId' | 'seconds'>,
): Payment {
  const { meta, address, chainType } = account
  return {
    id: crypto.randomUUID(),
    address: target.address,
    chain: target.chain,
    ...(target.token !== undefined && { token: target.token }),
    receives: { symbol: target.symbol, decimals: target.decimals, amount: String(amount) },
    wallet: { id: meta.id, name: meta.name, address, chainType },
    from: source.chain,
    network: source.network,
    pays: { symbol: source.symbol, decimals: source.decimals, amount: String(pays) },
    startedAt: cx.clock.now(),
    state: 'asked',
    ...(more.requestId !== undefined && { requestId: more.requestId }),
    ...(more.seconds !== undefined && { seconds: more.seconds }),
  }
}
