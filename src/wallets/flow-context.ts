import type { FlowContext } from '../app/flow-context.ts'
import type { WalletServices } from './services.ts'

/** What flows need that create or use an embedded wallet. */
export interface WalletFlow extends FlowContext {
  readonly wallets: WalletServices
}
