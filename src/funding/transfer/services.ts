/** Services that a transfer from another wallet uses. */
import type { FlowContext } from '../../app/flow-context.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import type { WalletTransaction } from '../../ethereum/transaction.ts'
import type { BridgeDeposit } from '../../lib/bridge-deposits.ts'
import type { Prices } from '../../prices/prices.ts'
import type { BridgeClient } from '../../protocol/bridge.ts'
import type { SentExternally } from '../../signing/send/external.ts'
import type { SolanaRoom } from '../../signing/solana/adapter.ts'
import type { ActivityService } from '../../signing/transaction/outcome.ts'
import type { SolanaCluster } from '../../solana/clusters.ts'
import type { SolanaRequest } from '../../solana/prepare.ts'
import type { SolanaRpc } from '../../solana/rpc.ts'
import type { ConnectContext } from '../../wallets/connect/context.ts'
import type { ConnectedAccount } from '../../wallets/external/connector.ts'
import type { PaymentStore } from './payments.ts'

/** A cluster of Solana with its nodes, and the parts that handle its transactions. */
export interface SolanaPlace {
  readonly cluster: SolanaCluster
  readonly rpc: SolanaRpc
  readonly room: SolanaRoom
}
/** A transaction that a wallet has signed, and that no network has yet. */
export interface SignedPayment {
  readonly sent: SentExternally
  /** Throws a NodeError for a refusal, and TransactionUnknownError where nobody can say whether the network has it. */
  broadcast(): Promise<void>
}

export interface TransferServices {
  /** The context in which wallets are connected. */
  connecting(cx: FlowContext): ConnectContext
  nodeOf(chainId: number): ChainNode | undefined
  solana(chain: string): Promise<SolanaPlace | undefined>
  readonly activity: Pick<ActivityService, 'add' | 'remove' | 'entries' | 'settled'>
  readonly prices: Prices
  readonly payments: PaymentStore
  /** `undefined`: the app has no bridge. */
  readonly bridge: BridgeClient | undefined
  /** Where the bridge may take deposits, and how. */
  readonly bridgeDeposits: readonly BridgeDeposit[]
  /** Has a wallet sign and send on the chain that it is on. Throws what the wallet throws. */
  send(account: ConnectedAccount, request: WalletTransaction): Promise<SentExternally>
  /** Has a wallet sign. Throws what the wallet throws. */
  sign(account: ConnectedAccount, place: SolanaPlace, request: SolanaRequest): Promise<SignedPayment>
}
