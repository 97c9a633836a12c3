/** The names under which what belongs to embedded wallets is sealed: each opens only as what it is, and for its owner. */
export const authShareName = (walletId: string, setId: string) => `wallet ${walletId} set ${setId} auth share`
/** Of what a recovery password is combined with. */
export const recoverySecretName = (secretId: string) => `recovery secret ${secretId}`
/** Whose record of recovery it is: a wallet's, or a change's that waits for its confirmation. */
export const rootOwner = (walletId: string) => `wallet ${walletId}`
export const changeOwner = (walletId: string, changeId: string) => `wallet ${walletId} change ${changeId}`
/** The parts of a record of recovery. */
export const recordNames = {
  package: (owner: string) => `${owner} recovery package`,
  key: (owner: string) => `${owner} recovery key`,
  hints: (owner: string) => `${owner} recovery hints`,
}
