import type { Config } from '../config.ts'
import { captchaOf } from '../wire/app-extras.ts'

/** Whether a login needs a captcha's token. What the server demands, the host can't switch off. */
export function captchaNeeded({ host, app }: Pick<Config, 'host' | 'app'>): boolean {
  const { enabled, siteKey } = captchaOf(app)
  return enabled || (host.captchaEnabled === true && siteKey !== undefined)
}
