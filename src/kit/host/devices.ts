/** What a host asks about a person's devices; loaded with the first such call. The kit is ready. */
import type { Stage } from '../../dialog/stage.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import type { Device } from '../../protocol/devices.ts'
import { removeDevice as removeInDialog } from '../../wallets/flows.ts'
import type { RemoveDeviceOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import { personOf } from './person.ts'

async function walletsOf(cx: KitContext) {
  personOf(cx, 'their devices are known')
  return (await cx.services()).wallets
}

/** The devices that may use the person's wallets. */
export async function listDevices(cx: KitContext): Promise<readonly Device[]> {
  const wallets = await walletsOf(cx)
  return (await wallets.devices()).list()
}

/**
 * Removes one of them. In a strict app the person agrees to it in the vault's own window; in a compatible one a dialog opens only
 * where they have to show first how their wallets are recovered.
 */
export async function removeDevice(
  cx: KitContext,
  id: string,
  { surface, signal }: RemoveDeviceOptions,
): Promise<void> {
  const wallets = await walletsOf(cx)
  if (typeof id !== 'string' || id === '')
    throw new KitError('invalid_request_arguments', 'A device is removed by its id')
  if (cx.app.known().vault !== 'strict')
    try {
      return await (await wallets.embedded()).removeDevice(id, signal)
    } catch (cause) {
      if (toKitError(cause).code !== 'recovery_proof_required') throw cause
    }
  await cx.runs.run('device', { surface, signal }, (stage) => removeOnStage(cx, stage, id))
}

/** The same where a dialog is open. */
export async function removeOnStage(cx: KitContext, stage: Stage, id: string): Promise<void> {
  return removeInDialog({ ...cx.flow(stage), wallets: await walletsOf(cx) }, id)
}
