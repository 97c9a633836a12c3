/** Transactions and typed data that the host has the user sign or send; loaded with the first such call. */
import { delegatesOf } from '../../app/delegates.ts'
import { KitError } from '../../errors/kit-error.ts'
import { chainOf, defaultChainId } from '../../ethereum/chains.ts'
import type { WalletTransaction } from '../../ethereum/transaction.ts'
import {
  createEthereumAdapter,
  sendTransaction,
  signTransaction,
  signTypedData,
} from '../../signing/index.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type {
  SentTransaction,
  SignTransactionOptions,
  SignTypedDataOptions,
  TransactionReceipt,
  TypedDataSignature,
} from '../api.ts'
import type { KitContext } from '../context.ts'
import { serviceFeatures } from '../services/features.ts'
import type { Sending } from '../wallets/sending.ts'
import { withSpeedUps } from '../wallets/speed-ups.ts'
import { inTurn, readRequest, sendForHost, toSignatureUi, toUi, walletFor } from './requests.ts'
import { runSigning, typedDataEvents } from './signing.ts'

/** Signs typed data for {@link Kit.signTypedData}. The kit is ready. */
export async function signTypedDataForHost(
  cx: KitContext,
  sending: Sending,
  input: unknown,
  { uiOptions = {}, address, surface, signal, acceptsEdited: isEditable }: SignTypedDataOptions = {},
): Promise<TypedDataSignature> {
  const wallet = await walletFor(cx, 'ethereum', address)
  const { parseTypedData } = await serviceFeatures.ethereumTypedData()
  const typed = readRequest(() => parseTypedData(input))
  const chainId =
    typed.domain.chainId === undefined ? defaultChainId(cx.app.known()) : Number(typed.domain.chainId)
  mustHaveChain(cx, chainId)
  const ui = toSignatureUi(cx, uiOptions)
  const place = { surface, signal, isHidden: ui.isHidden }
  const node = sending.nodeOf(chainId)
  const { signature, edited } = await inTurn(sending, signal, (turn) =>
    runSigning(cx, { ...place, turn, events: typedDataEvents }, (now) =>
      signTypedData(now, {
        wallet,
        typed,
        chainId,
        ui,
        isEditable,
        node,
        review: sending.review(),
        delegates: delegatesOf(cx.app.known()),
      }),
    ),
  )
  cx.events.emit('signature', { signature, address: wallet.address })
  return { signature, ...(edited && { typedData: edited.data }) }
}

/** Signs a transaction for {@link Kit.signTransaction}. The kit is ready. */
export async function signTransactionForHost(
  cx: KitContext,
  sending: Sending,
  input: unknown,
  options: SignTransactionOptions = {},
): Promise<{ signedTransaction: string }> {
  const { place, ...rest } = await readTransaction(cx, sending, input, options)
  const signed = await inTurn(sending, options.signal, (turn) =>
    runSigning(cx, { ...place, turn }, (now) => signTransaction(now, rest)),
  )
  return { signedTransaction: signed.raw }
}

/** Sends a transaction for {@link Kit.sendTransaction}. The kit is ready. */
export async function sendTransactionForHost(
  cx: KitContext,
  sending: Sending,
  input: unknown,
  options: SignTransactionOptions = {},
): Promise<SentTransaction> {
  return send(cx, sending, await readTransaction(cx, sending, input, options), options)
}

/** The same for a request that the kit has made itself. */
export async function sendRequestForHost(
  cx: KitContext,
  sending: Sending,
  request: WalletTransaction,
  options: SignTransactionOptions,
): Promise<SentTransaction> {
  const wallet = await walletFor(cx, 'ethereum', request.from)
  return send(cx, sending, { ...placeOf(cx, sending, { wallet, request }, options), request }, options)
}

async function send(
  cx: KitContext,
  sending: Sending,
  { place, ...rest }: Awaited<ReturnType<typeof readTransaction>>,
  options: SignTransactionOptions,
): Promise<SentTransaction> {
  const { wallet } = rest
  const { entry, receipt } = await sendForHost(
    cx,
    sending,
    { signal: options.signal, resolve: (settled) => withSpeedUps(sending.activity, settled) },
    (onBroadcast, turn) =>
      runSigning(cx, { ...place, turn }, (now) =>
        sendTransaction(now, {
          ...rest,
          activity: sending.activity,
          isRepeatable: true,
          onBroadcast: (outcome) => onBroadcast(outcome.then((sent) => sent.entry)),
        }),
      ),
  )
  const result = { transactionHash: entry.hash, receipt: receipt as TransactionReceipt }
  cx.events.emit('receipt', { ...result, chain: entry.chain, address: wallet.address })
  return result
}

async function readTransaction(
  cx: KitContext,
  sending: Sending,
  input: unknown,
  options: SignTransactionOptions,
) {
  const { parseTransaction } = await serviceFeatures.ethereumTransactions()
  const defaults = { chainId: defaultChainId(cx.app.known()), delegates: delegatesOf(cx.app.known()) }
  const asked = readRequest(() => parseTransaction(input, defaults))
  const wallet = await walletFor(cx, 'ethereum', options.address ?? asked.from)
  mustHaveChain(cx, asked.chainId)
  const own = placeOf(cx, sending, { wallet, request: asked }, options)
  return { ...own, request: own.adapter.parse(input) }
}

/** The options with which a request is reviewed and sent. */
function placeOf(
  cx: KitContext,
  sending: Sending,
  {
    wallet,
    request: { chainId },
  }: { readonly wallet: EmbeddedAccount; readonly request: Pick<WalletTransaction, 'chainId'> },
  { uiOptions = {}, surface, signal }: SignTransactionOptions,
) {
  const node = sending.nodeOf(chainId)
  if (!node) throw new KitError('unsupported_chain_id', `There is no node for chain ID ${chainId}`)
  const ui = toUi(cx, uiOptions)
  const adapter = createEthereumAdapter({
    chains: cx.app.known(),
    delegates: delegatesOf(cx.app.known()),
    origin: cx.page.origin,
    wallet: wallet.address,
    node,
    chainId: defaultChainId(cx.app.known()),
    review: ui.isHidden ? undefined : sending.review(),
  })
  const place = { surface, signal, isHidden: ui.isHidden }
  const funding = ui.isHidden
    ? undefined
    : sending.funding({ address: wallet.address, chain: `eip155:${chainId}` })
  return { adapter, wallet, place, ui, funding }
}

export function mustHaveChain(cx: KitContext, chainId: number): void {
  if (chainOf(cx.app.known(), chainId)) return
  throw new KitError(
    'unsupported_chain_id',
    `Chain ID ${chainId} is not supported. It must be added to the config.supportedChains property.`,
  )
}
