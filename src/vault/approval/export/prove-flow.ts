import { Closed, type Stage } from '../../../dialog/stage.ts'
import type { ApprovalPurpose } from '../../../protocol/frame/approval.ts'
import { recoveryMethods } from '../../../protocol/frame/calls.ts'
import { keptByPage, VaultError, wrongPassword } from '../../errors.ts'
import type { RootName } from '../../model.ts'
import { provePresent } from '../../recovery/present.ts'
import { fetchPackage } from '../../server/recovery.ts'
import type { ApprovalContext } from '../purpose.ts'
import { driveOf } from '../recover/drives.ts'
import { recoveryOAuth } from '../recover/screens.ts'
import { type ProveRecoveryProps, proveRecovery } from './prove-recovery.tsx'

/** Whether the server wants the recovery method that is in force proved first. */
export const isProofRequired = (cause: unknown): boolean =>
  cause instanceof VaultError && cause.code === 'recovery_proof_required'

/**
 * Has a person prove the recovery method that is in force: by its password, which they type into the vault's own field, or by what
 * the page has of their drive. Throws {@link Closed} if they turn back, and a `VaultError` where it can't be proved here.
 */
export async function provePresentOn<P extends ApprovalPurpose>(
  cx: Pick<ApprovalContext<P>, 'vault' | 'token' | 'shown'>,
  stage: Stage,
  root: RootName,
  { address, accessToken }: { address: string; accessToken: string | undefined },
): Promise<void> {
  const { method } = await fetchPackage(cx.vault, await cx.token(), root)
  const provider = driveOf(method)
  if (provider && accessToken !== undefined) {
    const props = { provider, purpose: 'present', phase: 'working' } as const
    return stage.during(recoveryOAuth, props, () => proveDrive(cx, stage, root, accessToken))
  }
  if (method === recoveryMethods.ownKey) throw keptByPage()
  if (method !== recoveryMethods.password) throw notProved()
  let error: ProveRecoveryProps['error']
  for (;;) {
    const answer = await stage.ask(proveRecovery, { address, error })
    if (answer === 'cancel') throw new Closed('The person cancelled')
    try {
      return await provePresent(cx.vault, await cx.token(), root, answer)
    } catch (cause) {
      stage.signal.throwIfAborted()
      cx.shown(cause)
      error = problemOf(cause)
    }
  }
}

/** The page has the person grant access to the right drive. */
async function proveDrive<P extends ApprovalPurpose>(
  cx: Pick<ApprovalContext<P>, 'vault' | 'token'>,
  stage: Stage,
  root: RootName,
  accessToken: string,
): Promise<void> {
  try {
    await provePresent(cx.vault, await cx.token(), root, { accessToken })
  } catch (cause) {
    stage.signal.throwIfAborted()
    throw notProved(cause)
  }
}

const notProved = (cause?: unknown) =>
  new VaultError('recovery_proof_required', 'The recovery method has to be proved first', { cause })

function problemOf(cause: unknown): NonNullable<ProveRecoveryProps['error']> {
  if (!(cause instanceof VaultError)) return 'failed'
  if (cause.type === wrongPassword().type) return 'wrong'
  return cause.code === 'too_many_requests' ? 'tooMany' : 'failed'
}
