/** Bridging: the wallet pays on another network or with another asset, and the bridge pays the user's wallet. */
import { KitError } from '../../errors/kit-error.ts'
import { formatRounded } from '../../ethereum/amounts.ts'
import { quantity } from '../../ethereum/answers.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { simulateCalls } from '../../ethereum/simulate-calls.ts'
import { addressWord, erc20Selectors } from '../../ethereum/tokens.ts'
import { within } from '../../lib/clock.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import type {
  BridgeItem,
  BridgeQuote,
  BridgeRequest,
  EthereumItem,
  SolanaItem,
} from '../../protocol/bridge.ts'
import type { ConnectedAccount } from '../../wallets/external/connector.ts'
import { fundingLimits } from '../limits.ts'
import type { FundingOutcome, LeftMethod } from '../method.ts'
import { checkForWallet } from '../transfer/direct.ts'
import { finishPayment, settle } from '../transfer/follow.ts'
import { type HandOver, sendOnEthereum, sendOnSolana } from '../transfer/hand-over.ts'
import type { Holding } from '../transfer/holdings.ts'
import type { Payment } from '../transfer/payments.ts'
import {
  amountText,
  NotPaid,
  paymentOf,
  type Shown,
  shownFor,
  type TransferRun,
  TurnedBack,
  unreachable,
  waitFor,
} from '../transfer/run.ts'
import {
  assertQuoteMatches,
  assertSolanaMatches,
  assertTrialMatches,
  depositsOn,
  NO_TRIAL,
  readAllowance,
} from './check.ts'
import { type ConfirmBridgeProps, confirmBridge } from './confirm-bridge.tsx'
import { bridgeAssetOf, isSameSource } from './networks.ts'
import { pickSource } from './pick-source.tsx'

