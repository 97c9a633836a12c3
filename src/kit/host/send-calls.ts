/** Batches of calls that the user approves, for hosts and for the page's libraries; loaded with the first one. */
import { delegatesOf } from '../../app/delegates.ts'
import { isTurnedBack } from '../../dialog/stage.ts'
import { KitError } from '../../errors/kit-error.ts'
import { defaultChainId } from '../../ethereum/chains.ts'
import { isHexBytes } from '../../ethereum/hex.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { frameLimits } from '../../protocol/frame/limits.ts'
import type { CallsAdapter } from '../../signing/calls/adapter.ts'
import type { CallBatch } from '../../signing/calls/batch.ts'
import type { CallBatches } from '../../signing/calls/batches.ts'
import {
  createAtomicCalls,
  createEthereumAdapter,
  createEthereumCalls,
  createSolanaCalls,
  sendCalls,
  showCalls,
} from '../../signing/index.ts'
import type { TransactionUi } from '../../signing/transaction/transaction-ui.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import { type CallsRequest, callsErrors } from '../../wallets/embedded/provider/calls.ts'
import { ProviderRpcError } from '../../wallets/external/provider-error.ts'
import { walletsLimits } from '../../wallets/limits.ts'
import type { CallsStatus, SendCallsOptions, SolanaBatchOptions, SolanaTransactionInput } from '../api.ts'
import type { KitContext } from '../context.ts'
import { hostStatusOf, providerStatusOf } from '../wallets/calls.ts'
import type { Sending } from '../wallets/sending.ts'
import { atomicSupport } from '../wallets/wallet-code.ts'
import { personOf } from './person.ts'
import { inTurn, readRequest, toUi, walletFor } from './requests.ts'
import { runSigning, type SigningRun } from './signing.ts'
import { asHostFailure, contextOf, readTransaction } from './solana.ts'
import { mustHaveChain } from './transactions.ts'

export interface Batch {
  readonly adapter: CallsAdapter<unknown>
  /** The wallet whose key signs. */
  readonly wallet: EmbeddedAccount
  readonly id: string | undefined
  readonly ui: TransactionUi
}

/** Sends calls for {@link Kit.sendCalls}. The kit is ready. */
export async function sendCallsForHost(
  cx: KitContext,
  sending: Sending,
  options: SendCallsOptions,
): Promise<CallsStatus> {
  const { calls, id, address, atomicRequired = false, uiOptions = {}, surface, signal } = options
  mustFit(calls)
  mustBeId(id)
  const wallet = await walletFor(cx, 'ethereum', address)
  const chainId = options.chainId ?? defaultChainId(cx.app.known())
  mustHaveChain(cx, chainId)
  const ui = toUi(cx, uiOptions)
  const adapter = await ethereumCalls(cx, sending, { wallet, chainId, calls, ui, atomicRequired }).then(
    (read) => read.adapter,
    (cause: unknown) => readRequest(() => raise(toHostError(cause))),
  )
  const batch = await runForHost(cx, sending, { adapter, wallet, id, ui }, { surface, signal })
  return hostStatusOf(sending, batch)
}

/** Sends transactions for {@link KitSolana.signAndSendAllTransactions}. The kit is ready. */
export async function sendSolanaTransactionsForHost(
  cx: KitContext,
  sending: Sending,
  inputs: readonly SolanaTransactionInput[],
  options: SolanaBatchOptions = {},
): Promise<CallsStatus> {
  mustFit(inputs)
  mustBeId(options.id)
  const { surface, signal, id } = options
  const { chain, wallet, ui } = await contextOf(cx, sending, options)
  const requests = inputs.map((input) => readTransaction(chain, wallet.address, input).request)
  const adapter = readRequest(() =>
    createSolanaCalls({
      ...chain,
      clock: cx.clock,
      origin: cx.page.origin,
      wallet: wallet.address,
      prices: ui.isHidden ? undefined : sending.review()?.prices,
      requests,
    }),
  ) as CallsAdapter<unknown>
  const batch = await runForHost(cx, sending, { adapter, wallet, id, ui }, { surface, signal })
  return hostStatusOf(sending, batch)
}

/** Reads the outcome of a batch, for {@link Kit.getCallsStatus}. The kit is ready. */
export async function callsStatusForHost(
  cx: KitContext,
  sending: Sending,
  id: string,
): Promise<CallsStatus | null> {
  const { linkedAccounts } = personOf(cx, 'a batch is looked up')
  const wallets = linkedAccounts.flatMap((each) =>
    (each.type === 'wallet' && each.embedded) || each.type === 'smart_wallet' ? [each.address] : [],
  )
  const batch = (await sending.batches()).find(id, wallets)
  return batch ? hostStatusOf(sending, batch) : null
}

