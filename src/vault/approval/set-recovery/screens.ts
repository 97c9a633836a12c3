/** The screens of a change of recovery, which are the kit's own, with the words of a wallet's recovery. */
import '../recover/screens.ts'

export { automaticRecovery } from '../../../wallets/recovery/automatic-recovery.tsx'
export { confirmPassword } from '../../../wallets/recovery/confirm-password.tsx'
export { finishPassword } from '../../../wallets/recovery/finish-password.tsx'
export { passwordResult } from '../../../wallets/recovery/password-result.tsx'
export { savePassword } from '../../../wallets/recovery/save-password.tsx'
export { setPassword } from '../../../wallets/recovery/set-password.tsx'
