import type { Stage } from '../../../dialog/stage.ts'
import { enrolWithWallet } from '../../device/enrol.ts'
import { VaultError } from '../../errors.ts'
import { composeWalletMessage, type WalletFactor } from '../../server/devices.ts'
import { type Asking, untilReached } from './ask.ts'
import { type WalletProofProps, walletProof } from './wallet-proof.tsx'

/**
 * Enrols this device by an external wallet's signature of a message that the server composes for this device's key. Resolves with
 * 'back' if the user wants another way.
 */
export async function proveByWallet(
  cx: Asking,
  stage: Stage,
  { id, chainType, address }: WalletFactor,
): Promise<{ done: Record<never, never> } | 'back'> {
  const { vault } = cx
  let error: WalletProofProps['error']
  for (;;) {
    const message = await untilReached(cx, stage, async () =>
      composeWalletMessage(vault, await cx.token(), id),
    )
    const answer = await stage.ask(walletProof, { chainType, address, message, error })
    if (answer === 'back') return 'back'
    if ('wallet' in answer) throw new VaultError('error', "Wallets are asked in the vault's window alone")
    if ('refused' in answer) {
      error = answer.refused
      continue
    }
    try {
      await enrolWithWallet(vault, await cx.token(), id, answer.signature)
      return { done: {} }
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (!(cause instanceof VaultError)) throw cause
      cx.shown(cause)
      error = cause.code === undefined ? 'other' : 'wrong'
    }
  }
}
