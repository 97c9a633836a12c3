import { base64 } from '@scure/base'
import type { Screen } from '../dialog/screen.ts'
import { Closed } from '../dialog/stage.ts'
import { KitError, toKitError } from '../errors/kit-error.ts'
import type { ApprovalRequests } from '../protocol/frame/approval.ts'
import type { RpcRequest } from '../protocol/frame/calls.ts'
import { approve } from '../wallets/approval/flow.ts'
import { connectingWallet } from '../wallets/embedded/connecting.tsx'
import type { EmbeddedAccount } from '../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../wallets/flow-context.ts'
import { withWalletHere } from '../wallets/flows.ts'
import { walletsLimits } from '../wallets/limits.ts'
import { driveOf } from '../wallets/recovery/recovery-data.ts'

interface Outcome {
  error?: string | undefined
  done?: boolean | undefined
}

/**
 * Shows a request until the person agrees and `work` is done, and then shows for a moment that it is. Throws
 * {@link Closed} if they don't agree. A failure is shown, and the person may try again.
 * @param edited what is displayed after the user has changed the request; `work` then takes it as it is now
 */
export async function untilDone<P extends Outcome, A extends string | object, T>(
  cx: WalletFlow,
  screen: Screen<P, A | 'cancel'>,
  first: P,
  work: () => Promise<T>,
  edited?: (answer: object) => P | undefined,
): Promise<T> {
  const { stage } = cx
  let props = first
  let error: string | undefined
  for (;;) {
    const answer = await stage.ask(screen, { ...props, ...(error && { error }) })
    if (answer === 'cancel') throw new Closed('The person cancelled')
    if (typeof answer === 'object') {
      props = edited?.(answer) ?? props
      error = undefined
      continue
    }
    try {
      // Screens on the way can be left if the request itself can be.
      const result = await (screen.closable(props) ? work() : stage.lock(work))
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

/** What is asked of the vault, and how its answer is read. `read` throws a {@link KitError} `unable_to_sign` for another answer. */
export interface Signature<T> {
  readonly request: RpcRequest
  /** The chain that the wallet is on, where that matters and the request does not say it. */
  readonly chainId?: number | undefined
  read(answer: string | object): T
}

/** A signature of an Ethereum wallet, which is hex text by every method. */
export const ethereumSignature = (request: RpcRequest): Signature<string> => ({
  request,
  read(answer) {
    if (typeof answer !== 'string') throw noSignature()
    return answer
  },
})

/** A signature of a Solana wallet, 64 bytes: messages and the messages of transactions are signed by the same method. */
export const solanaSignature = (bytes: Uint8Array): Signature<Uint8Array> => ({
  request: { method: 'signMessage', params: { message: base64.encode(bytes) } },
  read(answer) {
    const { signature } = answer as { signature?: unknown }
    const read = typeof signature === 'string' ? decode(signature) : undefined
    if (read?.length !== 64) throw noSignature()
    return read
  },
})

/** Sends a request to the vault, which signs it; a wallet that is not on this device is recovered first. */
export const askVault = (
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  request: RpcRequest,
): Promise<string | object> =>
  withWalletHere(cx, wallet, (embedded) => embedded.rpc(wallet, request, cx.stage.signal))

/** Whether this app's people approve in the vault's own frame, and never in a screen of the page. */
export const inVault = ({ config }: WalletFlow): boolean => config.vault === 'strict'

/**
 * Has the person agree to a request, and signs it: in the vault's own frame where the app says so, else on `screen`. Throws
 * {@link Closed} if they don't agree.
 * @param props.shown what the screen shows; `worded` is the same in the host's words, which the vault never draws
 */
export async function agreed<P extends Outcome, A extends string | object, T>(
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  screen: Screen<P, A | 'cancel'>,
  { shown, worded = shown }: { shown: P; worded?: P },
  { request, chainId, read }: Signature<T>,
): Promise<T> {
  if (!inVault(cx)) {
    prepareVault(cx)
    return untilDone(cx, screen, worded, async () => read(await askVault(cx, wallet, request)))
  }
  const { signed } = await approvedInVault(cx, wallet, screen.id, async (show) =>
    show(request, { ...(chainId !== undefined && { chainId }) }),
  )
  const result = read(signed)
  await showDone(cx, screen, shown)
  return result
}

type Show = (
  request: RpcRequest,
  more?: Partial<
    Pick<ApprovalRequests['sign'], 'action' | 'state' | 'cluster' | 'chainId' | 'layerOneFee' | 'isEditable'>
  >,
) => void

/**
 * Has the vault show a request in its own frame, and sign it once the person agrees there. `prepare` shows it, again whenever more
 * is known. Resolves with what was signed, or with `again` when the wallet has too little money and the person wants it looked
 * at again. Throws {@link Closed} if they don't agree.
 * @param id the screen that the vault shows
 */
export async function approvedInVault<T>(
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  id: string,
  prepare: (show: Show, signal: AbortSignal) => Promise<T>,
): Promise<{ prepared: T; signed: string | object; again: boolean; edited?: RpcRequest | undefined }> {
  return withWalletHere(cx, wallet, async (embedded) => {
    const root = embedded.rootOf(wallet)
    // What the vault can't do by itself comes before the request: only a page can open the window of a drive.
    if (driveOf(root.recoveryMethod))
      await cx.stage.during(connectingWallet, {}, (signal) => embedded.connect(wallet, signal))
    const asked = {
      root: { chainType: root.chainType, address: root.address },
      chainType: wallet.chainType,
      walletIndex: wallet.walletIndex ?? 0,
      address: wallet.address,
    }
    const { prepared, answer } = await approve(
      cx,
      id,
      'sign',
      (show, signal) =>
        prepare((request, more) => show({ ...asked, request, action: 'sign', ...more }), signal),
      { isTurn: (given) => 'again' in given },
    )
    return 'again' in answer
      ? { prepared, signed: '', again: true }
      : { prepared, signed: answer.signed, again: false, edited: answer.edited }
  })
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
