/** A transfer on the network itself: the wallet has the very asset there that the other wallet gets. */
import { KitError } from '../../errors/kit-error.ts'
import { chainOf, gasPriceOracleOf } from '../../ethereum/chains.ts'
import { prepareTransaction } from '../../ethereum/prepare-transaction.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import type { WalletTransaction } from '../../ethereum/transaction.ts'
import { transferRequest } from '../../ethereum/transfer.ts'
import { NodeError } from '../../lib/node-errors.ts'
import { LAMPORT_DECIMALS, SOL } from '../../solana/clusters.ts'
import type { SolanaRequest } from '../../solana/prepare.ts'
import type { ConnectedAccount } from '../../wallets/external/connector.ts'
import { chainIdOf, targetSource } from '../bridge/networks.ts'
import type { FundingOutcome, LeftMethod } from '../method.ts'
import { finishPayment } from './follow.ts'
import { type HandOver, sendOnEthereum, sendOnSolana } from './hand-over.ts'
import { amountText, NotPaid, paymentOf, shownFor, type TransferRun, unreachable } from './run.ts'
import type { SolanaPlace } from './services.ts'

/** A payment that the network would take. */
export type DirectPayment =
  | { readonly kind: 'ethereum'; readonly request: WalletTransaction }
  | { readonly kind: 'solana'; readonly request: SolanaRequest; readonly place: SolanaPlace }

/**
 * Prepares it, with its network fee.
 * @returns `short`: the wallet has too little, of the asset or for the fee
 * @throws NotPaid for what the network would refuse, or where it can't be reached
 */
export async function prepareDirect(
  run: TransferRun,
  account: ConnectedAccount,
  amount: bigint,
  signal: AbortSignal,
): Promise<DirectPayment | 'short'> {
  const { target } = run
  try {
    return target.chainType === 'solana'
      ? await prepareSolana(run, account, amount, signal)
      : await prepareEthereum(run, account, amount, signal)
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof NotPaid) throw cause
    throw unreachable(run, target.network, cause)
  }
}

async function prepareEthereum(
  { cx, services, target }: TransferRun,
  { address: from }: ConnectedAccount,
  amount: bigint,
  signal: AbortSignal,
): Promise<DirectPayment | 'short'> {
  const chainId = chainIdOf(target.chain)
  const node = services.nodeOf(chainId)
  if (!node) throw new NotPaid(cx.t('funding.transfer.unreachable', { network: target.network }))
  const request = transferRequest({ chainId, from, to: target.address, amount, token: target.token })
  const state = await checkForWallet(cx, node, request, signal)
  if (state === 'short') return 'short'
  if (state === 'failing') throw failing(cx)
  return { kind: 'ethereum', request }
}

/**
 * Checks what a wallet is to send, whose fees the wallet reckons itself. `failing`: the network would fail it for certain; whatever else
 * a node says the wallet judges by itself. Throws what the node throws.
 */
export async function checkForWallet(
  { config }: Pick<TransferRun['cx'], 'config'>,
  node: ChainNode,
  request: WalletTransaction,
  signal: AbortSignal,
): Promise<'ready' | 'short' | 'failing'> {
  const gasPriceOracle = gasPriceOracleOf(config, request.chainId)
  const prepare = (oracle: string | undefined) =>
    prepareTransaction(node, request, { gasPriceOracle: oracle, signal })
  const { isUnderfunded, reason } = await prepare(gasPriceOracle).catch((cause: unknown) => {
    // A copy of a chain may lack the contract that says what layer 1 costs.
    if (gasPriceOracle === undefined || !(cause instanceof NodeError)) throw cause
    return prepare(undefined)
  })
  if (isUnderfunded) return 'short'
  return reason?.kind === 'reverted' || reason?.kind === 'out-of-gas' ? 'failing' : 'ready'
}

async function prepareSolana(
  { cx, services, target }: TransferRun,
  { address: wallet }: ConnectedAccount,
  amount: bigint,
  signal: AbortSignal,
): Promise<DirectPayment | 'short'> {
  const { token: mint, address: to, network, chain } = target
  const place = await services.solana(chain)
  if (!place) throw new NotPaid(cx.t('funding.transfer.unreachable', { network }))
  const { rpc, room } = place
  const spl =
    mint === undefined ? undefined : (await room.readSplBalances(rpc, wallet, [mint], { signal })).get(mint)
  if (mint !== undefined && !spl) return 'short'
  const found = await room.inspectRecipient(rpc, { to, token: spl }, { signal })
  if (spl && found.problem !== undefined) throw failing(cx)
  if (found.problem === undefined && amount < found.least)
    throw new NotPaid(
      cx.t('funding.transfer.least', {
        amount: amountText(found.least, spl ? target : { symbol: SOL, decimals: LAMPORT_DECIMALS }),
      }),
    )
  const request = await room.transferRequest({
    wallet,
    to,
    amount,
    token: spl,
    needsMemo: found.problem === undefined && found.needsMemo,
  })
  const { balance, fee, rents } = await room.prepare({ rpc, clock: cx.clock }, request, {
    mayChange: true,
    signal,
  })
  const rent = [...rents.values()].reduce((sum, each) => sum + each, 0n)
  const needed = fee.total + rent + (mint === undefined ? amount : 0n)
  return balance < needed ? 'short' : { kind: 'solana', request, place }
}

const failing = ({ t }: TransferRun['cx']) =>
  new NotPaid(
    t('funding.transfer.failing'),
    new KitError('transaction_failure', 'The network would refuse the transaction'),
  )

/**
 * Has the wallet pay, and follows it.
 * @throws NotPaid, TurnedBack, AlreadyStarted
 */
export async function payDirectly(
  run: TransferRun,
  account: ConnectedAccount,
  amount: bigint,
  prepared: DirectPayment,
): Promise<FundingOutcome | LeftMethod> {
  const { target, services } = run
  const source = targetSource(target)
  const shown = shownFor(run, { wallet: account.meta, source, pays: amount, amount, isBridge: false })
  const payment = paymentOf(run, { account, source, pays: amount, amount })
  const handOver: HandOver & { readonly payment: typeof payment } = {
    account,
    shown,
    payment,
    entry: {
      chain: target.chain,
      title: 'transfer',
      to: target.address,
      amount: String(amount),
      asset: { symbol: target.symbol, decimals: target.decimals },
    },
  }
  const { hash } =
    prepared.kind === 'ethereum'
      ? await sendOnEthereum(run, prepared.request, handOver)
      : await sendOnSolana(run, prepared.place, prepared.request, handOver)
  return finishPayment(run, services.payments.find(target) ?? { ...payment, state: 'sent', hash })
}

/** Words for a wallet that can't pay on the network itself. */
export function shortWords(
  { cx: { t, config }, target }: TransferRun,
  { meta }: ConnectedAccount,
  hasAmount: boolean,
): string {
  const { network, symbol, chain, chainType } = target
  if (!hasAmount) return t('funding.transfer.short', { wallet: meta.name, symbol, network })
  const coin = chainType === 'solana' ? SOL : chainOf(config, chainIdOf(chain))?.nativeCurrency.symbol
  return t('funding.transfer.gas', { wallet: meta.name, symbol: coin ?? symbol, network })
}
