import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { build } from 'esbuild'

/** Serves a module of test/support, with the libraries that it imports, as a script of the page's own origin. */
export async function serveBundle(page: Page, module: string, script: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../support/${module}`, import.meta.url))],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    platform: 'browser',
    define: { global: 'globalThis', 'process.env.NODE_ENV': '"production"' },
  })
  await page.route(`**/${script}`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: outputFiles[0]?.text ?? '' }),
  )
}
