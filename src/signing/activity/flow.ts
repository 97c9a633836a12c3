import { isRival, isUndecided } from '../../activity/activity.ts'
import { type ActivityEntry, type ActivityId, networkHashOf } from '../../activity/entry.ts'
import { ago, moment } from '../../activity/when.ts'
import { delegatesOf } from '../../app/delegates.ts'
import { addWords } from '../../copy/copy.ts'
import { activity } from '../../copy/en/activity.ts'
import { calls } from '../../copy/en/calls.ts'
import { errors } from '../../copy/en/errors.ts'
import { sign } from '../../copy/en/sign.ts'
import { transaction } from '../../copy/en/transaction.ts'
import { wallet } from '../../copy/en/wallet.ts'
import { isTurnedBack } from '../../dialog/stage.ts'
import { codeRequest } from '../../ethereum/authorization.ts'
import { broadcast, transactionHash } from '../../ethereum/broadcast.ts'
import { chainOf, explorerUrlOf } from '../../ethereum/chains.ts'
import { cancel, type SignedTransaction, speedUp } from '../../ethereum/replacement.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { deserialize } from '../../ethereum/serialize.ts'
import type { WalletTransaction } from '../../ethereum/transaction.ts'
import { NO_CODE } from '../../ethereum/wallet-code.ts'
import { NodeError, TransactionUnknownError } from '../../lib/node-errors.ts'
import type { Readable } from '../../lib/store.ts'
import { LAMPORT_DECIMALS, SOL, solanaClusters, solanaExplorerUrl } from '../../solana/clusters.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { type CallBatch, type CallsStatusCode, entryHashOf, isOpen, statusOf } from '../calls/batch.ts'
import { callsDetail } from '../calls/calls-detail.tsx'
import { detailOf as callsDetailOf } from '../calls/flow.ts'
import { createEthereumAdapter } from '../ethereum/adapter.ts'
import { type Asset, formatAmount } from '../preview.ts'
import { reportFailure } from '../report-failure.ts'
import { failureOf } from '../transaction/failure.ts'
import { sendTransaction } from '../transaction/flow.ts'
import type { ActivityService } from '../transaction/outcome.ts'
import type { TransactionUi } from '../transaction/transaction-ui.ts'
import { type ActivityAction, type ActivityDetailProps, activityDetail } from './activity-detail.tsx'
import {
  type ActivityListProps,
  type ActivityPurchase,
  type ActivityRow,
  type ActivityTransfer,
  activityList,
} from './activity-list.tsx'

addWords(activity, calls, errors, sign, transaction, wallet)

export interface ActivityOptions {
  readonly activity: ActivityService
  /** `undefined` for a chain that the app doesn't have. */
  nodeOf(chainId: number): ChainNode | undefined
  /** The user's own wallet; `undefined` for any other address. */
  walletOf(address: string): EmbeddedAccount | undefined
  /** Called with the outcome of each broadcast of a replacement. */
  onBroadcast(outcome: Promise<ActivityEntry>): void
  /** The list was opened from another screen. */
  readonly canGoBack: boolean
  /** Batches of calls that this browser remembers. */
  readonly batches?: Readable<readonly CallBatch[]> | undefined
  /** Purchases for the user's wallets, where the app sells something. */
  readonly purchases?: BoughtActivity | undefined
  /** Transfers by the bridge, where the app has one. */
  readonly transfers?: BridgedActivity | undefined
}

/** Transfers by the bridge, which the bridge itself says the end of. */
export interface BridgedActivity {
  /** `undefined` before they are loaded. */
  list(): readonly ActivityTransfer[] | undefined
  /** Never rejects. */
  load(signal: AbortSignal): Promise<void>
  /** Follows one until the user leaves it. */
  show(cx: WalletFlow, id: string): Promise<unknown>
}

/** Purchases, by whoever knows their providers. */
export interface BoughtActivity {
  /** Those that are loaded; `undefined` before the first ones. */
  list(): readonly ActivityPurchase[] | undefined
  readonly hasMore: () => boolean
  /** Loads the first page again, or the next one. Never rejects. */
  load(page: 'first' | 'next', signal: AbortSignal): Promise<void>
  /** Shows one until the user goes back. */
  show(cx: WalletFlow, id: string): Promise<unknown>
}

/**
 * Displays what the user's wallets sent, until the user goes back. Pending Ethereum transactions are replaced and dropped ones sent
 * again only when the user chooses that.
 * @throws Closed when the user closes the dialog
 */
