/** The screens of second factors that the vault's own window may draw, with their words. */
import { addWords } from '../../../copy/copy.ts'
import { code } from '../../../copy/en/code.ts'
import { login } from '../../../copy/en/login.ts'
import { mfa } from '../../../copy/en/mfa.ts'

export { authenticator } from '../../../mfa/authenticator.tsx'
export { chooseMethod } from '../../../mfa/choose-method.tsx'
export { chooseVerification } from '../../../mfa/choose-verification.tsx'
export { mfaEnrolled } from '../../../mfa/enrolled.tsx'
export { mfaCode } from '../../../mfa/enter-code.tsx'
export { mfaPhone } from '../../../mfa/enter-phone.tsx'
export { enterRecoveryCode } from '../../../mfa/enter-recovery-code.tsx'
export { mfaIntro } from '../../../mfa/intro.tsx'
export { mfaLoading } from '../../../mfa/loading.tsx'
export { mfaPasskeys } from '../../../mfa/passkeys.tsx'
export { recoveryCodes } from '../../../mfa/recovery-codes.tsx'
export { removeMethod } from '../../../mfa/remove.tsx'
export { verifyPasskey } from '../../../mfa/verify-passkey.tsx'

addWords(mfa, code, login)
