/** The screens of a change of recovery, which are the kit's own, with the words of a wallet's recovery. */
import '../recover/screens.ts'

export { automaticRecovery } from '../../../wallets/recovery/automatic-recovery.tsx'
export { confirmPassword } from '../../../wallets/recovery/password/confirm-password.tsx'
export { finishPassword } from '../../../wallets/recovery/password/finish-password.tsx'
export { passwordResult } from '../../../wallets/recovery/password/password-result.tsx'
export { savePassword } from '../../../wallets/recovery/password/save-password.tsx'
export { setPassword } from '../../../wallets/recovery/password/set-password.tsx'