export async function showActivity(cx: WalletFlow, options: ActivityOptions): Promise<void> {
  const { entries } = options.activity
  const { purchases, transfers } = options
  const { signal: stageSignal } = cx.stage
  let loading: Promise<void> | undefined
  function load(): void {
    if (!purchases && !transfers) return
    const parts = [purchases?.load('first', stageSignal), transfers?.load(stageSignal)]
    const work = Promise.all(parts).then(() => {
      if (loading === work) loading = undefined
    })
    loading = work
  }
  load()
  let at: string | undefined
  for (;;) {
    const props = {
      ...listOf(cx, entries.get(), batchesOf(options)),
      purchases: purchases?.list(),
      hasMorePurchases: purchases?.hasMore(),
      transfers: transfers?.list(),
      canGoBack: options.canGoBack,
      at,
    }
    const asked = await cx.stage.askDuring(activityList, props, async (signal) => {
      await Promise.race([untilAnyChange(options, signal), ...(loading ? [loading] : [])])
    })
    if ('done' in asked) continue
    const { answer } = asked
    if (answer === 'back') return
    if (answer === 'more-purchases') {
      await purchases?.load('next', stageSignal)
      continue
    }
    at = 'entry' in answer ? answer.entry : 'purchase' in answer ? answer.purchase : answer.transfer
    const batch = batchesOf(options).find((each) => keyOfBatch(each) === at)
    if (batch) await showBatch(cx, options, batch)
    else if ('entry' in answer) await showEntry(cx, options, at)
    else {
      await ('purchase' in answer ? purchases : transfers)?.show(cx, at)
      load()
    }
  }
}

/** Batches of several calls; one that has a single call is a transaction like any other. */
const batchesOf = ({ batches }: ActivityOptions): readonly CallBatch[] =>
  (batches?.get() ?? []).filter((each) => countOf(each) > 1)
const countOf = ({ calls, transactions }: CallBatch): number => calls?.length ?? transactions.length
const keyOfBatch = ({ id, wallet }: CallBatch): string => `batch ${wallet} ${id}`

/** Displays a batch, and those of its transactions that the user opens, until the user goes back or it is gone. */
async function showBatch(cx: WalletFlow, options: ActivityOptions, { id, wallet }: CallBatch): Promise<void> {
  for (;;) {
    const batch = batchesOf(options).find((each) => each.id === id && each.wallet === wallet)
    if (!batch) return
    const props = { ...callsDetailOf(cx, batch), canGoBack: true }
    const asked = await cx.stage.askDuring(callsDetail, props, (signal) => untilAnyChange(options, signal))
    if ('done' in asked) continue
    const { answer } = asked
    if (typeof answer === 'string') return
    // One transaction may carry all of them.
    const opened = batch.transactions[batch.calls ? 0 : answer.call]
    if (opened) await showEntry(cx, options, keyOf({ ...opened.entry, hash: entryHashOf(opened) }))
  }
}

/** Displays one transaction until the user goes back or it is gone. */
async function showEntry(cx: WalletFlow, options: ActivityOptions, key: string): Promise<void> {
  const { entries } = options.activity
  let error: string | undefined
  for (;;) {
    const entry = entries.get().find((each) => keyOf(each) === key)
    if (!entry) return
    const props = { ...detailOf(cx, options, entry), error }
    const asked = await cx.stage.askDuring(activityDetail, props, (signal) => untilChange(entries, signal))
    if ('done' in asked) continue
    error = undefined
    if (asked.answer === 'back') return
    const sent = readSent(entry)
    if (!sent) continue
    try {
      if (asked.answer === 'send-again') await sendAgain(options, entry, sent)
      else if (asked.answer === 'remove-code') {
        if (await removeCode(cx, options, sent)) return
      } else if (await replace(cx, options, sent, asked.answer)) return
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      error = reportFailure(cx, failureOf(cause), 'transaction.unprepared')
    }
  }
}

/** Reviews and sends a replacement. Resolves with whether there is one now. */
function replace(
  cx: WalletFlow,
  options: ActivityOptions,
  sent: SignedTransaction,
  action: 'speed-up' | 'cancel',
): Promise<boolean> {
  const { request, replaces } = action === 'cancel' ? cancel(sent) : speedUp(sent)
  const words = action === 'cancel' ? 'cancel' : 'speedUp'
  return send(cx, options, request, {
    replaces,
    ...(action === 'cancel' && { title: 'cancel' }),
    ui: { title: cx.t(`activity.${words}.title`), description: cx.t(`activity.${words}.detail`) },
  })
}

