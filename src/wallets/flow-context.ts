import type { FlowContext } from '../app/flow-context.ts'
import type { WalletServices } from './services.ts'

/** What flows need that create or use an embedded wallet. */
export interface WalletContext {
  readonly wallets: WalletServices
}
/** The same with everything that every flow has. */
export type WalletFlow = FlowContext & WalletContext
