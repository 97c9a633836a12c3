/** Tests in a real page: elements, screens, accessibility, vectors in the browser. `npx wtr --config test/config/web-test-runner.config.mjs`. */
import { fileURLToPath } from 'node:url'
import { defaultReporter } from '@web/test-runner'
import { playwrightLauncher } from '@web/test-runner-playwright'
import { launchOptions } from '../../tools/launch.mjs'
import { bundle } from './bundle-plugin.mjs'
import { captchaStandIn } from './captcha-stand-in.mjs'
import { jsonReporter } from './json-reporter.mjs'
import { slowness } from './speed.mjs'
import { vectorFiles } from './vector-files.mjs'

const rootDir = fileURLToPath(new URL('../../', import.meta.url))

export default {
  rootDir,
  files: ['test/browser/**/*.test.{ts,tsx}', 'test/{vectors,vault}/**/*.browser.ts'],
  // Most of a test is waiting for the next frame: twice as many pages as there are cores in the smallest machine.
  concurrency: 4,
  browsers: [playwrightLauncher({ product: 'chromium', launchOptions: await launchOptions() })],
  browserStartTimeout: 60_000 * slowness,
  testsStartTimeout: 60_000 * slowness,
  testsFinishTimeout: 360_000 * slowness,
  filterBrowserLogs: ({ args: [first] }) => !String(first).startsWith('Lit is in dev mode'),
  testFramework: { config: { timeout: 30_000 * slowness } },
  middleware: [vectorFiles(rootDir), await captchaStandIn()],
  reporters: [defaultReporter(), jsonReporter(process.env.LATCHKEY_REPORT)],
  plugins: [bundle(rootDir)],
}
