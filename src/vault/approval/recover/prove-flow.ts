import { Closed, type Stage } from '../../../dialog/stage.ts'
import { recoveryMethods } from '../../../protocol/frame/calls.ts'
import { VaultError } from '../../errors.ts'
import type { RootName } from '../../model.ts'
import { keptByPage } from '../../recovery/errors.ts'
import { provePresent } from '../../recovery/present.ts'
import { fetchPackage } from '../../server/recovery.ts'
import { type Asking, withPassword } from './ask.ts'
import { driveOf } from './drives.ts'

/** Whether the server wants the recovery method that is in force proved first. */
export const isProofRequired = (cause: unknown): boolean =>
  cause instanceof VaultError && cause.code === 'recovery_proof_required'

/**
 * Has a person prove the recovery method that is in force: by its password, which they type into the vault's own field, or by
 * their drive, at which they sign in from the vault's window. Throws {@link Closed} if they turn back, and a `VaultError` where it can't be proved here.
 */
export async function provePresentOn(
  cx: Asking,
  stage: Stage,
  root: RootName,
  { address }: { address: string },
): Promise<void> {
  const { method } = await fetchPackage(cx.vault, await cx.token(), root)
  const provider = driveOf(method)
  if (provider) {
    const { withDrive } = await import('../providers/drive.ts')
    const came = await withDrive(cx, stage, provider, 'present', async (accessToken) =>
      provePresent(cx.vault, await cx.token(), root, { accessToken }),
    )
    if (came === 'back') throw new Closed('The person turned back')
    return
  }
  if (method === recoveryMethods.ownKey) throw keptByPage()
  if (method !== recoveryMethods.password) throw notProved()
  const about = { address, purpose: 'present' } as const
  const came = await withPassword(cx, stage, about, async (password) =>
    provePresent(cx.vault, await cx.token(), root, { password }),
  )
  if (came === 'back') throw new Closed('The person turned back')
}

const notProved = () =>
  new VaultError('recovery_proof_required', 'The recovery method has to be proved first')
