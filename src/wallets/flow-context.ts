import type { FlowContext } from '../app/flow-context.ts'
import type { WalletServices } from './services.ts'

/** Another app that asks a wallet of this one's user to sign, as this app's own server names it. */
export interface RequestingApp {
  /** The server's id of its request, by which the vault asks the server itself. */
  readonly requestId: string
  readonly name: string
  readonly origin: string
}

/** What flows need that create or use an embedded wallet. */
export interface WalletFlow extends FlowContext {
  readonly wallets: WalletServices
  /** Set where another app asks, and not this page. */
  readonly requester?: RequestingApp | undefined
}