/** Takes back the code that a transaction has given the wallet's own address. Resolves with whether that was sent. */
const removeCode = (
  cx: WalletFlow,
  options: ActivityOptions,
  { chainId, from }: SignedTransaction,
): Promise<boolean> => send(cx, options, codeRequest({ chainId, wallet: from, code: NO_CODE }))

/** Reviews and sends a transaction that the user has begun here. Resolves with whether the network has it. */
async function send(
  cx: WalletFlow,
  { activity, nodeOf, walletOf, onBroadcast }: ActivityOptions,
  request: WalletTransaction,
  {
    replaces,
    ...more
  }: {
    readonly replaces?: SignedTransaction
    readonly title?: ActivityEntry['title']
    readonly ui?: TransactionUi
  } = {},
): Promise<boolean> {
  const node = nodeOf(request.chainId)
  const wallet = walletOf(request.from)
  if (!node || !wallet) return false
  let isSent = false
  try {
    const { origin } = cx.page
    const adapter = createEthereumAdapter({
      chains: cx.config,
      delegates: delegatesOf(cx.config),
      origin,
      wallet: wallet.address,
      node,
      ...(replaces && { replaces }),
      ...(cx.config.vault !== 'strict' && { review: { clock: cx.clock } }),
    })
    await sendTransaction(cx, {
      adapter,
      wallet,
      request,
      ...more,
      activity,
      isRepeatable: false,
      onBroadcast(outcome) {
        outcome.then(
          () => {
            isSent = true
          },
          () => {},
        )
        onBroadcast(outcome.then(({ entry }) => entry))
      },
    })
  } catch (cause) {
    cx.stage.signal.throwIfAborted()
    // What the node said has been displayed and reported.
    if (!isTurnedBack(cause) && !(cause instanceof NodeError || cause instanceof TransactionUnknownError))
      throw cause
  }
  return isSent
}

/** Gives the network the very same bytes once more. */
async function sendAgain(
  { activity, nodeOf }: ActivityOptions,
  entry: ActivityEntry,
  sent: SignedTransaction,
): Promise<void> {
  const node = nodeOf(sent.chainId)
  if (!node || entry.raw === undefined) return
  await broadcast(node, entry.raw, sent.chainId)
  activity.resume(entry)
}

const keyOf = ({ chain, hash }: ActivityId): string => `${chain} ${hash}`

function listOf(
  cx: WalletFlow,
  entries: readonly ActivityEntry[],
  batches: readonly CallBatch[],
): Pick<ActivityListProps, 'pending' | 'done'> {
  const inBatch = new Set(
    batches.flatMap(({ transactions }) =>
      transactions.flatMap((each) => [keyOf(each.entry), keyOf({ ...each.entry, hash: entryHashOf(each) })]),
    ),
  )
  const row = (entry: ActivityEntry): ActivityRow => ({
    key: keyOf(entry),
    kind: entry.title,
    status: entry.status,
    amount: amountOf(entry),
    network: networkOf(cx, entry).name,
    when: ago(entry.sentAt, cx.clock.now()),
  })
  const batchRow = (batch: CallBatch): ActivityRow => ({
    key: keyOfBatch(batch),
    kind: 'batch',
    count: countOf(batch),
    status: batchStatus[statusOf(batch)],
    network: networkOf(cx, { chain: batch.chain, hash: '' }).name,
    when: ago(batch.approvedAt, cx.clock.now()),
  })
  const all = [
    ...entries
      .filter((entry) => !inBatch.has(keyOf(entry)))
      .map((entry) => ({ at: entry.sentAt, isOpen: isUndecided(entry), row: row(entry) })),
    ...batches.map((batch) => ({ at: batch.approvedAt, isOpen: isOpen(batch), row: batchRow(batch) })),
  ].sort((one, other) => other.at - one.at)
  return {
    pending: all.filter((each) => each.isOpen).map((each) => each.row),
    done: all.filter((each) => !each.isOpen).map((each) => each.row),
  }
}

const batchStatus = {
  100: 'pending',
  200: 'confirmed',
  400: 'dropped',
  500: 'failed',
  600: 'partly',
} as const satisfies Record<CallsStatusCode, ActivityRow['status']>

