/** Registers `<mfa-enroll>`. */
import { defineElement } from '../define.ts'
import { MfaEnroll } from '../mfa-enroll.ts'

export { MfaEnroll }

defineElement(MfaEnroll)
