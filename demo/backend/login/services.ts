import type { AccountServices } from '../accounts/services.ts'
import type { ProofKind } from '../devices/enrolment/proof-kind.ts'
import type { Captcha } from './captcha/captcha.ts'

/** What login methods work with. */
export interface LoginServices extends AccountServices {
  captcha: Captcha
  /** Kinds of proof for a new device (devices/enrolment): a feature that has one adds it when it starts. */
  proofKinds: ProofKind[]
}
