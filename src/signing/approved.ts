import { base64 } from '@scure/base'
import type { Screen } from '../dialog/screen.ts'
import { Closed } from '../dialog/stage.ts'
import { KitError, toKitError } from '../errors/kit-error.ts'
import type { RpcRequest } from '../protocol/frame/calls.ts'
import type { EmbeddedAccount } from '../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../wallets/flow-context.ts'
import { withWalletHere } from '../wallets/flows.ts'
import { walletsLimits } from '../wallets/limits.ts'

interface Outcome {
  error?: string | undefined
  done?: boolean | undefined
}

/**
 * Shows a request until the person agrees and `work` is done, and then shows for a moment that it is. Throws
 * {@link Closed} if they don't agree. A failure is shown, and the person may try again.
 */
export async function untilDone<P extends Outcome, A extends string, T>(
  cx: WalletFlow,
  screen: Screen<P, A | 'cancel'>,
  props: P,
  work: () => Promise<T>,
): Promise<T> {
  const { stage } = cx
  let error: string | undefined
  for (;;) {
    const answer = await stage.ask(screen, { ...props, ...(error && { error }) })
    if (answer === 'cancel') throw new Closed('The person cancelled')
    try {
      const result = await work()
      await showDone(cx, screen, props)
      return result
    } catch (cause) {
      stage.signal.throwIfAborted()
      // Somebody who turns back from recovering the wallet is asked again; only this screen says no.
      error = cause instanceof Closed ? undefined : reportFailure(cx, toKitError(cause, 'unable_to_sign'))
    }
  }
}

/** Closing here only skips the wait: the work is done. */
export async function showDone<P extends Outcome, A>(
  { stage }: WalletFlow,
  screen: Screen<P, A>,
  props: P,
): Promise<void> {
  await stage.hold(screen, { ...props, done: true }, walletsLimits.successVisible)
}

/** Reports a failure to the host, and returns the words for the person. */
export function reportFailure(
  cx: WalletFlow,
  failure: KitError,
  otherwise: 'sign.failed' | 'transaction.unprepared' = 'sign.failed',
): string {
  cx.report(failure)
  return cx.t(wordsFor(failure, otherwise))
}

function wordsFor<Otherwise>({ code }: KitError, otherwise: Otherwise) {
  if (code === 'vault_unavailable') return 'error.wallet.blocked'
  if (code === 'vault_timeout' || code === 'vault_crashed') return 'error.wallet.unreachable'
  if (code === 'network_unavailable') return 'error.network.detail'
  if (code === 'embedded_wallet_recovery_error') return 'error.wallet.recover'
  if (code === 'insufficient_funds') return 'transaction.short'
  return otherwise
}

/** Sends a request to the vault; a wallet that is not on this device is recovered first. */
const askVault = (cx: WalletFlow, wallet: EmbeddedAccount, request: RpcRequest): Promise<string | object> =>
  withWalletHere(cx, wallet, (embedded) => embedded.rpc(wallet, request, cx.stage.signal))

/**
 * Has the vault sign for an Ethereum wallet. Resolves with its answer, which is hex text by every method. Throws a
 * {@link KitError}: `unable_to_sign` for any other answer, or why the vault can't.
 */
export async function signEthereum(
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  request: RpcRequest,
): Promise<string> {
  const signed = await askVault(cx, wallet, request)
  if (typeof signed !== 'string') throw noSignature()
  return signed
}

/**
 * Has the vault sign for a Solana wallet: messages and the messages of transactions by the same method. Resolves with
 * the 64 bytes of the signature. Throws like {@link signEthereum}.
 */
export async function signSolanaBytes(
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  bytes: Uint8Array,
): Promise<Uint8Array> {
  const params = { message: base64.encode(bytes) }
  const answer = await askVault(cx, wallet, { method: 'signMessage', params })
  const { signature } = answer as { signature?: unknown }
  const read = typeof signature === 'string' ? decode(signature) : undefined
  if (read?.length !== 64) throw noSignature()
  return read
}

const noSignature = () => new KitError('unable_to_sign', 'Unable to sign message')

function decode(text: string): Uint8Array | undefined {
  try {
    return base64.decode(text)
  } catch {
    return undefined
  }
}

/** Loads the vault while the person reads; a failure shows when the vault is asked. */
export function prepareVault(cx: WalletFlow): void {
  cx.wallets
    .embedded()
    .then((embedded) => embedded.prepare())
    .catch(() => {})
}
