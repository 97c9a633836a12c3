/** Smart wallets, for hosts and for the page's libraries: creating one, and all that it signs and sends; loaded with the first such call. */
import { KitError } from '../../errors/kit-error.ts'
import { defaultChainId } from '../../ethereum/chains.ts'
import type { TransactionReceipt } from '../../ethereum/receipt.ts'
import { parseTransaction, type TransactionRequest } from '../../ethereum/transaction.ts'
import { parseTypedData, type TypedData } from '../../ethereum/typed-data.ts'
import { siweMessage } from '../../login/wallet/siwe-message.ts'
import { startSiwe } from '../../protocol/siwe.ts'
import { linkSmartWallet } from '../../protocol/smart-wallets.ts'
import type { SmartWalletAccount } from '../../protocol/user.ts'
import type { CallBatch } from '../../signing/calls/batch.ts'
import { failureOfEntry, signMessage, signTypedData } from '../../signing/index.ts'
import type { SignMessageUi } from '../../signing/message/flow.ts'
import { readSentOperation } from '../../signing/user-operation/entry.ts'
import { embeddedOf } from '../../wallets/embedded/listing.ts'
import type { RequestedPaymaster } from '../../wallets/embedded/provider/calls.ts'
import type { RequestingApp } from '../../wallets/flow-context.ts'
import { readOperationReceipt } from '../../wallets/smart/operation-result.ts'
import type {
  CallsStatus,
  CreateSmartWalletOptions,
  SendCallsOptions,
  SentTransaction,
  SignOptions,
  SignTransactionOptions,
  SignTypedDataOptions,
  TypedDataSignature,
} from '../api.ts'
import type { KitContext } from '../context.ts'
import { hostStatusOf } from '../wallets/calls.ts'
import type { Sending } from '../wallets/sending.ts'
import { personOf } from './person.ts'
import { inTurn, readRequest, toSignatureUi, toUi } from './requests.ts'
import { type InTurn, mustBeId, mustFit, runForHost, runUntilApproved } from './send-calls.ts'
import { messageEvents, requireSignable, runSigning, type SigningRun, typedDataEvents } from './signing.ts'
import { adapterOf, chainFor, ownAccount, readFrom, signerOf } from './smart-operations.ts'
import { mustHaveChain } from './transactions.ts'

/**
 * Creates the user's smart wallet: its address follows from the embedded wallet that owns it, which signs a message that links the two. The
 * contract itself is deployed with the first operation. Resolves with the address of the one that there is. The kit is ready.
 */
export async function createSmartWallet(
  cx: KitContext,
  sending: Sending,
  { surface, signal, uiOptions = {} }: CreateSmartWalletOptions = {},
): Promise<string> {
  const user = personOf(cx, 'a smart wallet is created')
  if (user.smartWallet) return user.smartWallet.address
  const smart = await sending.smartAccounts()
  const settings = await smart.settings()
  if (!settings) throw new KitError('feature_not_enabled', 'The app has no smart wallets')
  const owner = embeddedOf(user).find(({ chainType }) => chainType === 'ethereum')
  if (!owner)
    throw new KitError(
      'embedded_wallet_not_found',
      'Must have an embedded Ethereum wallet before a smart wallet',
    )
  const account = await smart.derive(owner)
  const [first] = settings.networks
  const usual = settings.networks.find(({ chainId }) => chainId === defaultChainId(cx.app.known()))
  const { chainId } = usual ?? first ?? {}
  if (chainId === undefined)
    throw new KitError('feature_not_enabled', 'The app has no network for smart wallets')
  mustHaveChain(cx, chainId)
  const { http, session } = await cx.services()
  const { address } = account
  const nonce = await startSiwe(http(), { address }, { signal })
  const message = siweMessage({
    origin: cx.page.origin,
    address,
    chainId,
    nonce,
    issuedAt: new Date(session.serverNow()),
  })
  const ui = toSignatureUi(cx, uiOptions)
  const signer = await signerOf(sending, account, chainId, signal)
  const signature = await inTurn(sending, signal, (turn) =>
    runSigning(cx, { surface, signal, turn, isHidden: ui.isHidden, events: messageEvents }, (now) =>
      signMessage(now, { wallet: owner, message, ui, signer }),
    ),
  )
  await linkSmartWallet(http(), { message, signature, type: settings.type }, { signal })
  await session.refreshUser({ signal })
  await cx.showWallets()
  return address
}

