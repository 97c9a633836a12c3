import { approve } from '../approval/flow.ts'
import type { WalletFlow } from '../flow-context.ts'
import { enrolledHere } from '../recovery/recover-flow.ts'

/**
 * Has the person remove a device in the vault's own window, which names it and asks. Throws `Closed` if they don't, or the vault's
 * error.
 */
export const removeDevice = (cx: WalletFlow, id: string): Promise<void> =>
  enrolledHere(cx, async () => {
    await approve(cx, 'remove-device', 'remove-device', async (show) => show({ id }))
  })
