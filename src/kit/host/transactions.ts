/** Transactions and typed data that the host has the user sign or send; loaded with the first such call. */
import type { Settled } from '../../activity/tracker.ts'
import type { Surface } from '../../dialog/surface.ts'
import { KitError } from '../../errors/kit-error.ts'
import { chainOf, defaultChainId } from '../../ethereum/chains.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { failureOfEntry, sendTransaction, signTransaction, signTypedData } from '../../signing/index.ts'
import type { TransactionUi } from '../../signing/transaction/transaction-ui.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type {
  SentTransaction,
  SignTransactionOptions,
  TransactionReceipt,
  TransactionUiOptions,
} from '../api.ts'
import type { KitContext } from '../context.ts'
import { serviceFeatures } from '../services/features.ts'
import type { Sending } from '../wallets/sending.ts'
import { personOf } from './person.ts'
import { runSigning, typedDataEvents } from './signing.ts'

/** Signs typed data for {@link Kit.signTypedData}. The kit is ready. */
export async function signTypedDataForHost(
  cx: KitContext,
  sending: Sending,
  input: unknown,
  { uiOptions: ui = {}, address, surface, signal }: SignTransactionOptions = {},
): Promise<{ signature: string }> {
  const wallet = await walletFor(cx, 'ethereum', address)
  const { parseTypedData } = await serviceFeatures.ethereumTypedData()
  const typed = readRequest(() => parseTypedData(input))
  const chainId =
    typed.domain.chainId === undefined ? defaultChainId(cx.app.known()) : Number(typed.domain.chainId)
  mustHaveChain(cx, chainId)
  const signature = await inTurn(sending, signal, () =>
    runSigning(cx, { surface, signal, events: typedDataEvents }, (now) =>
      signTypedData(now, { wallet, typed, chainId, ui }),
    ),
  )
  cx.events.emit('signature', { signature, address: wallet.address })
  return { signature }
}

/** Signs a transaction for {@link Kit.signTransaction}. The kit is ready. */
export async function signTransactionForHost(
  cx: KitContext,
  sending: Sending,
  input: unknown,
  options: SignTransactionOptions = {},
): Promise<{ signedTransaction: string }> {
  const { wallet, request, node, place, ui } = await readTransaction(cx, sending, input, options)
  const signedTransaction = await inTurn(sending, options.signal, () =>
    runSigning(cx, place, (now) => signTransaction(now, { wallet, request, node, ui })),
  )
  return { signedTransaction }
}

/** Sends a transaction for {@link Kit.sendTransaction}. The kit is ready. */
export async function sendTransactionForHost(
  cx: KitContext,
  sending: Sending,
  input: unknown,
  options: SignTransactionOptions = {},
): Promise<SentTransaction> {
  const { wallet, request, node, place, ui } = await readTransaction(cx, sending, input, options)
  let last: Promise<{ chain: string; hash: string }> | undefined
  const settle = async () => {
    if (!last) return undefined
    const sent = await last.catch(() => undefined)
    return sent && sending.activity.settled(sent)
  }
  const settled = await inTurn(sending, options.signal, async () => {
    try {
      return await runSigning(cx, place, (now) =>
        sendTransaction(now, {
          wallet,
          request,
          node,
          ui,
          activity: sending.activity,
          isRetryable: true,
          onBroadcast(outcome) {
            last = outcome
            outcome.then(
              ({ hash, chain }) =>
                cx.events.emit('submitted', { transactionHash: hash, chain, address: wallet.address }),
              () => {},
            )
          },
        }),
      )
    } catch (cause) {
      // Closing the dialog doesn't call a transaction back: its outcome is waited for without one.
      const rest = settle()
      return { rest, cause }
    }
  })
  const decided = 'rest' in settled ? await orThrow(settled) : settled
  const { entry, receipt } = await withSpeedUps(sending, decided)
  if (entry.status !== 'confirmed') throw failureOfEntry(entry)
  const result = { transactionHash: entry.hash, receipt: receipt as TransactionReceipt }
  cx.events.emit('receipt', { ...result, chain: entry.chain, address: wallet.address })
  return result
}

/** What became of a transaction that the user sped up is what became of the one that was confirmed in its place. */
async function withSpeedUps({ activity }: Sending, settled: Settled): Promise<Settled> {
  const { entry } = settled
  const by = activity.entries
    .get()
    .find(({ chain, hash }) => chain === entry.chain && hash === entry.replacedBy)
  if (entry.status !== 'replaced' || entry.raw === undefined || by?.raw === undefined) return settled
  const { deserialize, replacementKind } = await serviceFeatures.ethereumTracking()
  const [sent, other] = [deserialize(entry.raw, entry.wallet), deserialize(by.raw, by.wallet)]
  return replacementKind(sent, other) === 'sped-up' ? activity.settled(by) : settled
}

async function orThrow<T>({ rest, cause }: { rest: Promise<T | undefined>; cause: unknown }): Promise<T> {
  const settled = await rest
  if (settled === undefined) throw cause
  return settled
}

async function readTransaction(
  cx: KitContext,
  sending: Sending,
  input: unknown,
  { uiOptions = {}, address, surface, signal }: SignTransactionOptions,
) {
  const { parseTransaction, withSender } = await serviceFeatures.ethereumTransactions()
  const asked = readRequest(() => parseTransaction(input, { chainId: defaultChainId(cx.app.known()) }))
  const wallet = await walletFor(cx, 'ethereum', address ?? asked.from)
  mustHaveChain(cx, asked.chainId)
  const node = sending.nodeOf(asked.chainId)
  if (!node) throw new KitError('unsupported_chain_id', `There is no node for chain ID ${asked.chainId}`)
  const place: { surface?: Surface | undefined; signal?: AbortSignal | undefined } = { surface, signal }
  return { wallet, request: withSender(asked, wallet.address), node, place, ui: toUi(uiOptions) }
}

/** Takes its turn among all requests of the page: one dialog at a time. */
const inTurn = <T>(sending: Sending, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> =>
  sending.queue.run(work, signal ?? new AbortController().signal)

/** The wallet that is asked: the named one, or the user's first one of the chain. */
export async function walletFor(
  cx: KitContext,
  chainType: EmbeddedAccount['chainType'],
  address: string | undefined,
): Promise<EmbeddedAccount> {
  personOf(cx, 'signing')
  const { wallets } = await cx.services()
  const embedded = await wallets.embedded()
  const wallet =
    address === undefined
      ? embedded.list().find((each) => each.chainType === chainType)
      : embedded.find(address)
  if (wallet?.chainType !== chainType)
    throw new KitError('embedded_wallet_not_found', 'Must have an embedded wallet before signing')
  return wallet
}

function mustHaveChain(cx: KitContext, chainId: number): void {
  if (chainOf(cx.app.known(), chainId)) return
  throw new KitError(
    'unsupported_chain_id',
    `Chain ID ${chainId} is not supported. It must be added to the config.supportedChains property.`,
  )
}

/** A request that can't be read is the host's mistake. */
export function readRequest<T>(parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    if (!(cause instanceof InvalidRequest)) throw cause
    throw new KitError('invalid_request_arguments', cause.message, { cause })
  }
}

/** The host's options as the screens take them. */
export function toUi(options: TransactionUiOptions): TransactionUi {
  const { transactionInfo: info = {}, description, buttonText, successHeader, successDescription } = options
  return {
    title: info.title,
    description: description ?? info.actionDescription,
    buttonText,
    iconUrl: info.contractInfo?.imgUrl,
    iconName: info.contractInfo?.imgAltText,
    successHeader,
    successDescription,
    isCancellable: options.isCancellable,
  }
}
