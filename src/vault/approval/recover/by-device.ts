import { Closed, type Stage } from '../../../dialog/stage.ts'
import { poll } from '../../../lib/poll.ts'
import { enrolWithApproval } from '../../device/enrol.ts'
import { VaultError } from '../../errors.ts'
import { vaultLimits } from '../../limits.ts'
import {
  fetchStatus,
  type OwnRequest,
  type RequestStatus,
  requestApproval,
} from '../../server/device-requests.ts'
import { type Asking, untilReached } from './ask.ts'
import { deviceApproval } from './screens.ts'

/**
 * Has the user approve this device on another one, where they choose the number that is shown here. Resolves with 'back' if they want
 * another way. Throws `Closed`, and a {@link VaultError} that no retry would help.
 */
export async function proveByDevice(
  cx: Asking,
  stage: Stage,
): Promise<{ done: Record<never, never> } | 'back'> {
  const { vault } = cx
  for (;;) {
    const request = await untilReached(cx, stage, async () => requestApproval(vault, await cx.token()))
    const { number, expiresAt: until } = request
    const shown = { state: 'pending', app: vault.settings.appName, number, until } as const
    const came = await stage.askDuring(deviceApproval, shown, (signal) => untilDecided(cx, request, signal))
    if ('answer' in came) return 'back'
    if (came.done === 'approved' && (await enrolled(cx, stage, request))) {
      await stage.hold(deviceApproval, { state: 'approved' }, vaultLimits.successVisible)
      return { done: {} }
    }
    const state = came.done === 'denied' ? 'denied' : 'expired'
    if ((await stage.ask(deviceApproval, { state })) === 'back') return 'back'
  }
}

/** Approval is good once, and for a while: too late is as good as expired. */
async function enrolled(cx: Asking, stage: Stage, { id }: OwnRequest): Promise<boolean> {
  try {
    await untilReached(cx, stage, async () => enrolWithApproval(cx.vault, await cx.token(), id))
    return true
  } catch (cause) {
    stage.signal.throwIfAborted()
    if (cause instanceof Closed || !(cause instanceof VaultError) || cause.code === undefined) throw cause
    cx.shown(cause)
    return false
  }
}

/** A server that can't be reached for a moment is asked again, until the request has ended by its own time. */
async function untilDecided(
  { vault, token }: Asking,
  { id, expiresAt }: OwnRequest,
  signal: AbortSignal,
): Promise<Exclude<RequestStatus, 'pending'>> {
  const left = Math.max(0, expiresAt - vault.clock.now())
  const every = vaultLimits.approvalAsked
  const decided = await poll(vault.clock, { every, tries: Math.ceil(left / every) + 1, signal }, async () => {
    const status = await fetchStatus(vault, await token(), id).catch((cause: unknown) => {
      // The server no longer knows it.
      if (cause instanceof VaultError && cause.code === 'linked_account_not_found') return 'expired' as const
      if (cause instanceof VaultError && cause.remedy !== 'login') return 'pending' as const
      throw cause
    })
    signal.throwIfAborted()
    return status === 'pending' ? undefined : status
  })
  return decided ?? 'expired'
}