function detailOf(
  cx: WalletFlow,
  options: ActivityOptions,
  entry: ActivityEntry,
): Omit<ActivityDetailProps, 'error'> {
  const { name, coin, explorerUrl } = networkOf(cx, entry)
  const { title, status, to, fee, sentAt, reason, replacedBy } = entry
  const hash = networkHashOf(entry) ?? entry.hash
  return {
    kind: title,
    status,
    amount: amountOf(entry),
    to,
    chain: entry.chain,
    network: name,
    fee: fee === undefined ? undefined : formatAmount(BigInt(fee), coin),
    when: moment(sentAt),
    hash,
    explorerUrl,
    reason,
    replacedBy,
    isSuperseded: isUndecided(entry) && newerRivals(options, entry).some(isUndecided),
    actions: actionsOf(options, entry),
  }
}

/** Rivals that were sent later: entries are stored newest first. */
function newerRivals({ activity }: ActivityOptions, entry: ActivityEntry): readonly ActivityEntry[] {
  const entries = activity.entries.get()
  const at = entries.findIndex((each) => keyOf(each) === keyOf(entry))
  return entries.slice(0, at).filter((each) => isRival(each, entry))
}

function actionsOf(options: ActivityOptions, entry: ActivityEntry): readonly ActivityAction[] {
  const sent = readSent(entry)
  if (!sent || !options.nodeOf(sent.chainId) || !options.walletOf(sent.from)) return []
  const isRivalPending = options.activity.entries
    .get()
    .some((each) => isRival(each, entry) && isUndecided(each))
  if (entry.title === 'add-code' && entry.status === 'confirmed')
    return isCodeLatest(options, entry) ? ['remove-code'] : []
  if (entry.status === 'dropped') return isRivalPending ? [] : ['send-again']
  // Only the dearest one of a nonce can be replaced, and that is the newest.
  if (!isUndecided(entry) || newerRivals(options, entry).some(isUndecided)) return []
  return entry.title === 'cancel' ? ['speed-up'] : ['speed-up', 'cancel']
}

/** No later transaction from this browser has changed the code of the wallet's own address, or is about to. */
function isCodeLatest({ activity }: ActivityOptions, entry: ActivityEntry): boolean {
  const entries = activity.entries.get()
  const at = entries.findIndex((each) => keyOf(each) === keyOf(entry))
  return !entries
    .slice(0, at)
    .some(
      ({ chain, wallet, title, status }) =>
        chain === entry.chain &&
        wallet === entry.wallet &&
        (title === 'add-code' || title === 'remove-code') &&
        (status === 'confirmed' || status === 'pending' || status === 'unknown'),
    )
}

/** The signed transaction of an Ethereum entry; `undefined` where its stored bytes are another one's or can't be read. */
function readSent({ chain, wallet, hash, raw }: ActivityEntry): SignedTransaction | undefined {
  if (raw === undefined || !chain.startsWith('eip155:')) return undefined
  try {
    const sent = deserialize(raw, wallet)
    return transactionHash(raw) === hash && `eip155:${sent.chainId}` === chain ? sent : undefined
  } catch {
    return undefined
  }
}

const amountOf = ({ amount, asset }: ActivityEntry): string | undefined =>
  amount !== undefined && asset ? formatAmount(BigInt(amount), asset) : undefined

interface Network {
  readonly name: string
  readonly coin: Asset
  readonly explorerUrl: string | undefined
}

function networkOf(
  { config }: WalletFlow,
  entry: Pick<ActivityEntry, 'chain' | 'hash' | 'operation' | 'transactionHash'>,
): Network {
  const { chain } = entry
  const hash = networkHashOf(entry)
  if (chain.startsWith('solana:')) {
    const cluster = solanaClusters(config).find((each) => each.chain === chain)
    return {
      name: cluster?.name ?? chain,
      coin: { symbol: SOL, decimals: LAMPORT_DECIMALS },
      explorerUrl: cluster && hash !== undefined ? solanaExplorerUrl(cluster, hash) : undefined,
    }
  }
  const id = Number(chain.split(':')[1])
  const known = chainOf(config, id)
  return {
    name: known?.name ?? chain,
    // An unknown chain's coin has no known symbol; every EVM chain counts it in 18 decimals.
    coin: known?.nativeCurrency ?? { symbol: '', decimals: 18 },
    explorerUrl: hash === undefined ? undefined : explorerUrlOf(config, id, hash),
  }
}

/** Resolves with the next change of the entries, or of a batch. */
const untilAnyChange = ({ activity, batches }: ActivityOptions, signal: AbortSignal): Promise<void> =>
  Promise.race([untilChange(activity.entries, signal), ...(batches ? [untilChange(batches, signal)] : [])])

/** Resolves with the next change of the entries. */
const untilChange = (entries: Readable<unknown>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const stop = entries.subscribe(() => {
      stop()
      resolve()
    })
    signal.addEventListener('abort', () => stop(), { once: true })
  })
