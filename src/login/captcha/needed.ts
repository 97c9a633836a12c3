import type { Config } from '../../app/config.ts'

/** Whether a login needs a captcha token. A host can't switch off what the server demands. */
export function captchaNeeded({ host, app }: Pick<Config, 'host' | 'app'>): boolean {
  const { enabled, siteKey } = app.captcha
  return enabled || (host.captchaEnabled === true && siteKey !== undefined)
}
