/** Follows payments until the network or the bridge has decided, in the page that made them or after a reload. */
import type { ActivityEntry } from '../../activity/entry.ts'
import { Closed } from '../../dialog/stage.ts'
import { KitError } from '../../errors/kit-error.ts'
import { findTransaction, isSameTransaction } from '../../ethereum/find-transaction.ts'
import { TimedOut, within } from '../../lib/clock.ts'
import type { BridgeStatus } from '../../protocol/bridge.ts'
import { signingLimits } from '../../signing/limits.ts'
import { failureOfEntry } from '../../signing/transaction/outcome.ts'
import { getStatus } from '../../solana/queries.ts'
import { walletsLimits } from '../../wallets/limits.ts'
import { chainIdOf } from '../bridge/networks.ts'
import { fundingLimits } from '../limits.ts'
import { type FundingOutcome, type LeftMethod, leftMethod } from '../method.ts'
import { checkPayment } from './check-payment.tsx'
import type { Payment } from './payments.ts'
import { amountText, explorerOf, type Shown, shownFor, type TransferRun, TurnedBack, waitFor } from './run.ts'
import { type TransferFailedProps, transferFailed } from './transfer-failed.tsx'

/**
 * Looks for a payment of this wallet, network and asset that was started before, and follows it.
 * @returns `undefined`: there is none, or the user starts another one
 */
export async function resumePayment(run: TransferRun): Promise<FundingOutcome | LeftMethod | undefined> {
  const { cx, services, target } = run
  for (;;) {
    const payment = services.payments.find(target)
    if (!payment) return undefined
    if (payment.state === 'sent') return finishPayment(run, payment)
    const shown = shownOf(run, payment)
    let found: Payment | 'none' | 'unknown'
    try {
      found = await waitFor(run, shown, { state: 'preparing' }, (signal) => lookFor(run, payment, signal))
    } catch (cause) {
      if (cause instanceof TurnedBack) return leftMethod()
      throw cause
    }
    if (typeof found === 'object') {
      services.payments.save(found)
      continue
    }
    const answer = await cx.stage.ask(checkPayment, {
      wallet: payment.wallet.name,
      amount: amountText(BigInt(payment.pays.amount), payment.pays),
      network: payment.network,
      isPending: found === 'unknown',
    })
    if (answer === 'back') return leftMethod()
    if (answer === 'another') {
      services.payments.remove(payment)
      return undefined
    }
  }
}

/** Asks the bridge, and the network, for a payment that the wallet was asked for. */
async function lookFor(
  { cx, services }: TransferRun,
  payment: Payment,
  signal: AbortSignal,
): Promise<Payment | 'none' | 'unknown'> {
  const { requestId, trace, from, wallet } = payment
  const ask = <T>(work: (own: AbortSignal) => Promise<T>) =>
    within(cx.clock, fundingLimits.questionTime, work, signal).catch(() => {
      signal.throwIfAborted()
      return undefined
    })
  if (requestId !== undefined && services.bridge) {
    const { bridge } = services
    const status = await ask((own) => bridge.status(requestId, own))
    const [hash] = status?.deposits ?? []
    if (status && status.state !== 'waiting') return { ...payment, state: 'sent', ...(hash && { hash }) }
  }
  const node = from.startsWith('eip155:') ? services.nodeOf(chainIdOf(from)) : undefined
  if (!node || !trace) return 'none'
  const found = await ask((own) =>
    findTransaction(
      node,
      {
        from: wallet.address,
        to: trace.to,
        data: trace.data,
        nonce: BigInt(trace.nonce),
        block: BigInt(trace.block),
        value: BigInt(trace.value),
      },
      { most: fundingLimits.nonces, signal: own },
    ),
  )
  return typeof found === 'object' ? { ...payment, state: 'sent', hash: found.hash } : (found ?? 'unknown')
}

/**
 * Follows a payment that was sent, and shows how it ends. Leaving before is as good as waiting: it goes on by itself.
 * @throws KitError never for a payment that failed: the user reads that, and all methods are shown again
 */
export async function finishPayment(
  run: TransferRun,
  payment: Payment,
): Promise<FundingOutcome | LeftMethod> {
  const submitted: FundingOutcome = {
    method: 'wallet',
    status: 'submitted',
    received: BigInt(payment.receives.amount),
    transactionHash: payment.requestId === undefined ? payment.hash : undefined,
  }
  try {
    return await follow(run, payment)
  } catch (cause) {
    if (cause instanceof Closed || cause instanceof TurnedBack) return submitted
    throw cause
  }
}

