import type { OpenAccount } from './connector.ts'

/** Whether a wallet has the same accounts open on the same chains as before. */
export const sameAccounts = (one: readonly OpenAccount[], other: readonly OpenAccount[]): boolean =>
  one.length === other.length &&
  one.every(({ address, chainId }, at) => address === other[at]?.address && chainId === other[at]?.chainId)
