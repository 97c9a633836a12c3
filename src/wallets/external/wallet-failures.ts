import { KitError } from '../../errors/kit-error.ts'

export const walletTimeout = (cause?: unknown) =>
  new KitError('wallet_timeout', 'The wallet did not answer', { cause, retryable: true })

/** Failures that connectors raise themselves. */
export const notConnected = () =>
  new KitError('wallet_disconnected', 'Wallet is not currently connected.', { retryable: true })
export const noAccounts = () =>
  new KitError('wallet_no_accounts', 'Unable to retrieve accounts', { retryable: true })

export const closedAccount = () =>
  new KitError('wallet_unauthorized', 'The wallet has not opened this account', { retryable: true })
/** A failure of the wallet that may go better the next time. */
export const failed = (message: string, cause?: unknown) =>
  new KitError('generic_connect_wallet_error', message, { cause, retryable: true })
