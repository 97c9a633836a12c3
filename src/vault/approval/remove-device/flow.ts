import { Closed, type Stage } from '../../../dialog/stage.ts'
import { VaultError } from '../../errors.ts'
import { fetchDevices, type KnownDevice, removeDevice as remove } from '../../server/devices.ts'
import type { ApprovalContext, PurposeFlow } from '../purpose.ts'
import { removeDevice as screen } from './remove-device.tsx'

/** Removes a device once the person has agreed, in the vault's own window, to what the server says it is. */
export const removeDevice: PurposeFlow<'remove-device'> = async (cx) => {
  const { id } = cx.asked.get()
  const known = await fetchDevices(cx.vault, await cx.token())
  const device = known.find((each) => each.id === id)
  if (!device) throw new VaultError('invalid_request_arguments', 'The person has no such device')
  return cx.approving('high', (stage) => removeOn(cx, stage, device), 'device')
}

async function removeOn(
  cx: ApprovalContext<'remove-device'>,
  stage: Stage,
  device: KnownDevice,
): ReturnType<typeof removeDevice> {
  const { id, name, place, createdAt, lastUsedAt, current } = device
  let failed = false
  for (;;) {
    const answer = await stage.ask(screen, { name, place, createdAt, lastUsedAt, current, failed })
    if (answer === 'cancel') throw new Closed('The person cancelled')
    try {
      await remove(cx.vault, await cx.token(), id)
      return { removed: true }
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (cause instanceof VaultError && cause.type === 'enrolment_required') throw cause
      cx.shown(cause)
      failed = true
    }
  }
}