/** A quote that was checked, for one of the wallet's assets. */
interface Offer {
  readonly source: Holding
  readonly request: BridgeRequest
  readonly quote: BridgeQuote
  readonly requestId: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface BridgePayment {
  readonly account: ConnectedAccount
  /** Assets of the wallet, the highest worth first. */
  readonly held: readonly Holding[]
  readonly amount: bigint
}

/**
 * Pays by the bridge: the user picks where from if there are several ways, and confirms what it takes.
 * @throws NotPaid, TurnedBack, AlreadyStarted
 */
export async function payByBridge(
  run: TransferRun,
  payment: BridgePayment,
): Promise<FundingOutcome | LeftMethod> {
  const { target } = run
  const { account, held } = payment
  const shown = shownFor(run, {
    wallet: account.meta,
    source: held[0] ?? target,
    pays: payment.amount,
    amount: payment.amount,
    isBridge: true,
  })
  const offers = await waitFor(run, shown, { state: 'preparing' }, (signal) =>
    askOffers(run, payment, signal),
  )
  for (;;) {
    const [only] = offers
    const offer = offers.length > 1 ? await pickOffer(run, payment, offers) : only
    if (!offer) throw new TurnedBack()
    const confirmed = await confirmOffer(run, payment, offer)
    if (confirmed !== 'back') return execute(run, payment, confirmed)
    if (offers.length === 1) throw new TurnedBack()
  }
}

/** Asks the bridge for the wallet's most valuable assets, and keeps what the wallet can pay. */
async function askOffers(
  run: TransferRun,
  { account, held, amount }: BridgePayment,
  signal: AbortSignal,
): Promise<readonly Offer[]> {
  const { cx, target } = run
  const { t } = cx
  const { network } = target
  const { name } = account.meta
  const sources = held.filter(
    (each) => each.amount > 0n && !isSameSource(each, target) && bridgeAssetOf(each) !== undefined,
  )
  if (sources.length === 0)
    throw new NotPaid(
      t('funding.transfer.short.anywhere', { wallet: name }),
      unselectable('The wallet holds nothing that can be bridged'),
    )
  const failures: unknown[] = []
  const asked = await Promise.all(
    sources.slice(0, fundingLimits.bridgeQuotes).map(async (source) => {
      try {
        return await askOffer(run, account, source, amount, signal)
      } catch (cause) {
        signal.throwIfAborted()
        failures.push(cause)
        return undefined
      }
    }),
  )
  const offers = asked.flatMap((each) => each ?? [])
  const payable = offers.filter(({ quote, source }) => quote.pays.amount <= source.amount)
  if (payable.length > 0) return payable
  if (offers.length > 0)
    throw new NotPaid(
      t('funding.transfer.short.anywhere', { wallet: name }),
      unselectable('The wallet has too little for each'),
    )
  const [first] = failures
  if (first === undefined)
    throw new NotPaid(
      t('funding.bridge.noRoute', { wallet: name, network }),
      unselectable('The bridge has none for the wallet'),
    )
  const isMismatch = failures.every(
    (each) => each instanceof KitError && each.code === 'provider_refused' && each.status === undefined,
  )
  throw new NotPaid(
    t(isMismatch ? 'funding.bridge.mismatch' : 'funding.bridge.noQuotes', { network }),
    new KitError('provider_refused', 'Unable to fetch quotes for bridging...', {
      cause: first,
      details: String(first),
      retryable: true,
    }),
  )
}

const unselectable = (details: string) =>
  new KitError('insufficient_funds', 'Unable to select bridge option from quotes...', { details })

/** @returns `undefined` where the bridge doesn't take one of the addresses */
async function askOffer(
  { cx, services, target }: TransferRun,
  { address: user }: ConnectedAccount,
  source: Holding,
  amount: bigint,
  signal: AbortSignal,
): Promise<Offer | undefined> {
  const from = bridgeAssetOf(source)
  const to = bridgeAssetOf(target)
  const { bridge } = services
  if (!from || !to || !bridge) return undefined
  const request: BridgeRequest = { user, recipient: target.address, from, to, amount }
  const quote = await within(
    cx.clock,
    fundingLimits.bridgeQuoteTime,
    (own) => bridge.quote(request, own),
    signal,
  )
  if (!quote) return undefined
  const requestId = assertQuoteMatches(quote, {
    request,
    source,
    decimals: target.decimals,
    deposits: services.bridgeDeposits,
  })
  return { source, request, quote, requestId, at: cx.clock.now() }
}

async function pickOffer(
  { cx, target }: TransferRun,
  { account, amount }: BridgePayment,
  offers: readonly Offer[],
): Promise<Offer | undefined> {
  const { id, name, icon } = account.meta
  const answer = await cx.stage.ask(pickSource, {
    wallet: { id, name, icon },
    address: account.address,
    sources: offers.map(({ requestId, source, quote }) => ({
      key: requestId,
      chain: source.chain,
      token: source.token,
      network: source.network,
      symbol: source.symbol,
      decimals: source.decimals,
      balance: source.amount,
      pays: quote.pays.amount,
    })),
    target: { chain: target.chain, token: target.token, symbol: target.symbol },
    receives: amountText(amount, target),
    network: target.network,
  })
  return answer === 'back' ? undefined : offers.find(({ requestId }) => requestId === answer.source)
}

/**
 * Shows what an offer takes until the user confirms it. One that has expired is asked for again; what then takes more than was shown is
 * shown again.
 */
async function confirmOffer(
  run: TransferRun,
  { account, amount }: BridgePayment,
  first: Offer,
): Promise<Offer | 'back'> {
  const { cx } = run
  const { clock, stage } = cx
  let offer = first
  let notice: ConfirmBridgeProps['notice']
  const renew = (signal: AbortSignal) => askOffer(run, account, first.source, amount, signal)
  const isOld = () => clock.now() - offer.at >= fundingLimits.bridgeQuoteLife
  for (;;) {
    const asked = await stage.askDuring(
      confirmBridge,
      confirmProps(run, account, amount, offer, notice),
      async (signal): Promise<Offer> => {
        for (;;) {
          await clock.sleep(Math.max(0, offer.at + fundingLimits.bridgeQuoteLife - clock.now()), signal)
          const renewed = await renew(signal).catch(() => {
            signal.throwIfAborted()
            return undefined
          })
          if (renewed) return renewed
          await clock.sleep(fundingLimits.bridgeQuoteLife, signal)
        }
      },
    )
    if ('done' in asked) {
      notice = isDearer(offer, asked.done) ? 'changed' : notice === 'changed' ? notice : undefined
      offer = asked.done
      continue
    }
    if (asked.answer === 'back') return 'back'
    if (!isOld()) return offer
    try {
      const renewed = await renew(stage.signal)
      if (renewed && !isDearer(offer, renewed)) return renewed
      notice = renewed ? 'changed' : 'unquoted'
      offer = renewed ?? offer
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (cause instanceof KitError) cx.report(cause)
      notice = 'unquoted'
    }
  }
}

const isDearer = (shown: Offer, renewed: Offer): boolean =>
  renewed.quote.pays.amount >
  shown.quote.pays.amount + shown.quote.pays.amount / fundingLimits.bridgeQuoteSlack

function confirmProps(
  { target }: TransferRun,
  { meta: { id, name, icon }, address }: ConnectedAccount,
  amount: bigint,
  { source, quote }: Offer,
  notice: ConfirmBridgeProps['notice'],
): ConfirmBridgeProps {
  const { fee } = quote
  const items = quote.steps.flatMap((step) => step.items)
  return {
    wallet: { id, name, icon },
    address,
    balance: `${formatRounded(source.amount, source.decimals, fundingLimits.places)} ${source.symbol}`,
    recipient: target.address,
    pays: amountText(quote.pays.amount, source),
    receives: amountText(amount, target),
    // A fee in an asset that this screen says nothing of has a symbol of the bridge's own.
    ...(fee &&
      fee.chainId === quote.pays.chainId &&
      fee.address === quote.pays.address && { fee: amountText(fee.amount, source) }),
    symbol: source.symbol,
    from: source.network,
    to: target.network,
    seconds: quote.seconds,
    hasAllowance: items.some((item) => item.kind === 'ethereum' && readAllowance(item, source.token)),
    notice,
  }
}

/** Has the wallet do every item of every step, in their order. */
async function execute(
  run: TransferRun,
  { account, amount }: BridgePayment,
  offer: Offer,
): Promise<FundingOutcome | LeftMethod> {
  const { services, target } = run
  const { source, quote, requestId } = offer
  const pays = quote.pays.amount
  const shown = shownFor(run, { wallet: account.meta, source, pays, amount, isBridge: true })
  const payment = paymentOf(run, { account, source, pays, amount, requestId, seconds: quote.seconds })
  const figures = {
    amount: String(pays),
    asset: { symbol: source.symbol, decimals: source.decimals },
  }
  const items = quote.steps.flatMap((step) => step.items)
  let hasAllowed = false
  for (const [at, item] of items.entries()) {
    try {
      if (item.kind === 'ethereum') {
        const allowance = readAllowance(item, source.token)
        const isLast = at === items.length - 1
        const entry = { chain: source.chain, to: item.to, ...figures } as const
        const handOver: HandOver = allowance
          ? { account, shown, entry: { ...entry, title: 'approve', to: allowance.spender } }
          : { account, shown, payment, entry: { ...entry, title: source.token ? 'call' : 'transfer' } }
        const done = await sendItem(run, offer, items.slice(at), handOver, !isLast)
        if (allowance && done) hasAllowed = true
      } else if (item.kind === 'solana') {
        const entry = { chain: source.chain, title: 'call', ...figures } as const
        await sendSolanaItem(run, offer, item, { account, shown, payment, entry })
      }
    } catch (cause) {
      if (!hasAllowed || !(cause instanceof NotPaid)) throw cause
      const left = run.cx.t('funding.bridge.approved', {
        wallet: account.meta.name,
        amount: amountText(pays, source),
      })
      throw new NotPaid(`${cause.words} ${left}`, cause.error)
    }
  }
  const written = services.payments.find(target)
  if (!written) throw new NotPaid(run.cx.t('funding.bridge.mismatch'))
  return finishPayment(run, written)
}

/**
 * Has the wallet do the first of the items that are left, once a trial run of all of them has shown what they take.
 * @returns whether the wallet was asked; not for an allowance that it has given before
 */
async function sendItem(
  run: TransferRun,
  { source, quote }: Offer,
  left: readonly BridgeItem[],
  handOver: HandOver,
  settles: boolean,
): Promise<boolean> {
  const { cx, services } = run
  const { account, shown, payment } = handOver
  const [item, ...others] = left.flatMap((each) => (each.kind === 'ethereum' ? each : []))
  const node = item && services.nodeOf(item.chainId)
  if (!node) throw unreachable(run, source.network)
  const allowance = readAllowance(item, source.token)
  const request = toRequest(item)
  const { chainId, from, to, value, data } = request
  const limits = {
    token: source.token,
    most: quote.pays.amount,
    deposits: depositsOn(services.bridgeDeposits, `eip155:${chainId}`),
  }
  const ready = await waitFor(run, shown, { state: 'preparing' }, async (signal) => {
    try {
      if (
        allowance &&
        source.token !== undefined &&
        (await readAllowed(node, source.token, from, allowance.spender, signal)) >= allowance.amount
      )
        return 'allowed'
      const checked = await checkForWallet(cx, node, request, signal)
      if (checked !== 'ready') return checked
      const tried = await within(
        cx.clock,
        fundingLimits.trialTime,
        (own) => simulateCalls(node, [request, ...others.map(toRequest)], { now: cx.clock.now, signal: own }),
        signal,
      )
      assertTrialMatches(tried, limits)
      return checked
    } catch (cause) {
      signal.throwIfAborted()
      if (cause instanceof KitError && cause.code === 'provider_refused')
        throw notOffered(run, source.network, cause)
      throw unreachable(run, source.network, cause)
    }
  })
  if (ready === 'allowed') return false
  if (ready !== 'ready') throw notReady(run, account, source, ready)
  const entry = await sendOnEthereum(run, request, handOver)
  if (!settles) return true
  const settled = await settle(
    run,
    {
      from: source.chain,
      hash: entry.hash,
      wallet: {
        id: account.meta.id,
        name: account.meta.name,
        address: account.address,
        chainType: 'ethereum',
      },
      pays: { symbol: source.symbol, decimals: source.decimals, amount: String(quote.pays.amount) },
      trace: { nonce: '0', block: '0', to, value: String(value), data },
    },
    shown,
    payment === undefined,
  )
  if (settled.status !== 'confirmed')
    throw new NotPaid(cx.t('funding.transfer.failed', { network: source.network }))
  return true
}

const toRequest = ({ chainId, from, to, value, data }: EthereumItem) => ({
  chainId,
  from: from as `0x${string}`,
  to: to as `0x${string}`,
  value,
  data,
})

function notReady(
  { cx: { t } }: TransferRun,
  { meta }: ConnectedAccount,
  { network, symbol }: Holding,
  why: 'short' | 'failing',
): NotPaid {
  const error =
    why === 'short'
      ? new KitError('insufficient_funds', 'Wallet has insufficient funds for this transaction.')
      : new KitError('transaction_failure', 'The network would refuse the transaction')
  return why === 'short'
    ? new NotPaid(t('funding.transfer.short', { wallet: meta.name, symbol, network }), error)
    : new NotPaid(t('funding.transfer.failing'), error)
}

/** Reads the allowance that a spender has already. */
async function readAllowed(
  node: ChainNode,
  token: string,
  owner: string,
  spender: string,
  signal: AbortSignal,
): Promise<bigint> {
  const data = `${erc20Selectors.allowance}${addressWord(owner)}${addressWord(spender)}`
  const answer = await node.ask('eth_call', [{ to: token, data }, 'latest'], { signal })
  if (typeof answer !== 'string' || answer.length !== 66) return 0n
  return quantity('an allowance')(`0x${answer.slice(2).replace(/^0+(?=.)/, '')}`)
}

/** What the user reads of a step that was refused. */
const notOffered = ({ cx }: TransferRun, network: string, cause: KitError): NotPaid =>
  new NotPaid(
    cx.t(cause.details === NO_TRIAL ? 'funding.bridge.untried' : 'funding.bridge.mismatch', { network }),
    cause,
  )

/** Checks by a trial run what the bridge wants signed, and has it signed. */
async function sendSolanaItem(
  run: TransferRun,
  { source, quote }: Offer,
  { instructions, lookupTables }: SolanaItem,
  handOver: HandOver & { readonly payment: Payment },
): Promise<void> {
  const { cx, services } = run
  const { account, shown } = handOver
  const place = await services.solana(source.chain)
  if (!place) throw unreachable(run, source.network)
  const { room, rpc } = place
  const ready = await waitFor(run, shown satisfies Shown, { state: 'preparing' }, async (signal) => {
    try {
      const wallet = account.address
      const request = await room.instructionsRequest(rpc, { wallet, instructions, lookupTables }, { signal })
      const node = { rpc, clock: cx.clock }
      const prepared = await room.prepare(node, request, { mayChange: true, isReviewed: true, signal })
      const simulation = await room.simulate(node, prepared, { signal })
      const isCoin = source.token === undefined
      const rent = [...prepared.rents.values()].reduce((sum, each) => sum + each, 0n)
      const needed = prepared.fee.total + rent + (isCoin ? quote.pays.amount : 0n)
      if (prepared.balance < needed) return 'short'
      if (simulation.status === 'failed') return simulation.shortage ? 'short' : 'failing'
      assertSolanaMatches(prepared, simulation, {
        token: source.token,
        most: quote.pays.amount,
        deposits: depositsOn(services.bridgeDeposits, source.chain),
      })
      return request
    } catch (cause) {
      signal.throwIfAborted()
      if (cause instanceof KitError) throw notOffered(run, source.network, cause)
      if (cause instanceof InvalidRequest)
        throw new NotPaid(
          cx.t('funding.bridge.mismatch'),
          new KitError('provider_refused', "The bridge's quote is not what was asked for", { cause }),
        )
      throw unreachable(run, source.network, cause)
    }
  })
  if (typeof ready === 'string') throw notReady(run, account, source, ready)
  await sendOnSolana(run, place, ready, handOver)
}
