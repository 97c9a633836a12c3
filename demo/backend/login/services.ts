import type { AccountServices } from '../accounts/services.ts'
import type { Captcha } from './captcha/captcha.ts'

/** What login methods work with. */
export interface LoginServices extends AccountServices {
  captcha: Captcha
}
