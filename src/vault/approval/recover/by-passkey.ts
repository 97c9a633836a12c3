import type { Stage } from '../../../dialog/stage.ts'
import { enrolWithPasskey } from '../../device/enrol.ts'
import { VaultError } from '../../errors.ts'
import { beginPasskeyProof } from '../../server/devices.ts'
import { type VaultPasskeyProps, vaultPasskey } from '../vault-passkeys/vault-passkey.tsx'
import { type Asking, untilReached } from './ask.ts'

/**
 * Enrols this device by one of the vault's passkeys. Its challenge is there before the press, because browsers ask for a passkey only
 * within one. Resolves with 'back' if the user wants another way.
 */
export async function proveByPasskey(
  cx: Asking,
  stage: Stage,
): Promise<{ done: Record<never, never> } | 'back'> {
  const { vault } = cx
  let error: VaultPasskeyProps['error']
  for (;;) {
    const options = await untilReached(cx, stage, async () => beginPasskeyProof(vault, await cx.token()))
    const answer = await stage.ask(vaultPasskey, { purpose: 'use', options, error })
    if (answer === 'back') return 'back'
    if (answer === 'ask') throw new VaultError('error', "Passkeys are asked for in the vault's window alone")
    if ('refused' in answer) {
      error = answer.refused
      continue
    }
    try {
      await enrolWithPasskey(vault, await cx.token(), answer.passkey)
      return { done: {} }
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (!(cause instanceof VaultError)) throw cause
      cx.shown(cause)
      error = cause.code === undefined ? 'other' : 'wrong'
    }
  }
}