async function follow(run: TransferRun, payment: Payment): Promise<FundingOutcome | LeftMethod> {
  const { services } = run
  const shown = shownOf(run, payment)
  const settled = payment.hash === undefined ? undefined : await settle(run, payment, shown)
  if (settled && settled.status !== 'confirmed') return failOnNetwork(run, payment, settled)
  const hash = settled?.hash ?? payment.hash
  if (payment.requestId === undefined) return succeed(run, payment, shown, 'confirmed', hash)
  const bridged = await followBridge(run, payment, shown, hash)
  const paid = bridged.payments.at(-1)
  if (bridged.state === 'success') {
    const isThere =
      paid !== undefined &&
      (await waitFor(run, shown, { state: 'bridging', hash }, (signal) => isOnNetwork(run, paid, signal)))
    return succeed(run, payment, shown, isThere ? 'confirmed' : 'completed', paid)
  }
  services.payments.remove(payment, bridged.state === 'refund' ? 'refund' : 'failure')
  return failAtBridge(run, payment, bridged.state === 'refund', paid)
}

/** Waits until the network has decided about the wallet's transaction, whatever fee the wallet gave it later. */
export async function settle(
  run: TransferRun,
  payment: Pick<Payment, 'from' | 'hash' | 'trace' | 'wallet' | 'pays' | 'raw' | 'lastValidBlockHeight'>,
  shown: Shown,
  isAllowance = false,
): Promise<ActivityEntry> {
  const { cx, services } = run
  const { activity } = services
  let hash = payment.hash ?? ''
  for (;;) {
    const id = { chain: payment.from, hash }
    if (!activity.entries.get().some((each) => each.chain === id.chain && each.hash === hash))
      activity.add({
        ...id,
        wallet: payment.wallet.address,
        title: 'transfer',
        amount: payment.pays.amount,
        asset: { symbol: payment.pays.symbol, decimals: payment.pays.decimals },
        ...(payment.raw !== undefined && { raw: payment.raw }),
        ...(payment.lastValidBlockHeight !== undefined && {
          lastValidBlockHeight: payment.lastValidBlockHeight,
        }),
        sentAt: cx.clock.now(),
        status: 'pending',
      })
    const more = {
      state: 'confirming',
      hash,
      explorerUrl: explorerOf(cx, id.chain, hash),
      isAllowance,
    } as const
    const inTime = await waitFor(run, shown, more, (signal) =>
      within(cx.clock, signingLimits.usualConfirmation, (own) => activity.settled(id, own), signal).catch(
        (cause: unknown) => {
          if (cause instanceof TimedOut) return undefined
          throw cause
        },
      ),
    )
    const { entry } =
      inTime ??
      (await waitFor(run, shown, { ...more, isLate: true }, (signal) => activity.settled(id, signal)))
    const by = entry.status === 'replaced' ? entry.replacedBy : undefined
    if (by === undefined || !(await isRepeated(run, payment, by))) return entry
    // The user has raised its fee in the wallet: the same payment has another hash.
    hash = by
  }
}

async function isRepeated(
  { cx, services }: TransferRun,
  { from, trace, wallet }: Pick<Payment, 'from' | 'trace' | 'wallet'>,
  hash: string,
): Promise<boolean> {
  const node = trace && from.startsWith('eip155:') ? services.nodeOf(chainIdOf(from)) : undefined
  if (!node || !trace) return false
  const call = { from: wallet.address, to: trace.to, value: BigInt(trace.value), data: trace.data }
  try {
    return await within(
      cx.clock,
      fundingLimits.questionTime,
      (own) => isSameTransaction(node, hash, call, own),
      cx.stage.signal,
    )
  } catch {
    cx.stage.signal.throwIfAborted()
    return false
  }
}

/** Asks the bridge until it has decided. */
async function followBridge(
  run: TransferRun,
  { requestId = '', seconds = 0 }: Payment,
  shown: Shown,
  hash: string | undefined,
): Promise<BridgeStatus> {
  const { cx, services } = run
  const { bridge } = services
  if (!bridge) throw new TurnedBack('The app has no bridge any more')
  const poll = async (signal: AbortSignal): Promise<BridgeStatus> => {
    for (;;) {
      const status = await within(
        cx.clock,
        fundingLimits.questionTime,
        (own) => bridge.status(requestId, own),
        signal,
      ).catch(() => {
        // It is asked again as long as somebody waits.
        signal.throwIfAborted()
        return undefined
      })
      if (status && ['success', 'refund', 'failure'].includes(status.state)) return status
      await cx.clock.sleep(fundingLimits.bridgeInterval, signal)
    }
  }
  const usual = Math.max(fundingLimits.bridgeUsual, seconds * 1_000 * fundingLimits.bridgeUsualTimes)
  const more = { state: 'bridging', hash } as const
  const inTime = await waitFor(run, shown, more, (signal) =>
    within(cx.clock, usual, poll, signal).catch((cause: unknown) => {
      if (cause instanceof TimedOut) return undefined
      throw cause
    }),
  )
  return inTime ?? (await waitFor(run, shown, { ...more, isLate: true }, poll))
}

