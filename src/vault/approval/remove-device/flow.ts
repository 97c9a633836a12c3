import { Closed, type Stage } from '../../../dialog/stage.ts'
import { VaultError } from '../../errors.ts'
import { parseRootName } from '../../keys/address.ts'
import { fetchDevices, type KnownDevice, removeDevice as remove } from '../../server/devices.ts'
import type { ApprovalContext, PurposeFlow } from '../purpose.ts'
import { isProofRequired, provePresentOn } from '../recover/prove-flow.ts'
import { removeDevice as screen } from './remove-device.tsx'

/** Removes a device once the person has agreed, in the vault's own window, to what the server says it is. */
export const removeDevice: PurposeFlow<'remove-device'> = async (cx) => {
  const { id } = cx.asked.get()
  const known = await fetchDevices(cx.vault, await cx.token())
  const device = known.find((each) => each.id === id)
  if (!device) throw new VaultError('invalid_request_arguments', 'The person has no such device')
  return cx.approving('high', (stage) => removeOn(cx, stage, device), {
    purpose: 'device',
    stake: device.name,
  })
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
      await removeProved(cx, stage, id)
      return { removed: true }
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (cause instanceof Closed || (cause instanceof VaultError && leftToPage.has(cause.type))) throw cause
      cx.shown(cause)
      failed = true
    }
  }
}

/** Failures that another press here would not mend, and about which the page can do something. */
const leftToPage: ReadonlySet<string> = new Set([
  ...['enrolment_required', 'recovery_proof_required', 'recovery_method_not_supported'],
])

/** Where somebody recovers their wallets in a way of their own, the server wants that way proved first. */
async function removeProved(cx: ApprovalContext<'remove-device'>, stage: Stage, id: string): Promise<void> {
  const attempt = () =>
    cx.commit(
      async () => remove(cx.vault, await cx.token(), id),
      () => ({ removed: true }),
    )
  try {
    await attempt()
  } catch (cause) {
    const { root: named } = cx.asked.get()
    const root = named && (await parseRootName(named.chainType, named.address))
    if (!isProofRequired(cause) || !root) throw cause
    await provePresentOn(cx, stage, root, { address: named.address })
    await attempt()
  }
}
