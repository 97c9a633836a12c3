/** Tests of whole journeys, across pages, popups and the vault's frame. `npx playwright test -c test/config/playwright.config.ts`. */
import { defineConfig } from '@playwright/test'
import { launchOptions } from '../../tools/launch.mjs'
import './speed.mjs'
import { limit } from '../support/limit.ts'
import { soaking } from '../support/soak.ts'

const report = process.env.LATCHKEY_REPORT

export default defineConfig<object, { sight: boolean }>({
  testDir: '../e2e',
  outputDir: '../../test-results',
  globalSetup: '../e2e/support/global-setup.ts',
  // Journeys that go a way which another journey has gone, with one thing changed: `npm run soak` runs them.
  grepInvert: soaking ? [] : / @soak$/,
  // A journey waits a second of quiet before each press, and opens windows, on a machine that has other work.
  timeout: limit(240_000),
  expect: { timeout: limit(20_000) },
  // Half of a journey is waiting: twice as many as there are cores in the smallest machine.
  workers: 4,
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  reporter: [['list'], ...(report ? ([['json', { outputFile: report }]] as const) : [])],
  use: {
    trace: 'off',
    // Drawing every frame of every movement is a third of the work; spine.spec.ts goes without this.
    contextOptions: { reducedMotion: 'reduce' },
  },
  projects: [
    // The few journeys in whole browsers come first: at the end, the other workers would wait for them.
    {
      // No storage for frames of another site: the headless shell has some for them, and ordinary browsers a separate one.
      name: 'blocked',
      testMatch: '**/*.blocked.*',
      use: { launchOptions: await launchOptions({ whole: true }) },
    },
    {
      // Storage as ordinary browsers keep it for frames of another site; Playwright's own switches block it.
      name: 'partitioned',
      testMatch: '**/*.partitioned.*',
      use: { launchOptions: await launchOptions({ whole: true, partitioned: true }) },
    },
    {
      name: 'chromium',
      testIgnore: '**/*.{blocked,partitioned}.*',
      use: { launchOptions: await launchOptions() },
    },
    // Journeys in apps whose secrets only the vault's own pages ask for, where it does so in windows alone.
    ...(soaking
      ? [
          {
            name: 'windows',
            testMatch: /\/(own-window|strict-(recovery|signing))\.spec\.ts$/,
            use: { sight: false, launchOptions: await launchOptions() },
          },
        ]
      : []),
  ],
})
