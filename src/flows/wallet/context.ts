import type { Services } from '../../services.ts'

/** What flows need that make or use an embedded wallet. */
export type WalletContext = Pick<Services, 'wallets'>
