import type { KitError } from '../../errors/kit-error.ts'
import { judge, type Table, type Verdict } from '../../errors/verdict.ts'

/** The advice about ad blockers and VPNs comes after the last retry, from the flow. */
const table = {
  captcha_timeout: screen('error.captcha.lateTitle', 'error.captcha.lateDetail'),
  captcha_failure: screen('error.generic.title', 'error.captcha.failed'),
  invalid_captcha: screen('error.generic.title', 'error.captcha.detail'),
  network_unavailable: screen('error.generic.title', 'error.network.detail'),
  invalid_configuration: { ...screen('error.config.title', 'error.config.detail'), retryable: false },
  otherwise: screen('error.generic.title', 'error.captcha.failed'),
} as const satisfies Table

function screen<Title, Key>(title: Title, key: Key) {
  return { show: 'screen', title, detail: { key }, retryable: true } as const
}

export const captchaVerdict = (error: KitError): Verdict & { show: 'screen' } =>
  judge(table, error) as Verdict & { show: 'screen' }
