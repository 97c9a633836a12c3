import * as v from 'valibot'
import { reader } from './decode.ts'
import { type FrameCalls, type FrameEvent, frameEvents } from './frame/calls.ts'
import type { Reader } from './http.ts'

const empty = reader(v.object({}))
const address = reader(v.object({ address: v.string() }))
const entropy = reader(v.object({ entropyId: v.string() }))

/** What the vault's answers must be, by event. Wire 7.5. */
export const vaultAnswers: { readonly [E in FrameEvent]: Reader<FrameCalls[E]['answer']> } = {
  [frameEvents.ready]: empty,
  [frameEvents.clearMfa]: empty,
  [frameEvents.createWallet]: address,
  [frameEvents.createSolanaWallet]: reader(v.object({ publicKey: v.string() })),
  [frameEvents.createWallets]: address,
  [frameEvents.addWallet]: address,
  [frameEvents.importWallet]: address,
  [frameEvents.connectWallet]: entropy,
  [frameEvents.recoverWallet]: entropy,
  [frameEvents.setRecovery]: reader(
    v.object({ entropyId: v.string(), entropyIdVerifier: v.string(), recoveryMethod: v.string() }),
  ),
  [frameEvents.walletRpc]: reader(
    v.object({
      address: v.string(),
      chainType: v.string(),
      response: v.object({
        method: v.string(),
        data: v.union([v.string(), v.record(v.string(), v.unknown())]),
      }),
    }),
  ),
}