/** Asks the network itself for the payment of the bridge. */
async function isOnNetwork(
  { cx, services, target }: TransferRun,
  hash: string,
  signal: AbortSignal,
): Promise<boolean> {
  const look = async (own: AbortSignal): Promise<boolean> => {
    if (target.chainType === 'ethereum') {
      const receipt = await services
        .nodeOf(chainIdOf(target.chain))
        ?.ask('eth_getTransactionReceipt', [hash], { signal: own })
      return (receipt as { status?: unknown } | null | undefined)?.status === '0x1'
    }
    const place = await services.solana(target.chain)
    const status = place && (await getStatus(place.rpc, hash, { withHistory: true, signal: own }))
    return status !== undefined && status.error === null && status.commitment !== 'processed'
  }
  for (let left: number = fundingLimits.arrivalTries; left > 0; left--) {
    const found = await within(cx.clock, fundingLimits.questionTime, look, signal).catch(() => {
      signal.throwIfAborted()
      return false
    })
    if (found) return true
    if (left > 1) await cx.clock.sleep(fundingLimits.arrivalInterval, signal)
  }
  return false
}

async function succeed(
  { cx, services }: TransferRun,
  payment: Payment,
  { screen, ...props }: Shown,
  status: 'confirmed' | 'completed',
  transactionHash: string | undefined,
): Promise<FundingOutcome> {
  services.payments.remove(payment, 'success')
  await cx.stage.hold(screen, { ...props, state: 'done' }, walletsLimits.successVisible)
  return { method: 'wallet', status, received: BigInt(payment.receives.amount), transactionHash }
}

async function failOnNetwork(
  { cx, services }: TransferRun,
  payment: Payment,
  entry: ActivityEntry,
): Promise<LeftMethod> {
  services.payments.remove(payment)
  const error = failureOfEntry(entry)
  cx.report(error)
  const detail = cx.t('funding.transfer.failed', { network: payment.network })
  const props = {
    title: cx.t('transaction.failed.title'),
    detail,
    hash: entry.hash,
    explorerUrl: explorerOf(cx, entry.chain, entry.hash),
  }
  return showFailed(cx, props, { words: detail, error })
}

/** However the user leaves, the host gets what went wrong. */
async function showFailed(
  { stage }: TransferRun['cx'],
  props: TransferFailedProps,
  failure: NonNullable<LeftMethod['failure']>,
): Promise<LeftMethod> {
  await stage.ask(transferFailed, props).catch(() => {
    throw failure.error
  })
  return leftMethod(failure)
}

async function failAtBridge(
  { cx }: TransferRun,
  payment: Payment,
  isRefunded: boolean,
  hash: string | undefined,
): Promise<LeftMethod> {
  const { t } = cx
  const amount = amountText(BigInt(payment.pays.amount), payment.pays)
  const title = isRefunded
    ? t('funding.bridge.refunded.title', { source: payment.network, amount })
    : t('funding.bridge.failed.title')
  const error = new KitError(
    'transaction_failure',
    isRefunded ? 'The bridge refunded' : 'The bridge failed',
    {
      data: {
        status: isRefunded ? 'refunded' : 'failed',
        requestId: payment.requestId,
        transactionHash: hash,
      },
    },
  )
  cx.report(error)
  const props = {
    title,
    detail: isRefunded
      ? t('funding.bridge.refunded', { wallet: payment.wallet.name })
      : t('funding.bridge.failed', { amount }),
    ...(isRefunded && hash !== undefined && { hash, explorerUrl: explorerOf(cx, payment.from, hash) }),
    ...(!isRefunded && { requestId: payment.requestId }),
  }
  return showFailed(cx, props, { words: title, error })
}

function shownOf(run: TransferRun, payment: Payment): Shown {
  const { wallet, network, pays, receives, requestId } = payment
  return shownFor(run, {
    wallet: { id: wallet.id, name: wallet.name },
    source: { chainType: wallet.chainType, network, symbol: pays.symbol, decimals: pays.decimals },
    pays: BigInt(pays.amount),
    amount: BigInt(receives.amount),
    isBridge: requestId !== undefined,
  })
}
