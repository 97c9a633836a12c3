import { addWords } from '../../copy/copy.ts'
import { device } from '../../copy/en/device.ts'
import { Closed } from '../../dialog/stage.ts'
import { toKitError } from '../../errors/kit-error.ts'
import { askToRetry } from '../embedded/ask-to-retry.ts'
import type { EmbeddedAccount } from '../embedded/embedded-wallets.ts'
import type { WalletFlow } from '../flow-context.ts'
import { changeInVault } from '../recovery/change-in-vault.ts'
import { recoveryOptionsOf } from '../recovery/recovery-options.ts'
import { managePasskeys } from './flow.ts'
import { onlyBrowser } from './only-browser.tsx'

addWords(device)

/** Whether the app wants a proof for a second device before the creation of a wallet is over. */
export const isProofRequired = ({ config }: Pick<WalletFlow, 'config'>): boolean =>
  config.vault === 'strict' && config.app.deviceProof === 'required'

/**
 * Offers somebody whose wallet lives in this browser alone a proof for another one. Resolves with whether there is a proof then. Where
 * the app requires one, a server that can't say is asked again, and the dialog can't be left without.
 */
export async function offerProof(
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  { isNew }: { readonly isNew: boolean },
): Promise<'has-proof' | 'added' | 'declined'> {
  if (cx.config.vault !== 'strict' || (await hasProof(cx))) return 'has-proof'
  return (await addProof(cx, wallet, { isNew, required: isProofRequired(cx) })) ? 'added' : 'declined'
}

async function hasProof(cx: WalletFlow): Promise<boolean> {
  for (;;) {
    try {
      const devices = await cx.wallets.devices()
      return (await devices.proofs({ signal: cx.stage.signal })).length > 0
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      const error = toKitError(cause)
      // The settings say it later on.
      if (!isProofRequired(cx)) return true
      await askToRetry(cx, error, { back: false })
    }
  }
}

/** Asks for a passkey of the vault or a recovery password. Resolves with whether there is one now. */
export const addProof = (
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  how: { readonly isNew: boolean; readonly required: boolean },
): Promise<boolean> => {
  const work = () => untilProved(cx, wallet, how)
  return how.required ? cx.stage.lock(work) : work()
}

async function untilProved(
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  { isNew, required }: { readonly isNew: boolean; readonly required: boolean },
): Promise<boolean> {
  const { address } = wallet
  const password = recoveryOptionsOf(cx.config).methods.includes('password')
  let error: string | undefined
  for (;;) {
    const answer = await cx.stage.ask(onlyBrowser, { address, isNew, required, password, error })
    if (answer === 'not-now') return false
    error = undefined
    try {
      if (answer === 'passkey') {
        await managePasskeys(cx, 'add')
        return true
      }
      const embedded = await cx.wallets.embedded()
      const came = await changeInVault(cx, embedded, wallet, { method: 'password', canGoBack: true })
      if (came !== 'back') return true
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed) continue
      cx.report(toKitError(cause))
      error = cx.t('device.only.failed')
    }
  }
}