/** Waits for a request's turn, and gives it the run of its dialog. */
export type InTurn = <T>(work: (run: SigningRun) => Promise<T>) => Promise<T>

/** Reviews and sends calls for a library. Resolves with the identifier once the user has approved them; the dialog goes on. */
export async function sendCallsForLibrary(
  cx: KitContext,
  sending: Sending,
  { account: wallet, chainId, calls, id, atomicRequired }: CallsRequest,
  { enqueue, isHidden }: { readonly enqueue: InTurn; readonly isHidden: boolean },
): Promise<string> {
  const ui = { isHidden }
  const { adapter, addsCode } = await ethereumCalls(cx, sending, {
    wallet,
    chainId,
    calls,
    ui,
    atomicRequired,
  })
  try {
    const batch = await runUntilApproved(cx, sending, { adapter, wallet, id, ui }, enqueue)
    return batch.id
  } catch (cause) {
    throw addsCode && isTurnedBack(cause) ? upgradeRefused(cause) : cause
  }
}

/** Runs a batch in its turn. Resolves once the user has approved it; the dialog goes on. */
export const runUntilApproved = (
  cx: KitContext,
  sending: Sending,
  { adapter, wallet, id, ui }: Batch,
  enqueue: InTurn,
): Promise<CallBatch> =>
  runBatch(sending, { address: adapter.wallet ?? wallet.address, id }, (batches, held) =>
    enqueue(
      (run) =>
        new Promise((resolve, reject) => {
          runFlow(cx, run, { adapter, wallet, batches, id: held, ui }, resolve).catch(reject)
        }),
    ),
  )

const upgradeRefused = (cause: unknown) =>
  new ProviderRpcError(
    callsErrors.upgradeRefused,
    "The user rejected code for the wallet's own address",
    undefined,
    { cause },
  )

/** The status as a library gets it; `undefined` for a batch that none of the wallets has. */
export async function callsStatusForLibrary(
  sending: Sending,
  id: string,
  wallets: readonly string[],
): Promise<object | undefined> {
  const batch = (await sending.batches()).find(id, wallets)
  return batch && providerStatusOf(sending, batch)
}

/** Displays a batch for a library. Resolves with whether there is one, once it is displayed. */
export async function showCallsForLibrary(
  cx: KitContext,
  sending: Sending,
  { id, wallets }: { readonly id: string; readonly wallets: readonly string[] },
  signal: AbortSignal,
): Promise<boolean> {
  const batches = await sending.batches()
  const batch = batches.find(id, wallets)
  if (!batch) return false
  return new Promise((resolve, reject) => {
    sending.queue
      .run(
        () =>
          runSigning(cx, { signal }, async (now) => {
            resolve(true)
            await showCalls(now, batches, batch)
          }),
        signal,
      )
      .catch(reject)
  })
}

interface EthereumCalls {
  readonly adapter: CallsAdapter<unknown>
  /** The wallet's own address gets code with the calls. */
  readonly addsCode: boolean
}

/**
 * Calls of an Ethereum wallet: one transaction where its own address has code that carries them out, or gets it because they must be
 * atomic; otherwise a transaction for each.
 */
async function ethereumCalls(
  cx: KitContext,
  sending: Sending,
  {
    wallet,
    chainId,
    calls,
    ui,
    atomicRequired,
  }: {
    readonly wallet: EmbeddedAccount
    readonly chainId: number
    readonly calls: readonly object[]
    readonly ui: TransactionUi
    readonly atomicRequired: boolean
  },
): Promise<EthereumCalls> {
  const node = sending.nodeOf(chainId)
  if (!node)
    throw new ProviderRpcError(callsErrors.unsupportedChain, `There is no node for chain ID ${chainId}`)
  const delegates = delegatesOf(cx.app.known())
  const place = {
    chains: cx.app.known(),
    delegates,
    origin: cx.page.origin,
    wallet: wallet.address,
    node,
    chainId,
    review: ui.isHidden ? undefined : sending.review(),
  }
  const { parse } = createEthereumAdapter(place)
  const requests = calls.map((call) => parse(readCall(call)))
  const support = await atomicSupport(node, cx.clock, { address: wallet.address, chainId, delegates })
  const isPossible = requests.every(({ to }) => to !== undefined)
  if (atomicRequired && (support.status === 'unsupported' || !isPossible)) throw notAtomic()
  const upgrade = support.status === 'ready' && atomicRequired ? support.delegate : undefined
  if (upgrade && ui.isHidden)
    throw new KitError('approval_required', "The user has to review code for the wallet's own address")
  const adapter =
    isPossible && (support.status === 'supported' || upgrade)
      ? createAtomicCalls({ ...place, requests, upgrade })
      : createEthereumCalls({ ...place, clock: cx.clock, requests })
  return { adapter: adapter as CallsAdapter<unknown>, addsCode: upgrade !== undefined }
}

