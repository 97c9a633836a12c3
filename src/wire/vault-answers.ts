import * as v from 'valibot'
import type { Schema } from './decode.ts'
import { type FrameCalls, type FrameEvent, frameEvents } from './frame.ts'

/** What the vault's answers must be, by event. Wire 7.5. */
export const vaultAnswers: { readonly [E in FrameEvent]: Schema<FrameCalls[E]['answer']> } = {
  [frameEvents.ready]: v.object({}),
  [frameEvents.clearMfa]: v.object({}),
  [frameEvents.createWallet]: v.object({ address: v.string() }),
  [frameEvents.connectWallet]: v.object({ entropyId: v.string() }),
  [frameEvents.recoverWallet]: v.object({ entropyId: v.string() }),
  [frameEvents.walletRpc]: v.object({
    address: v.string(),
    chainType: v.string(),
    response: v.object({ method: v.string(), data: v.string() }),
  }),
}
