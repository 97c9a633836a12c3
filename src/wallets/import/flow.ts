import type { ChainType } from '../../protocol/frame/calls.ts'
import { approve } from '../approval/flow.ts'
import type { WalletFlow } from '../flow-context.ts'
import { enrolledHere } from '../recovery/recover-flow.ts'

/**
 * Has the person enter a private key in the vault's own window. Resolves with the address of its wallet. Throws `Closed` if they
 * don't, or the vault's error.
 */
export const importWallet = (cx: WalletFlow, chainType: ChainType): Promise<string> =>
  enrolledHere(cx, async () => {
    const { answer } = await approve(cx, 'import-key', 'import', async (show) => show({ chainType }))
    return answer.address
  })
