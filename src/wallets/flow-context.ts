import type { FlowContext } from '../app/flow-context.ts'
import type { DescriptorSelection, SelectedDescriptors } from '../protocol/descriptors.ts'
import type { CallOptions } from '../protocol/http.ts'
import type { WalletServices } from './services.ts'

/** What flows need that create or use an embedded wallet. */
export interface WalletFlow extends FlowContext {
  readonly wallets: WalletServices
  /** Asks the server for descriptors of contracts and messages (ERC-7730). Absent where no request is reviewed. */
  readonly selectDescriptors?: (
    selection: DescriptorSelection,
    options?: CallOptions,
  ) => Promise<SelectedDescriptors>
}
