import { Closed, type Stage } from '../../../dialog/stage.ts'
import { type RecoveryData, recoveryMethods } from '../../../protocol/frame/calls.ts'
import { enrolmentRequired, VaultError } from '../../errors.ts'
import { keptByPage } from '../../recovery/errors.ts'
import { isHere, recoverRoot } from '../../recovery/recover.ts'
import { fetchPackage, unsupportedHere } from '../../server/recovery.ts'
import { type Asking, untilReached, withPassword } from './ask.ts'
import { driveOf } from './drives.ts'
import { enrolOn, turnedBack, type Wanted } from './enrol.ts'
import { recoveryOAuth } from './screens.ts'

/**
 * Makes a wallet one that can be used here: enrols this device if it has to be, and recovers the wallet if it is not here. What
 * enrols is asked for in a window of the vault, unless `stage` is one. Throws `Closed`, and a {@link VaultError}:
 * `enrolment_required` for a user who has nothing to show, and others.
 */
export async function bringHere(cx: Asking, stage: Stage, wanted: Wanted): Promise<void> {
  if (await untilReached(cx, stage, () => isEnrolled(cx))) return recoverOn(cx, stage, wanted, {})
  const enrolAndRecover = async (place: Stage) => {
    const given = await enrolOn(cx, place, wanted)
    await recoverOn(cx, place, wanted, given)
  }
  return stage === cx.stage
    ? cx.approving('high', enrolAndRecover, { purpose: 'enrolment', stake: wanted.address })
    : enrolAndRecover(stage)
}

async function isEnrolled({ vault, token }: Asking): Promise<boolean> {
  try {
    await vault.enrol(await token())
    return true
  } catch (cause) {
    if (cause instanceof VaultError && cause.type === enrolmentRequired().type) return false
    throw cause
  }
}

/** @param given what has shown that the device is the person's, which may be what recovers the wallet */
async function recoverOn(cx: Asking, stage: Stage, wanted: Wanted, given: RecoveryData): Promise<void> {
  const { root, address } = wanted
  const recover = async (data: RecoveryData) => recoverRoot(cx.vault, await cx.token(), root, data)
  const method = await untilReached(cx, stage, async () => {
    const token = await cx.token()
    if (await isHere(cx.vault, token, root)) return undefined
    return (await fetchPackage(cx.vault, token, root)).method
  })
  const provider = method && driveOf(method)
  if (method === undefined) return
  if (method === recoveryMethods.automatic) return untilReached(cx, stage, () => recover({}))
  if (method === recoveryMethods.password) {
    if (given.recoveryPassword !== undefined && (await opens(cx, stage, () => recover(given)))) return
    const came = await withPassword(cx, stage, { address }, (recoveryPassword) =>
      recover({ recoveryPassword }),
    )
    if (came === 'back') throw turnedBack()
    return
  }
  if (method === recoveryMethods.ownKey) throw keptByPage()
  if (!provider) throw unsupportedHere()
  const { recoveryAccessToken } = given
  if (recoveryAccessToken !== undefined) {
    const props = { provider, purpose: 'recover', phase: 'working' } as const
    return stage.during(recoveryOAuth, props, () => recover({ recoveryAccessToken }))
  }
  const signIn = async (place: Stage) => {
    const { withDrive } = await import('../providers/drive.ts')
    const came = await withDrive(cx, place, provider, 'recover', (accessToken) =>
      recover({ recoveryAccessToken: accessToken }),
    )
    if (came === 'back') throw turnedBack()
  }
  return stage === cx.stage
    ? cx.approving('high', signIn, { purpose: 'recover', stake: wanted.address })
    : signIn(stage)
}

/** Whether a password that has enrolled this device is the one of this wallet. */
async function opens(cx: Asking, stage: Stage, recover: () => Promise<void>): Promise<boolean> {
  try {
    await untilReached(cx, stage, recover)
    return true
  } catch (cause) {
    if (cause instanceof Closed) throw cause
    if (cause instanceof VaultError && cause.type === 'invalid_recovery_pin') return false
    throw cause
  }
}
