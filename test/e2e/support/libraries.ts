/** Unmodified libraries in a host page, which find the embedded wallet by the standards alone. */
import type { Page } from '@playwright/test'
import type { Library, ProviderLibraries, StepOutcome } from '../../support/provider-libraries/page.ts'
import { serveBundle } from './page-bundle.ts'

declare const providerLibraries: ProviderLibraries

/** Brings the libraries into a page whose wallet has been announced. */
export async function load(page: Page): Promise<void> {
  await serveBundle(page, 'provider-libraries/page.ts', 'provider-libraries.js')
  await page.evaluate(() => import(String('/provider-libraries.js')).then(() => {}))
}

/** Runs the steps of a library, one a call. */
export const stepsOf =
  (page: Page, library: Library) =>
  (step: string, ...input: unknown[]): Promise<StepOutcome> =>
    page.evaluate(([library, step, input]) => providerLibraries.run(library, step, ...input), [
      library,
      step,
      input,
    ] as const)
