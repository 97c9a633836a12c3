import type { Session } from '../../session/session.ts'
import type { ConnectedAccount, WalletOffer } from '../../wallets/external/connector.ts'
import type { WalletFlow } from '../flow-context.ts'

/** What a person wants to do with the wallet. */
export type WalletPurpose = 'log-in' | 'connect' | 'link'

/** What connecting an external wallet needs. */
export interface ConnectContext extends WalletFlow {
  readonly session: Session
}

/** The wallet that somebody is connecting, with the attempts that they have left. */
export interface Connection<Context extends ConnectContext = ConnectContext> {
  readonly cx: Context
  readonly offer: WalletOffer
  readonly purpose: WalletPurpose
  /** The number of retries. */
  retries: number
  /** The code with which the last attempt failed. */
  failed?: string
  /** The pairing that the last attempt has opened in a wallet on another device. */
  opened?: ConnectedAccount
}
