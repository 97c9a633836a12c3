import { Closed } from '../../dialog/stage.ts'
import { type KitError, toKitError } from '../../errors/kit-error.ts'
import type { EmbeddedAccount, EmbeddedWallets } from '../../wallets/embedded/embedded-wallets.ts'
import { approve } from '../approval/flow.ts'
import type { WalletFlow } from '../flow-context.ts'
import { walletsLimits } from '../limits.ts'
import { connectHere, unsupported } from '../recovery/recover-flow.ts'
import { ownMethodOf } from '../recovery/recovery-data.ts'
import type { ExportFrame } from './export-frame.ts'
import { keyExport } from './key-export.tsx'

/** Opens the frame in which the vault shows a key. What it reports is passed to `told`. */
export type OpenExport = (
  wallet: EmbeddedAccount,
  events: { ready(): void; exported(): void; failed(error: KitError): void },
  signal: AbortSignal,
) => Promise<ExportFrame>

/**
 * Shows the person their wallet's key in the vault's own frame. Resolves with whether they have shown or
 * copied it.
 * @param verify has somebody with a second factor verified for the export, unless that was just now
 */
export async function exportWallet(
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  open: OpenExport,
  verify?: (signal: AbortSignal) => Promise<void>,
): Promise<{ exported: boolean }> {
  let exported = false
  for (;;) {
    // The screen with the key follows no sooner than a second after the wallet's.
    // What verifies for an export is good for connecting; the other way round somebody would be asked twice.
    await connectHere(cx, wallet, { atLeast: walletsLimits.exportNavigation, first: verify })
    const outcome = await show(cx, wallet, open, () => {
      exported = true
    }).catch((cause: unknown) => {
      // People who close the dialog have seen what they wanted to see.
      if (cause instanceof Closed) return 'close'
      throw cause
    })
    if (outcome === 'close') return { exported }
  }
}

/**
 * The same in a window of the vault's own, which is where the key is shown in a strict app. Resolves with whether the person has had
 * anything of it.
 */
export async function exportInVault(cx: WalletFlow, wallet: EmbeddedAccount): Promise<{ exported: boolean }> {
  for (;;) {
    const embedded = await connectHere(cx, wallet, { atLeast: walletsLimits.exportNavigation })
    const outcome = await showInVault(cx, embedded, wallet).catch((cause: unknown) => {
      // People who close the dialog have seen what they wanted to see.
      if (cause instanceof Closed) return { exported: false }
      throw cause
    })
    if (outcome !== 'retry') return outcome === 'close' ? { exported: false } : outcome
  }
}

async function showInVault(
  cx: WalletFlow,
  embedded: EmbeddedWallets,
  wallet: EmbeddedAccount,
): Promise<'close' | 'retry' | { exported: boolean }> {
  const { address, chainType, walletIndex = 0, imported } = wallet
  const { chainType: rootChain, address: rootAddress } = embedded.rootOf(wallet)
  const root = { chainType: rootChain, address: rootAddress }
  const asked = { root, chainType, walletIndex, address }
  const { recoveryMethod } = embedded.rootOf(wallet)
  if (recoveryMethod !== undefined && !ownMethodOf(recoveryMethod)) await unsupported(cx)
  try {
    return (await approve(cx, keyExport.id, 'export', async (show) => show(asked))).answer
  } catch (cause) {
    cx.stage.signal.throwIfAborted()
    if (cause instanceof Closed) throw cause
    const error = toKitError(cause, 'unknown_embedded_wallet_error')
    return showFailure(cx, { address, chainType, imported, frame: undefined }, error)
  }
}

async function show(
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  open: OpenExport,
  exported: () => void,
): Promise<'close' | 'retry'> {
  const { stage } = cx
  const over = new AbortController()
  let frame: ExportFrame | undefined
  try {
    const { address, chainType, imported } = wallet
    let ended = (_: KitError) => {}
    let begun = () => {}
    const ready = new Promise<'ready'>((resolve) => {
      begun = () => resolve('ready')
    })
    const failed = new Promise<KitError>((resolve) => {
      ended = resolve
    })
    try {
      const signal = AbortSignal.any([stage.signal, over.signal])
      frame = await open(wallet, { ready: begun, exported, failed: ended }, signal)
    } catch (cause) {
      stage.signal.throwIfAborted()
      ended(toKitError(cause, 'unknown_embedded_wallet_error'))
    }
    const props = { address, chainType, imported, frame }
    const asked = stage.ask(keyExport, { ...props, state: 'loading' })
    let outcome = await Promise.race([asked, ready, failed])
    if (outcome === 'ready') {
      const shown = stage.ask(keyExport, { ...props, state: 'ready' })
      outcome = await Promise.race([shown, failed])
    }
    return typeof outcome === 'string' ? outcome : await showFailure(cx, props, outcome)
  } finally {
    over.abort()
    frame?.close()
  }
}

type Shown = Omit<Parameters<typeof keyExport.back>[0], 'state' | 'error'>

/** A wallet that has left this device meanwhile is recovered again; every other failure is shown. */
async function showFailure(cx: WalletFlow, props: Shown, error: KitError): Promise<'close' | 'retry'> {
  if (error.code === 'wallet_not_on_device') return 'retry'
  cx.report(error)
  return cx.stage.ask(keyExport, { ...props, state: 'failed', error: cx.t('error.export') })
}