const notAtomic = () =>
  new ProviderRpcError(callsErrors.notAtomic, 'The wallet does not carry out these calls atomically')

/** The fields of a call. Fees and nonces are those of the transactions that carry it. */
export function readCall(call: object): object {
  const unknown = Object.keys(call).find((name) => !['to', 'data', 'value', 'capabilities'].includes(name))
  if (unknown !== undefined) throw new InvalidRequest(`A call has no field ${unknown.slice(0, 64)}`)
  const { to, data, value } = call as Record<string, unknown>
  return { to, data, value }
}

/** Runs a batch in its turn, and waits for what becomes of it, also once the dialog is closed. */
export async function runForHost(
  cx: KitContext,
  sending: Sending,
  { adapter, wallet, id, ui }: Batch,
  { surface, signal }: Pick<SigningRun, 'surface' | 'signal'>,
): Promise<CallBatch> {
  let approved: CallBatch | undefined
  try {
    await runBatch(sending, { address: adapter.wallet ?? wallet.address, id }, (batches, held) =>
      inTurn(sending, signal, (turn) =>
        asHostFailure(() =>
          runFlow(
            cx,
            { surface, signal, turn, isHidden: ui.isHidden },
            { adapter, wallet, batches, id: held, ui },
            (batch) => {
              approved = batch
            },
          ),
        ),
      ),
    )
  } catch (cause) {
    // Calls that were approved are sent, however the dialog ended.
    if (!approved) throw toHostError(cause)
  }
  if (!approved) throw new KitError('unable_to_sign', 'The calls were not approved')
  return (await sending.batches()).settled(approved)
}

/** Holds the identifier of a batch while the user reads it. */
async function runBatch<T>(
  sending: Sending,
  { address, id }: { readonly address: string; readonly id: string | undefined },
  work: (batches: CallBatches, held: string) => Promise<T>,
): Promise<T> {
  const batches = await sending.batches()
  const reservation = batches.reserve(address, id)
  try {
    return await work(batches, reservation.id)
  } finally {
    reservation.release()
  }
}

const runFlow = (
  cx: KitContext,
  run: SigningRun,
  options: Omit<Parameters<typeof sendCalls<unknown>>[1], 'onApproved'>,
  onApproved: (batch: CallBatch) => void,
): Promise<void> =>
  runSigning(cx, run, (now) =>
    sendCalls(now, {
      ...options,
      onApproved(batch) {
        run.turn?.commit()
        onApproved(batch)
      },
    }),
  )

export function mustFit(calls: unknown): asserts calls is readonly object[] {
  const isList =
    Array.isArray(calls) &&
    calls.length > 0 &&
    calls.every((each) => typeof each === 'object' && each !== null)
  if (isList && calls.length <= frameLimits.batchCalls) return
  throw new KitError(
    'invalid_request_arguments',
    `Between 1 and ${frameLimits.batchCalls} calls are required`,
  )
}

export function mustBeId(id: unknown): void {
  if (id === undefined) return
  const size = isHexBytes(id) ? id.length / 2 - 1 : new TextEncoder().encode(String(id)).length
  if (typeof id === 'string' && id !== '' && size <= walletsLimits.batchIdBytes) return
  throw new KitError('invalid_request_arguments', `An id has 1 to ${walletsLimits.batchIdBytes} bytes`)
}

const raise = (cause: unknown): never => {
  throw cause
}

/** Errors that a library gets as a number are a host's mistakes. */
function toHostError(cause: unknown): unknown {
  const origin = cause instanceof KitError ? cause.cause : cause
  if (!(origin instanceof ProviderRpcError) || origin.code < 5_700 || origin.code >= 5_800) return cause
  return new KitError('invalid_request_arguments', origin.message, {
    cause: origin,
    data: { code: origin.code },
  })
}
