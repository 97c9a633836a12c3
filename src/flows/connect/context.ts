import type { Services } from '../../services.ts'
import type { ConnectedAccount, WalletOffer } from '../../wallets/external/connector.ts'
import type { FlowContext } from '../login/context.ts'

/** What a person wants of the wallet. */
export type WalletPurpose = 'log-in' | 'connect' | 'link'

/** What it takes to connect a wallet outside. */
export interface ConnectContext extends FlowContext, Pick<Services, 'session' | 'auth' | 'wallets'> {}

/** One wallet that somebody is connecting, with the tries that they have left. */
export interface Connection {
  readonly cx: ConnectContext
  readonly offer: WalletOffer
  readonly purpose: WalletPurpose
  /** How often it was tried again. */
  retries: number
  /** The code with which the last try has failed. */
  failed?: string
  /** What the last try has opened in a wallet elsewhere. */
  opened?: ConnectedAccount
}
