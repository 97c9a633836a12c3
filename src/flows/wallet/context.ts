import type { Services } from '../../services.ts'
import type { FlowContext } from '../login/context.ts'

/** What flows need that make or use an embedded wallet. */
export type WalletContext = Pick<Services, 'wallets'>
/** The same with all that every flow has. */
export type WalletFlow = FlowContext & WalletContext
