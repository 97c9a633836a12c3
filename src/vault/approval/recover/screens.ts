/** The screens of getting a wallet back, with their words; most are the kit's own. */
import { addWords } from '../../../copy/copy.ts'
import { code } from '../../../copy/en/code.ts'
import { device } from '../../../copy/en/device.ts'
import { errors } from '../../../copy/en/errors.ts'
import { password } from '../../../copy/en/password.ts'
import { recovery } from '../../../copy/en/recovery.ts'
import { recoveryErrors } from '../../../copy/en/recovery-errors.ts'
import { visits } from '../../../copy/en/visits.ts'
import { wallet } from '../../../copy/en/wallet.ts'

export { failure } from '../../../app/failure/failure.tsx'
export { enterCode } from '../../../login/code/enter-code.tsx'
export { connectingWallet } from '../../../wallets/embedded/connecting.tsx'
export { recoveryOAuth } from '../../../wallets/recovery/drives/recovery-oauth.tsx'
export { passwordRecovery } from '../../../wallets/recovery/password/password-recovery.tsx'
export { chooseFactor } from './choose-factor.tsx'
export { confirmDrive } from './confirm-drive.tsx'
export { deviceApproval } from './device-approval.tsx'

addWords(code, device, errors, password, recovery, recoveryErrors, visits, wallet)
