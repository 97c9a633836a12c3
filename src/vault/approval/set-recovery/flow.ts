import type { Stage } from '../../../dialog/stage.ts'
import { KitError } from '../../../errors/kit-error.ts'
import { type RecoveryData, recoveryMethods } from '../../../protocol/frame/calls.ts'
import { withNewPassword } from '../../../wallets/recovery/password/flow.ts'
import { VaultError } from '../../errors.ts'
import { parseRootName } from '../../keys/address.ts'
import { vaultLimits } from '../../limits.ts'
import type { RootName } from '../../model.ts'
import { changeRecovery } from '../../recovery/change.ts'
import { keptByPage } from '../../recovery/errors.ts'
import { type PresentSecret, provePresent } from '../../recovery/present.ts'
import { parseRecoveryRequest } from '../../recovery/request.ts'
import { fetchFactors } from '../../server/devices.ts'
import { fetchPackage, unsupportedHere } from '../../server/recovery.ts'
import { exclusively } from '../../shares/exclusively.ts'
import type { ApprovalContext, PurposeFlow } from '../purpose.ts'
import { untilReached, withPassword, wordsFor } from '../recover/ask.ts'
import { driveOf } from '../recover/drives.ts'
import { TurnedBack } from '../turned-back.ts'
import { automaticRecovery } from './screens.ts'

type Context = ApprovalContext<'set-recovery'>
/** Puts the new method in force. */
type Change = (data: RecoveryData) => Promise<void>

/**
 * Gives a wallet another way of recovery, once the person has shown that they have the present one. Until that moment the old one works, whatever
 * fails or is closed.
 */
export const setRecovery: PurposeFlow<'set-recovery'> = async (cx) => {
  const { method, address, canGoBack } = cx.asked.get()
  const purpose = method === 'password' ? 'password' : 'recovery'
  try {
    return await cx.approving('high', (stage) => setOn(cx, stage), { purpose, stake: address, canGoBack })
  } catch (cause) {
    if (cause instanceof TurnedBack) return { wants: 'back' }
    throw cause
  }
}

async function setOn(cx: Context, stage: Stage): ReturnType<typeof setRecovery> {
  const { root: named } = cx.asked.get()
  const root = await parseRootName(named.chainType, named.address)
  if (!root) throw new VaultError('invalid_request_arguments', 'The root is not an address')
  const present = await showPresent(cx, stage, root)
  if (present === 'back') return { wants: 'back' }
  const { method } = cx.asked.get()
  const change: Change = async (data) => {
    const token = await cx.token()
    const request = parseRecoveryRequest(methods[method], data)
    await cx.commit(
      () =>
        exclusively(cx.vault, token, () => changeRecovery(cx.vault, token, root, request, present.secret)),
      () => ({ set: true }),
    )
  }
  if (method === 'automatic') return toAutomatic(cx, stage, change)
  if (method === 'password') return toPassword(cx, stage, present.isPassword, change)
  return toDrive(cx, stage, method, change)
}

const methods = {
  automatic: recoveryMethods.automatic,
  password: recoveryMethods.password,
  'google-drive': recoveryMethods.googleDrive,
  icloud: recoveryMethods.icloud,
} as const

/** What the person has of the present method. The server sees it at once, so that a wrong one can be given again. */
async function showPresent(
  cx: Context,
  stage: Stage,
  root: RootName,
): Promise<{ secret: PresentSecret; isPassword: boolean } | 'back'> {
  const { vault } = cx
  const { address } = cx.asked.get()
  const prove = async (secret: PresentSecret) => {
    await provePresent(vault, await cx.token(), root, secret)
    return secret
  }
  const { method, canBeShown } = await untilReached(cx, stage, async () => {
    const token = await cx.token()
    const present = await fetchPackage(vault, token, root)
    const factors = await fetchFactors(vault, token)
    // One that was set before it could be checked has nothing to show.
    const canBeShown = factors.some(
      (factor) => factor.type === 'recovery' && factor.method === present.method,
    )
    return { method: present.method, canBeShown }
  })
  const isPassword = method === recoveryMethods.password
  if (!canBeShown) return { secret: {}, isPassword }
  if (method === recoveryMethods.ownKey) throw keptByPage()
  if (isPassword) {
    const about = { address, purpose: 'present' } as const
    const came = await withPassword(cx, stage, about, (password) => prove({ password }))
    return came === 'back' ? came : { secret: came.done, isPassword }
  }
  const provider = driveOf(method)
  if (!provider) throw unsupportedHere()
  const { withDrive } = await import('../providers/drive.ts')
  const came = await withDrive(cx, stage, provider, 'present', (accessToken) => prove({ accessToken }))
  return came === 'back' ? came : { secret: came.done, isPassword }
}

async function toAutomatic(cx: Context, stage: Stage, change: Change) {
  let failed: unknown
  for (;;) {
    const title = cx.t('error.generic.title')
    const error = { title, detail: wordsFor(cx.t, failed, cx.t('error.recovery.set')) }
    await stage.ask(automaticRecovery, failed === undefined ? {} : { error })
    try {
      await change({})
      await stage.hold(automaticRecovery, { done: true }, vaultLimits.successVisible)
      return { set: true } as const
    } catch (cause) {
      stage.signal.throwIfAborted()
      cx.shown(cause)
      failed = cause
    }
  }
}

async function toPassword(cx: Context, stage: Stage, reset: boolean, change: Change) {
  const { address, canGoBack } = cx.asked.get()
  const asking = {
    stage,
    t: cx.t,
    clock: cx.vault.clock,
    report: ({ cause }: KitError) => cx.shown(cause),
  }
  try {
    const came = await withNewPassword(
      asking,
      { reset, automatic: false, address, canGoBack },
      (recoveryPassword) => change({ recoveryPassword }),
    )
    return came === 'back' ? ({ wants: 'back' } as const) : ({ set: true } as const)
  } catch (cause) {
    throw cause instanceof KitError && cause.cause instanceof VaultError ? cause.cause : cause
  }
}

async function toDrive(cx: Context, stage: Stage, provider: 'google-drive' | 'icloud', change: Change) {
  const { withDrive } = await import('../providers/drive.ts')
  const came = await withDrive(cx, stage, provider, 'back-up', (accessToken) =>
    change({ recoveryAccessToken: accessToken }),
  )
  return came === 'back' ? ({ wants: 'back' } as const) : ({ set: true } as const)
}
