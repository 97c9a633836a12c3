/** Messages and transactions that the host has the user sign or send on Solana; loaded with the first such call. */

import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import { KitError } from '../../errors/kit-error.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import {
  createSolanaAdapter,
  sendTransaction,
  signSolanaMessage,
  signTransaction,
} from '../../signing/index.ts'
import { solanaClusters } from '../../solana/clusters.ts'
import type { HostTransaction } from '../../solana/host-transactions.ts'
import type { SolanaReceipt } from '../../solana/receipt.ts'
import type { SentSolanaTransaction, SignOptions, SolanaTransactionOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import { serviceFeatures } from '../services/features.ts'
import type { SolanaChain } from '../wallets/follow.ts'
import type { Sending } from '../wallets/sending.ts'
import { inTurn, readRequest, sendForHost, toSignatureUi, toUi, walletFor } from './requests.ts'
import { messageEvents, requireSignable, runSigning } from './signing.ts'

/** Signs text for {@link KitSolana.signMessage}. The kit is ready. */
export async function signSolanaMessageForHost(
  cx: KitContext,
  sending: Sending,
  message: unknown,
  { uiOptions = {}, address, surface, signal }: SignOptions = {},
): Promise<{ signature: string }> {
  if (typeof message !== 'string' || message === '')
    throw new KitError('invalid_message', 'Message must be a non-empty string')
  requireSignable(message, cx.page.origin)
  const wallet = await walletFor(cx, 'solana', address)
  const bytes = utf8ToBytes(message)
  const { readSignableMessage } = await serviceFeatures.solana()
  // Signed as a message it would be a transaction that nobody has seen.
  if (isTransaction(() => readSignableMessage(bytes, wallet.address)))
    throw new KitError('invalid_message', 'The message is a transaction')
  const ui = toSignatureUi(cx, uiOptions)
  const place = { surface, signal, isHidden: ui.isHidden }
  const signed = await inTurn(sending, signal, (turn) =>
    runSigning(cx, { ...place, turn, events: messageEvents }, (now) =>
      signSolanaMessage(now, { wallet, message: bytes, ui }),
    ),
  )
  const signature = base64.encode(signed)
  cx.events.emit('signature', { signature, address: wallet.address })
  return { signature }
}

function isTransaction(read: () => unknown): boolean {
  try {
    return read() !== undefined
  } catch (cause) {
    if (cause instanceof InvalidRequest) return true
    throw cause
  }
}

/** Signs a transaction for {@link KitSolana.signTransaction}. The kit is ready. */
export async function signSolanaTransactionForHost(
  cx: KitContext,
  sending: Sending,
  input: unknown,
  options: SolanaTransactionOptions = {},
): Promise<{ signedTransaction: unknown }> {
  const { signedTransactions } = await signAllSolanaTransactionsForHost(cx, sending, [input], options)
  return { signedTransaction: signedTransactions[0] }
}

/** Signs transactions for {@link KitSolana.signAllTransactions}: all are read before the first is reviewed. */
export async function signAllSolanaTransactionsForHost(
  cx: KitContext,
  sending: Sending,
  inputs: unknown,
  options: SolanaTransactionOptions = {},
): Promise<{ signedTransactions: unknown[] }> {
  if (!Array.isArray(inputs) || inputs.length === 0 || inputs.length > MOST_AT_ONCE)
    throw new KitError('invalid_request_arguments', `Between 1 and ${MOST_AT_ONCE} transactions are required`)
  const { signal } = options
  const { chain, place, ...rest } = await contextOf(cx, sending, options)
  const requests = inputs.map((input) => readTransaction(chain, rest.wallet.address, input))
  const signed: unknown[] = []
  await inTurn(sending, signal, (turn) =>
    asHostFailure(() =>
      runSigning(cx, { ...place, turn }, async (now) => {
        for (const { host, request } of requests) {
          const { bytes } = await signTransaction(now, { ...rest, request })
          signed.push(host.restore(Uint8Array.from(bytes)))
        }
      }),
    ),
  )
  return { signedTransactions: signed }
}

/** Sends a transaction for {@link KitSolana.signAndSendTransaction}. The kit is ready. */
export async function sendSolanaTransactionForHost(
  cx: KitContext,
  sending: Sending,
  input: unknown,
  options: SolanaTransactionOptions = {},
): Promise<SentSolanaTransaction> {
  const { signal } = options
  const { chain, place, ...rest } = await contextOf(cx, sending, options)
  const { request } = readTransaction(chain, rest.wallet.address, input)
  const { wallet } = rest
  const { entry, receipt } = await asHostFailure(() =>
    sendForHost(cx, sending, { signal }, (onBroadcast, turn) =>
      runSigning(cx, { ...place, turn }, (now) =>
        sendTransaction(now, {
          ...rest,
          request,
          activity: sending.activity,
          isRepeatable: true,
          onBroadcast: (outcome) => onBroadcast(outcome.then((sent) => sent.entry)),
        }),
      ),
    ),
  )
  const result = { transactionHash: entry.hash, receipt: receipt as SolanaReceipt }
  cx.events.emit('receipt', { ...result, chain: entry.chain, address: wallet.address })
  return result
}

/** As many as are reviewed by one call. */
const MOST_AT_ONCE = 20

export async function contextOf(
  cx: KitContext,
  sending: Sending,
  { uiOptions = {}, address, cluster, chain, surface, signal }: SolanaTransactionOptions,
) {
  const wallet = await walletFor(cx, 'solana', address)
  const named = cluster === undefined ? chain : chainNameOf(cluster)
  const found = await sending.solana(named ?? solanaClusters(cx.app.known())[0]?.chain ?? '')
  if (!found || (chain !== undefined && chain !== found.cluster.chain))
    throw new KitError(
      'unsupported_chain_id',
      `Cluster ${String(cluster ?? chain).slice(0, 64)} is not supported. It must be added to the config.solanaClusters property.`,
    )
  const ui = toUi(cx, uiOptions)
  const adapter = createSolanaAdapter({
    ...found,
    clock: cx.clock,
    origin: cx.page.origin,
    wallet: wallet.address,
    prices: ui.isHidden ? undefined : sending.review()?.prices,
  })
  const funding = ui.isHidden
    ? undefined
    : sending.funding({ address: wallet.address, chain: found.cluster.chain })
  return { wallet, chain: found, adapter, ui, funding, place: { surface, signal, isHidden: ui.isHidden } }
}

const chainNameOf = (cluster: string) => `solana:${cluster === 'mainnet-beta' ? 'mainnet' : cluster}`

export function readTransaction({ room }: SolanaChain, wallet: string, input: unknown) {
  const host: HostTransaction = readRequest(() => room.readHostTransaction(input, wallet))
  return { host, request: readRequest(() => room.parseRequest(host.bytes, wallet)) }
}

/** What the nodes and the review find wrong with a request is the host's mistake as well. */
export async function asHostFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const origin = cause instanceof KitError ? cause.cause : cause
    if (!(origin instanceof InvalidRequest)) throw cause
    throw new KitError('invalid_request_arguments', origin.message, { cause: origin })
  }
}
