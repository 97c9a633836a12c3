/** The screens of second factors that the vault's own window may draw, with their words. */
import { addWords } from '../../../copy/copy.ts'
import { code } from '../../../copy/en/code.ts'
import { login } from '../../../copy/en/login.ts'
import { mfa } from '../../../copy/en/mfa.ts'

export { authenticator } from '../../../mfa/enroll/authenticator.tsx'
export { chooseMethod } from '../../../mfa/enroll/choose-method.tsx'
export { mfaEnrolled } from '../../../mfa/enroll/enrolled.tsx'
export { mfaPhone } from '../../../mfa/enroll/enter-phone.tsx'
export { mfaIntro } from '../../../mfa/enroll/intro.tsx'
export { mfaPasskeys } from '../../../mfa/enroll/passkeys.tsx'
export { recoveryCodes } from '../../../mfa/enroll/recovery-codes.tsx'
export { mfaCode } from '../../../mfa/enter-code.tsx'
export { mfaLoading } from '../../../mfa/loading.tsx'
export { removeMethod } from '../../../mfa/remove/remove.tsx'
export { chooseVerification } from '../../../mfa/verify/choose-verification.tsx'
export { enterRecoveryCode } from '../../../mfa/verify/enter-recovery-code.tsx'
export { verifyPasskey } from '../../../mfa/verify/verify-passkey.tsx'

addWords(mfa, code, login)