/** Sends a transaction from a smart wallet, for {@link Kit.sendTransaction}. The kit is ready. */
export async function sendTransactionFromSmartWallet(
  cx: KitContext,
  sending: Sending,
  linked: SmartWalletAccount,
  input: unknown,
  { uiOptions = {}, surface, signal }: SignTransactionOptions = {},
): Promise<SentTransaction> {
  const { chainId, to, value, data } = readRequest(() =>
    parseTransaction(input, { chainId: defaultChainId(cx.app.known()) }),
  )
  mustHaveChain(cx, chainId)
  const ui = toUi(cx, uiOptions)
  const account = await ownAccount(sending, linked)
  const requests = [{ chainId, from: account.address, to, value, data }]
  const adapter = await adapterOf(cx, sending, { account, chainId, requests, ui })
  const batch = await runForHost(
    cx,
    sending,
    { adapter, wallet: account.owner, id: undefined, ui },
    { surface, signal },
  )
  const { userOpHash, transactionHash, receipt } = await outcomeOf(sending, batch)
  const result = { transactionHash, userOpHash, receipt }
  cx.events.emit('receipt', { ...result, chain: batch.chain, address: account.address })
  return result
}

/** Sends calls from a smart wallet in one operation, for {@link Kit.sendCalls}. The kit is ready. */
export async function sendCallsFromSmartWallet(
  cx: KitContext,
  sending: Sending,
  linked: SmartWalletAccount,
  { calls, id, uiOptions = {}, surface, signal, ...options }: SendCallsOptions,
): Promise<CallsStatus> {
  mustFit(calls)
  mustBeId(id)
  const chainId = options.chainId ?? defaultChainId(cx.app.known())
  mustHaveChain(cx, chainId)
  const ui = toUi(cx, uiOptions)
  const account = await ownAccount(sending, linked)
  const requests = readRequest(() => calls.map((call) => readFrom(account, chainId, call)))
  const adapter = await adapterOf(cx, sending, { account, chainId, requests, ui })
  const batch = await runForHost(cx, sending, { adapter, wallet: account.owner, id, ui }, { surface, signal })
  return hostStatusOf(sending, batch)
}

/** Signs a message as a smart wallet, for {@link Kit.signMessage}. The kit is ready. */
export async function signMessageWithSmartWallet(
  cx: KitContext,
  sending: Sending,
  linked: SmartWalletAccount,
  message: unknown,
  { uiOptions = {}, surface, signal }: SignOptions,
): Promise<string> {
  if (typeof message !== 'string' || message === '')
    throw new KitError('invalid_message', 'Message must be a non-empty string')
  requireSignable(message, cx.page.origin)
  const account = await ownAccount(sending, linked)
  const signer = await signerOf(sending, account, await chainFor(cx, sending), signal)
  const ui = toSignatureUi(cx, uiOptions)
  const signature = await inTurn(sending, signal, (turn) =>
    runSigning(cx, { surface, signal, turn, isHidden: ui.isHidden, events: messageEvents }, (now) =>
      signMessage(now, { wallet: account.owner, message, ui, signer }),
    ),
  )
  cx.events.emit('signature', { signature, address: account.address })
  return signature
}

/** Signs typed data as a smart wallet, for {@link Kit.signTypedData}. The kit is ready. */
export async function signTypedDataWithSmartWallet(
  cx: KitContext,
  sending: Sending,
  linked: SmartWalletAccount,
  input: unknown,
  { uiOptions = {}, surface, signal, acceptsEdited: isEditable }: SignTypedDataOptions = {},
): Promise<TypedDataSignature> {
  const typed = readRequest(() => parseTypedData(input))
  const chainId =
    typed.domain.chainId === undefined ? await chainFor(cx, sending) : Number(typed.domain.chainId)
  mustHaveChain(cx, chainId)
  const account = await ownAccount(sending, linked)
  const signer = await signerOf(sending, account, chainId, signal)
  const ui = toSignatureUi(cx, uiOptions)
  const node = sending.nodeOf(chainId)
  const { signature, edited } = await inTurn(sending, signal, (turn) =>
    runSigning(cx, { surface, signal, turn, isHidden: ui.isHidden, events: typedDataEvents }, (now) =>
      signTypedData(now, {
        wallet: account.owner,
        typed,
        chainId,
        ui,
        isEditable,
        node,
        review: sending.review(),
        signer,
      }),
    ),
  )
  cx.events.emit('signature', { signature, address: account.address })
  return { signature, ...(edited && { typedData: edited.data }) }
}

