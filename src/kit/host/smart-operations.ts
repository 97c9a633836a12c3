/** Accounts, signers and operations of smart wallets, on which their requests are built. */
import { KitError } from '../../errors/kit-error.ts'
import { defaultChainId } from '../../ethereum/chains.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { parseTransaction, type WalletTransaction, withSender } from '../../ethereum/transaction.ts'
import type { PlainObject } from '../../lib/plain.ts'
import type { SmartWalletNetwork } from '../../protocol/smart-wallets.ts'
import type { SmartWalletAccount } from '../../protocol/user.ts'
import type { CallsAdapter } from '../../signing/calls/adapter.ts'
import type { AccountSigner } from '../../signing/signature.ts'
import type { TransactionUi } from '../../signing/transaction/transaction-ui.ts'
import {
  createOperationCalls,
  type OwnedAccount,
  type PrepareCalls,
} from '../../signing/user-operation/adapter.ts'
import { createAccountSigner } from '../../signing/user-operation/content.ts'
import { callsErrors, type RequestedPaymaster } from '../../wallets/embedded/provider/calls.ts'
import { ProviderRpcError } from '../../wallets/external/provider-error.ts'
import type { RequestingApp } from '../../wallets/flow-context.ts'
import type { Bundler } from '../../wallets/smart/bundler.ts'
import { prepareOperation } from '../../wallets/smart/operation.ts'
import { createPaymaster, type Paymaster } from '../../wallets/smart/paymaster.ts'
import type { KitContext } from '../context.ts'
import type { Sending } from '../wallets/sending.ts'
import { readCall } from './send-calls.ts'

/** The smart account of a linked wallet, with its owner. */
export const ownAccount = async (sending: Sending, linked: SmartWalletAccount): Promise<OwnedAccount> =>
  (await sending.smartAccounts()).find(linked)

/** The chain of messages, which name none: the app's default one, or else the first with smart wallets. */
export async function chainFor(cx: KitContext, sending: Sending): Promise<number> {
  const usual = defaultChainId(cx.app.known())
  const { networks = [] } = (await (await sending.smartAccounts()).settings()) ?? {}
  return networks.find(({ chainId }) => chainId === usual)?.chainId ?? networks[0]?.chainId ?? usual
}

/** A call as a transaction from the account. */
export const readFrom = (account: OwnedAccount, chainId: number, call: object): WalletTransaction => {
  const { to, value, data } = withSender(parseTransaction(readCall(call), { chainId }), account.address)
  return { chainId, from: account.address, to, value, data }
}

/** Until an account has code, its signatures say how it is deployed (ERC-6492). */
export async function signerOf(
  sending: Sending,
  account: OwnedAccount,
  chainId: number,
  signal: AbortSignal | undefined,
): Promise<AccountSigner> {
  const code = await nodeFor(sending, chainId).ask('eth_getCode', [account.address, 'latest'], { signal })
  return createAccountSigner({ account, chainId, isDeployed: typeof code === 'string' && code !== '0x' })
}

function nodeFor(sending: Sending, chainId: number): ChainNode {
  const node = sending.nodeOf(chainId)
  if (!node) throw new KitError('unsupported_chain_id', `There is no node for chain ID ${chainId}`)
  return node
}

/**
 * The adapter by which an account sends calls in one operation.
 * @throws KitError `unsupported_chain_id` where the app has no smart wallets on that chain, or no node for it
 */
export async function adapterOf(
  cx: KitContext,
  sending: Sending,
  {
    account,
    chainId,
    requests,
    ui,
    paymaster,
    requester,
  }: {
    readonly account: OwnedAccount
    readonly chainId: number
    readonly requests: readonly WalletTransaction[]
    readonly ui: TransactionUi
    readonly paymaster?: RequestedPaymaster | undefined
    readonly requester?: RequestingApp | undefined
  },
): Promise<CallsAdapter<unknown>> {
  const smart = await sending.smartAccounts()
  const [network, bundler] = await Promise.all([smart.network(chainId), smart.bundler(chainId)])
  if (!network || !bundler) {
    const message = `The app has no smart wallets on chain ID ${chainId}`
    const cause = new ProviderRpcError(callsErrors.unsupportedChain, message)
    throw new KitError('unsupported_chain_id', message, { cause })
  }
  const node = nodeFor(sending, chainId)
  return createOperationCalls({
    chains: cx.app.known(),
    origin: requester?.origin ?? cx.page.origin,
    app: requester?.name,
    chainId,
    account,
    requests,
    node,
    clock: cx.clock,
    prepare: prepareOn(cx, { node, bundler }, { network, asked: paymaster }, account),
    isSponsored: (paymaster?.url ?? network.paymasterUrl) !== undefined,
    review: ui.isHidden ? undefined : sending.review(),
  }) as CallsAdapter<unknown>
}

/** Prepares operations by the bundler of a network, and by its sponsor, or by that which the requester asks for. */
function prepareOn(
  { fetch, clock }: KitContext,
  services: { readonly node: ChainNode; readonly bundler: Bundler },
  {
    network,
    asked,
  }: { readonly network: SmartWalletNetwork; readonly asked: RequestedPaymaster | undefined },
  { codec, address, owner }: OwnedAccount,
): PrepareCalls {
  const { chainId, paymasterUrl, paymasterContext } = network
  const place = { codec, owner: owner.address as `0x${string}`, address, chainId, ...services, clock }
  const sponsorAt = (url: string | undefined, context: unknown) =>
    url === undefined
      ? undefined
      : createPaymaster({ url, fetch, clock, ...(context ? { context: context as PlainObject } : {}) })
  const own = sponsorAt(paymasterUrl, paymasterContext)
  const other = sponsorAt(asked?.url, asked?.context)

  async function prepareBy(
    paymaster: Paymaster | undefined,
    calls: Parameters<PrepareCalls>[0],
    { signal }: Pick<Parameters<PrepareCalls>[1], 'signal'>,
  ) {
    const prepared = await prepareOperation({ ...place, ...(paymaster && { paymaster }) }, calls, { signal })
    if (prepared.outcome === 'sponsorDeclined') return prepared
    return { ...prepared, isForeignSponsor: paymaster === other && asked?.url !== paymasterUrl }
  }

  return async (calls, { isSponsored, signal }) => {
    if (!isSponsored) return prepareBy(undefined, calls, { signal })
    const prepared = await prepareBy(other ?? own, calls, { signal })
    // A sponsor that is optional and doesn't pay counts as one that nobody has asked for.
    const isDone = prepared.outcome !== 'sponsorDeclined' || !asked?.isOptional
    return isDone ? prepared : prepareBy(own, calls, { signal })
  }
}
