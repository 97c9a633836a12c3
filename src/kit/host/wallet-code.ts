/** Code for a wallet's own address (EIP-7702), for hosts; loaded with the first such call. The kit is ready. */
import { delegatesOf } from '../../app/delegates.ts'
import { KitError } from '../../errors/kit-error.ts'
import { codeRequest } from '../../ethereum/authorization.ts'
import { chainOf, defaultChainId } from '../../ethereum/chains.ts'
import { parseInteger } from '../../ethereum/integer.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import {
  assertAllowedCode,
  type CodeAuthorization,
  type Delegate,
  delegatesOn,
  findDelegate,
  NO_CODE,
  readWalletCode,
} from '../../ethereum/wallet-code.ts'
import { signAuthorization } from '../../signing/index.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type {
  DowngradeWalletOptions,
  SentTransaction,
  SignAuthorizationOptions,
  SignedAuthorization,
  UpgradeWalletOptions,
} from '../api.ts'
import type { KitContext } from '../context.ts'
import type { Sending } from '../wallets/sending.ts'
import { hasCode } from '../wallets/wallet-code.ts'
import { inTurn, readRequest, walletFor } from './requests.ts'
import { runSigning } from './signing.ts'
import { mustHaveChain, sendRequestForHost } from './transactions.ts'

interface Place {
  readonly wallet: EmbeddedAccount
  readonly chainId: number
  readonly node: ChainNode
  readonly delegates: readonly Delegate[]
}

/** Gives the wallet's own address code for {@link Kit.upgradeWallet}. */
export async function upgradeWalletForHost(
  cx: KitContext,
  sending: Sending,
  options: UpgradeWalletOptions = {},
): Promise<SentTransaction> {
  const place = await placeOf(cx, sending, options)
  const { wallet, chainId, node } = place
  const delegate = delegateFor(place, options.delegate)
  const [isThere, present] = await Promise.all([
    hasCode(node, delegate.address),
    readWalletCode(node, wallet.address),
  ])
  if (!isThere)
    throw new KitError('unsupported_chain_id', `Chain ID ${chainId} has no contract at ${delegate.address}`)
  if (present === delegate.address)
    throw new KitError('invalid_request_arguments', 'The wallet has this code already')
  return send(cx, sending, place, delegate.address, options)
}

/** Takes the code of the wallet's own address back for {@link Kit.downgradeWallet}. */
export async function downgradeWalletForHost(
  cx: KitContext,
  sending: Sending,
  options: DowngradeWalletOptions = {},
): Promise<SentTransaction> {
  const place = await placeOf(cx, sending, options)
  if ((await readWalletCode(place.node, place.wallet.address)) === undefined)
    throw new KitError('invalid_request_arguments', 'The wallet has no code')
  return send(cx, sending, place, NO_CODE, options)
}

/** Signs an authorization that the app sends by itself, for {@link Kit.signAuthorization}. */
export async function signAuthorizationForHost(
  cx: KitContext,
  sending: Sending,
  options: SignAuthorizationOptions = {},
): Promise<SignedAuthorization> {
  const { surface, signal } = options
  const place = await placeOf(cx, sending, options)
  const { wallet, chainId, node, delegates } = place
  const address = options.delegate === NO_CODE ? NO_CODE : delegateFor(place, options.delegate).address
  const authorization: CodeAuthorization = {
    chainId,
    address,
    nonce: await nonceFor(node, wallet.address, options.nonce),
  }
  readRequest(() => assertAllowedCode({ ...authorization, chainId: BigInt(chainId) }, delegates))
  const walletCode = await readWalletCode(node, wallet.address)
  const network = chainOf(cx.app.known(), chainId)?.name ?? String(chainId)
  const signature = await inTurn(sending, signal, (turn) =>
    runSigning(cx, { surface, signal, turn }, (now) =>
      signAuthorization(now, { wallet, authorization, network, delegates, walletCode }),
    ),
  )
  return { ...authorization, nonce: Number(authorization.nonce), ...signature }
}

async function placeOf(
  cx: KitContext,
  sending: Sending,
  { address, chainId = defaultChainId(cx.app.known()) }: DowngradeWalletOptions,
): Promise<Place> {
  const wallet = await walletFor(cx, 'ethereum', address)
  mustHaveChain(cx, chainId)
  const node = sending.nodeOf(chainId)
  if (!node) throw new KitError('unsupported_chain_id', `There is no node for chain ID ${chainId}`)
  return { wallet, chainId, node, delegates: delegatesOf(cx.app.known()) }
}

/** The named contract, or the first one that the app allows on the chain. */
function delegateFor({ chainId, delegates }: Place, wanted: string | undefined): Delegate {
  const found =
    wanted === undefined
      ? delegatesOn(delegates, chainId)[0]
      : findDelegate(delegates, chainId, String(wanted))
  if (found) return found
  throw new KitError(
    'invalid_request_arguments',
    `The app does not allow code of ${wanted ?? 'any contract'} at its users' addresses on chain ID ${chainId}`,
  )
}

/** A transaction of the wallet to itself, whose only effect is its own authorization. */
function send(
  cx: KitContext,
  sending: Sending,
  { wallet, chainId }: Place,
  code: `0x${string}`,
  options: DowngradeWalletOptions,
): Promise<SentTransaction> {
  const request = codeRequest({ chainId, wallet: wallet.address, code })
  // Code is reviewed in every app, whatever is displayed otherwise.
  const { uiOptions, ...rest } = options
  return sendRequestForHost(cx, sending, request, {
    ...rest,
    uiOptions: { ...uiOptions, showWalletUIs: true },
  })
}

async function nonceFor(
  node: ChainNode,
  address: string,
  wanted: SignAuthorizationOptions['nonce'],
): Promise<bigint> {
  const nonce = parseInteger(wanted ?? (await node.ask('eth_getTransactionCount', [address, 'pending'])))
  if (nonce !== undefined && nonce >= 0n && nonce <= BigInt(Number.MAX_SAFE_INTEGER)) return nonce
  throw new KitError('invalid_request_arguments', 'The nonce is no whole number')
}
