/** Unmodified libraries in a host page, which find the embedded wallet by the standards alone. */
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { build } from 'esbuild'
import type { Library, ProviderLibraries, StepOutcome } from '../../support/provider-libraries/page.ts'

declare const providerLibraries: ProviderLibraries

/** Brings the libraries into a page whose wallet has been announced. */
export async function load(page: Page): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../support/provider-libraries/page.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    platform: 'browser',
    define: { global: 'globalThis', 'process.env.NODE_ENV': '"production"' },
  })
  await page.route('**/provider-libraries.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: outputFiles[0]?.text ?? '' }),
  )
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
