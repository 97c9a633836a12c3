/** What is loaded once a wallet needs its person: recovery, backup, and the key itself. */
import { learn } from '../../copy/copy.ts'
import { errors } from '../../copy/en/errors.ts'
import { keyExport } from '../../copy/en/export.ts'
import { password } from '../../copy/en/password.ts'
import { recovery } from '../../copy/en/recovery.ts'
import { recoveryErrors } from '../../copy/en/recovery-errors.ts'
import { wallet } from '../../copy/en/wallet.ts'

export { createWallet } from './create.ts'
export { exportWallet } from './export.ts'
export { withWalletHere } from './recover.ts'
export { secureWallet } from './secure.ts'
export { changePassword, changeRecovery } from './set-recovery.ts'

learn(errors, wallet, recovery, password, keyExport, recoveryErrors)
