import type { Page } from '@playwright/test'

/** Everything that the page's security policy refuses from the next page on, in order. */
export async function watchViolations(page: Page): Promise<readonly string[]> {
  const violations: string[] = []
  await page.exposeFunction('violated', (text: string) => violations.push(text))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report = (window as unknown as { violated(text: string): void }).violated
      report(`${event.effectiveDirective}: ${event.blockedURI} ${event.sample}`)
    })
  })
  return violations
}