/** Requests of a smart wallet's provider, and of other apps; each waits for its turn by `enqueue`. */
export interface SmartRequestContext {
  readonly enqueue: InTurn
  readonly isHidden: boolean
  /** The other app that asks, where this page doesn't. */
  readonly requester?: RequestingApp | undefined
}

/** Sends calls for a library. Resolves with the batch once the user has approved it and the bundler has it; the dialog goes on. */
export async function sendSmartCallsForLibrary(
  cx: KitContext,
  sending: Sending,
  {
    linked,
    chainId,
    calls,
    id,
    paymaster,
  }: {
    readonly linked: SmartWalletAccount
    readonly chainId: number
    readonly calls: readonly object[]
    readonly id?: string | undefined
    readonly paymaster?: RequestedPaymaster | undefined
  },
  { enqueue, isHidden, requester }: SmartRequestContext,
): Promise<CallBatch> {
  const ui = { isHidden }
  const account = await ownAccount(sending, linked)
  const requests = calls.map((call) => readFrom(account, chainId, call))
  const adapter = await adapterOf(cx, sending, { account, chainId, requests, ui, paymaster, requester })
  return runUntilApproved(cx, sending, { adapter, wallet: account.owner, id, ui }, enqueue)
}

/** Signs bytes or typed data for a library. */
export async function signForLibrary(
  cx: KitContext,
  sending: Sending,
  {
    linked,
    chainId,
    content,
  }: {
    readonly linked: SmartWalletAccount
    readonly chainId: number
    readonly content: { readonly bytes: Uint8Array } | { readonly typed: TypedData }
  },
  { enqueue, isHidden }: SmartRequestContext,
): Promise<string> {
  const account = await ownAccount(sending, linked)
  const signer = await signerOf(sending, account, chainId, undefined)
  const ui: SignMessageUi = { isHidden }
  const wallet = account.owner
  const node = sending.nodeOf(chainId)
  return enqueue((run: SigningRun) =>
    'bytes' in content
      ? runSigning(cx, { ...run, events: messageEvents }, (now) =>
          signMessage(now, { wallet, message: content.bytes, ui, signer }),
        )
      : runSigning(cx, { ...run, events: typedDataEvents }, (now) =>
          signTypedData(now, {
            wallet,
            typed: content.typed,
            chainId,
            ui,
            node,
            review: sending.review(),
            signer,
          }),
        ).then(({ signature }) => signature),
  )
}

/** Carries out a request of another app. Resolves with the signature, or with the hash of the transaction that the network has. */
export async function answerAppBySmartWallet(
  cx: KitContext,
  sending: Sending,
  linked: SmartWalletAccount,
  content: AppContent,
  context: SmartRequestContext,
): Promise<string> {
  if ('transaction' in content) {
    const { chainId, to, value, data } = content.transaction
    mustHaveChain(cx, chainId)
    const calls = [{ to, value, data }]
    const batch = await sendSmartCallsForLibrary(cx, sending, { linked, chainId, calls }, context)
    return (await outcomeOf(sending, batch)).transactionHash
  }
  const named = 'typed' in content ? content.typed.domain.chainId : undefined
  const chainId = named === undefined ? await chainFor(cx, sending) : Number(named)
  mustHaveChain(cx, chainId)
  return signForLibrary(cx, sending, { linked, chainId, content }, context)
}
/** The content of another app's request, as it was read. */
export type AppContent =
  | { readonly bytes: Uint8Array }
  | { readonly typed: TypedData }
  | { readonly transaction: TransactionRequest }

/**
 * Waits for the outcome of an operation.
 * @throws KitError `transaction_failure` for one that the network didn't carry out
 */
export async function outcomeOf(
  sending: Sending,
  batch: CallBatch,
): Promise<{ userOpHash: string; transactionHash: string; receipt: TransactionReceipt }> {
  const [transaction] = (await (await sending.batches()).settled(batch)).transactions
  if (!transaction) throw new KitError('transaction_failure', 'The operation has no transaction')
  const { entry, receipt } = await sending.activity.settled(transaction.entry)
  const { transactionHash } = entry
  if (entry.status !== 'confirmed' || transactionHash === undefined) throw failureOfEntry(entry)
  const node = sending.nodeOf(Number(batch.chain.split(':')[1]))
  // Another tab may have seen it first.
  const read =
    (receipt as TransactionReceipt | undefined) ??
    (node && (await readOperationReceipt(node, readSentOperation(entry), transactionHash)))
  if (!read) throw new KitError('network_unavailable', 'Disconnected', { retryable: true })
  return { userOpHash: entry.hash, transactionHash, receipt: read }
}
