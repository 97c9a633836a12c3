/** The names under which what belongs to embedded wallets is sealed: each opens only as what it is, and for its owner. */
export const authSharePlace = (walletId: string, setId: string) =>
  `wallet ${walletId} set ${setId} auth share`
export const secretPlace = (secretId: string) => `recovery secret ${secretId}`
/** Whose record of recovery it is: a wallet's, or a change's that waits for its confirmation. */
export const rootOwner = (walletId: string) => `wallet ${walletId}`
export const changeOwner = (walletId: string, changeId: string) => `wallet ${walletId} change ${changeId}`
export const recordPlaces = {
  package: (owner: string) => `${owner} recovery package`,
  key: (owner: string) => `${owner} recovery key`,
  hints: (owner: string) => `${owner} recovery hints`,
}
