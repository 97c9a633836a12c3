/** Tests of whole journeys, across pages, popups and the vault's frame. `npx playwright test -c test/config/playwright.config.ts`. */
import { defineConfig } from '@playwright/test'
import { findChromium } from '../../tools/chromium.mjs'
import { partitionedLaunch } from '../../tools/partitioning.mjs'

const { path: executablePath, args } = findChromium()
const report = process.env.LATCHKEY_REPORT

export default defineConfig({
  testDir: '../e2e',
  outputDir: '../../test-results',
  timeout: 90_000,
  expect: { timeout: 10_000 },
  // Each has a demo of its own, and most of a journey is waiting.
  workers: 3,
  fullyParallel: true,
  // A machine under load may starve a browser; the summary names what passed only at the second try.
  retries: 1,
  forbidOnly: true,
  reporter: [['list'], ...(report ? ([['json', { outputFile: report }]] as const) : [])],
  use: { trace: 'off', launchOptions: { executablePath, args } },
  projects: [
    { name: 'chromium', testIgnore: '**/*.partitioned.*' },
    {
      // Storage as ordinary browsers keep it for frames of another site; Playwright's own switches block it.
      name: 'partitioned',
      testMatch: '**/*.partitioned.*',
      use: { launchOptions: await partitionedLaunch() },
    },
  ],
})
